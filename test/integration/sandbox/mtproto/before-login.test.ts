import { Long } from '@mtcute/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../../sandbox/sandbox.ts';
import { startLocalSandbox } from '../../../support/sandbox/sandbox.ts';
import { mtcuteClient } from '../../../support/telegram-clients/mtcute.ts';
import { RawConnection } from '../../../support/telegram-clients/raw-connection.ts';
import { shakeHands } from '../../../support/telegram-clients/raw-handshake.ts';
import { RawSession } from '../../../support/telegram-clients/raw-session.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startLocalSandbox();
});
afterAll(() => sandbox.close());

describe('a client without a login', () => {
  it('gets 400 for a method that the sandbox lacks: a 401 makes official clients destroy their keys', async () => {
    const connection = await RawConnection.open(sandbox.protocol.ports.get(2) ?? 0);
    const session = new RawSession(connection, await shakeHands(connection, sandbox.protocol));
    const ask = (query: { _: string }) => session.result(session.call(session.withLayer(query)));
    expect(await ask({ _: 'messages.getAllDrafts' })).toMatchObject({
      error_code: 400,
      error_message: 'METHOD_INVALID',
    });
    expect(await ask({ _: 'updates.getState' })).toMatchObject({
      error_code: 401,
      error_message: 'AUTH_KEY_UNREGISTERED',
    });
    connection.close();
  });

  it('drops its temporary keys, except those that it names', async () => {
    const client = await mtcuteClient(sandbox.protocol, { pfs: true });
    const temporaryKeys = () =>
      sandbox.protocol.storedKeys().flatMap(({ id, boundTo }) => (boundTo === undefined ? [] : [id]));
    const drop = (kept: string[]) =>
      client.call({
        _: 'auth.dropTempAuthKeys',
        exceptAuthKeys: kept.map((id) => Long.fromBytesLE([...Buffer.from(id, 'hex')])),
      });
    try {
      await client.call({ _: 'help.getConfig' });
      const used = temporaryKeys();
      expect(used.length).toBeGreaterThan(0);
      expect(await drop(used)).toBe(true);
      expect(temporaryKeys()).toEqual(used);
      expect(await drop([])).toBe(true);
      expect(temporaryKeys()).toEqual([]);
    } finally {
      await client.destroy();
    }
  });
});
