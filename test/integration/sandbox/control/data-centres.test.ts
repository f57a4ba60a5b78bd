import { Api } from 'telegram';
import { describe, expect, it } from 'vitest';
import { refused, useSandbox } from '../../../support/sandbox/control-client.ts';
import { gramJsClient } from '../../../support/telegram-clients/gramjs.ts';
import { RawConnection } from '../../../support/telegram-clients/raw-connection.ts';

const on = useSandbox();
const { get, post, put, remove } = on;

/** What a client is told of the addresses of data centre 2. */
async function options(): Promise<number[]> {
  const client = gramJsClient(on.sandbox.protocol, 'full');
  await client.connect();
  const { dcOptions } = await client.invoke(new Api.help.GetConfig());
  await client.destroy();
  return dcOptions.filter(({ id }) => id === 2).map(({ port }) => port);
}

describe('the addresses of data centres', () => {
  it('change: a port is opened, and the old one closed with its connections', async () => {
    const before = on.sandbox.protocol.ports.get(2) ?? 0;
    const connection = await RawConnection.open(before);
    const { body } = await post('/dcs/2/ports');
    expect(await options()).toEqual([before, body.port]);
    expect((await remove(`/dcs/2/ports/${before}`)).status).toBe(200);
    await connection.ended();
    expect(await options()).toEqual([body.port]);
    const { body: told } = await get('/connection');
    expect(told.dcs.find(({ id }: { id: number }) => id === 2)).toMatchObject({ port: body.port });
    expect(await remove(`/dcs/2/ports/${before}`)).toEqual(
      refused(404, 'the data centre does not listen on this port'),
    );
  });

  it('accept a limited number of connections a second: the others get -429', async () => {
    await put('/connection-limit', { perSecond: 2 });
    const port = on.sandbox.protocol.ports.get(1) ?? 0;
    const opened = [];
    for (let count = 0; count < 3; count += 1) opened.push(await RawConnection.open(port));
    for (const each of opened) each.send(Buffer.alloc(24));
    expect((await opened[2]?.next())?.readInt32LE(0)).toBe(-429);
    await opened[2]?.ended();
    expect((await opened[0]?.next())?.readInt32LE(0)).toBe(-404);
    for (const each of opened) each.close();
    await put('/connection-limit', { perSecond: 0 });
    await expect.poll(() => on.sandbox.protocol.stats().connections).toBe(0);
  });

  it.each([
    ['API_ID_INVALID', 400],
    ['API_ID_PUBLISHED_FLOOD', 400],
    ['UPDATE_APP_TO_LOGIN', 406],
    ['FLOOD_WAIT_3600', 420],
  ])('refuse an API ID: %s', async (error, code) => {
    await post('/faults', { method: 'auth.exportLoginToken', error });
    const client = gramJsClient(on.sandbox.protocol, 'full');
    client.floodSleepThreshold = 0;
    await client.connect();
    const { apiId, apiHash } = client;
    const asked = client.invoke(new Api.auth.ExportLoginToken({ apiId, apiHash, exceptIds: [] }));
    await expect(asked).rejects.toMatchObject({ code });
    await client.destroy();
  });
});
