import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Caller, openScene, type Scene } from '../../support/e2e/scene.ts';

/** Telegram issues no QR code to this application: who is told, and how. */

const second = 1_000;
const lines: Record<string, unknown>[] = [];

let scene: Scene;
beforeEach(async () => {
  lines.length = 0;
  scene = await openScene({ logTo: { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) } });
});
afterEach(() => scene.close());

const refuse = (error: string): Promise<unknown> =>
  scene.sandbox.call('POST', '/faults', { method: 'auth.exportLoginToken', error, times: 1_000_000 });

interface Entry {
  type: string;
  state: string;
  data: { reason?: string };
}

async function refusals(caller: Caller): Promise<Entry[]> {
  const { body } = await scene.request<{ docs: Entry[] }>(caller, 'GET', '/session/events');
  return body.docs.filter(({ type }) => type === 'LoginRefused');
}

async function refused(error: string): Promise<Caller> {
  await refuse(error);
  const caller = await scene.create();
  while ((await refusals(caller)).length === 0) await scene.pass(100);
  return caller;
}

const ready = async (): Promise<unknown> => (await scene.gateway.http.request('GET', '/health/ready')).body;
const logged = (): unknown[] =>
  lines.filter(({ msg }) => String(msg).startsWith('telegram refuses logins')).map(({ session }) => session);

describe('an application that Telegram refuses', () => {
  it.each([
    ['API_ID_INVALID', /my\.telegram\.org/],
    ['API_ID_PUBLISHED_FLOOD', /my\.telegram\.org/],
    ['UPDATE_APP_TO_LOGIN', /update the gateway/],
    ['FLOOD_WAIT_3600', /asks to wait/],
  ])('[SE15.1] [SE15.2] %s is in the audit, the log and the health check', async (error, advice) => {
    const caller = await refused(error);
    expect(await refusals(caller)).toMatchObject([{ state: 'qrPending', data: { reason: error } }]);
    expect(await ready()).toEqual({ status: 'ok', warnings: [expect.stringMatching(advice)] });
    expect(await ready()).toMatchObject({ warnings: [expect.stringContaining(error)] });
    expect(logged()).toEqual([caller.id]);
  });

  it('[SE15.1] [SE15.2] is told once, and logged once a minute, however often it is refused', async () => {
    const caller = await refused('API_ID_INVALID');
    await scene.pass(59 * second);
    expect(await refusals(caller)).toHaveLength(1);
    expect(logged()).toEqual([caller.id]);
    await scene.pass(90 * second);
    expect(await refusals(caller)).toHaveLength(1);
    expect(logged().length).toBeGreaterThan(1);
  });

  it('[SE15.2] is no longer said when the wait is over that Telegram asked for, without a further login', async () => {
    const caller = await refused('FLOOD_WAIT_3600');
    await scene.request(caller, 'DELETE', '/session');
    await scene.pass(3_595 * second);
    expect(await ready()).toMatchObject({ warnings: [expect.stringMatching(/asks to wait/)] });
    await scene.pass(5 * second);
    expect(await ready()).toEqual({ status: 'ok' });
  });

  it('[SE15.2] is no longer said when a QR code was issued', async () => {
    const caller = await refused('API_ID_INVALID');
    await scene.sandbox.call('DELETE', '/faults');
    await scene.whilePassing(scene.read(caller, ({ qrcode }) => qrcode !== ''));
    expect(await ready()).toEqual({ status: 'ok' });
  });
});
