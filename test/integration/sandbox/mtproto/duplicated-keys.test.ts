import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../../sandbox/sandbox.ts';
import { devicesOf, logIn } from '../../../../sandbox/world/logins/logins.ts';
import type { UserRow } from '../../../../sandbox/world/state/rows.ts';
import { startLocalSandbox } from '../../../support/sandbox/sandbox.ts';
import { RawConnection } from '../../../support/telegram-clients/raw-connection.ts';
import { shakeHands } from '../../../support/telegram-clients/raw-handshake.ts';
import { RawSession } from '../../../support/telegram-clients/raw-session.ts';

const duplicated = { _: 'rpc_error', error_code: 406, error_message: 'AUTH_KEY_DUPLICATED' };
const getState = { _: 'updates.getState' };

let sandbox: Sandbox;
const clock = {
  time: Date.UTC(2026, 5, 1),
  now() {
    return this.time;
  },
};
const opened: RawConnection[] = [];
let one: RawSession;

beforeAll(async () => {
  sandbox = await startLocalSandbox({ clock });
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  const connection = await connectFrom('127.0.0.1');
  one = new RawSession(connection, await shakeHands(connection, sandbox.protocol));
  await one.result(one.call(one.withLayer({ _: 'help.getNearestDc' })));
  const key = sandbox.protocol.storedKeys().find(({ id }) => id === one.key.id.toString('hex'));
  if (!key) throw new Error('no key');
  logIn(sandbox.world, { ...key, device: key.device }, sandbox.world.tables.users.get(1001) as UserRow);
  return () => {
    for (const each of opened.splice(0)) each.close();
  };
});

async function connectFrom(address: string): Promise<RawConnection> {
  const port = sandbox.protocol.ports.get(2) ?? 0;
  const connection = await RawConnection.open(port, undefined, undefined, address);
  opened.push(connection);
  return connection;
}
/** The same key in somebody else's hands. */
const copyFrom = async (address: string) => new RawSession(await connectFrom(address), one.key);
const call = async (session: RawSession) => session.result(session.call(getState));

// https://core.telegram.org/api/errors#406-not-acceptable
describe('a login whose key is used from two addresses within a second', () => {
  it('ends: both get 406 AUTH_KEY_DUPLICATED, for good', async () => {
    expect(await call(one)).toMatchObject({ _: 'updates.state' });
    const two = await copyFrom('127.0.0.2');
    expect(await call(two)).toMatchObject(duplicated);
    const { object } = await one.next(({ object: each }) => each._ === 'updatesTooLong');
    expect(object).toEqual({ _: 'updatesTooLong' });
    expect(await call(one)).toMatchObject(duplicated);
    clock.time += 60_000;
    expect(await call(one)).toMatchObject(duplicated);
    expect(await one.result(one.call({ _: 'help.getConfig' }))).toMatchObject(duplicated);
    expect(devicesOf(sandbox.world, 1001)).toEqual([]);
  });

  it('goes on if the addresses follow each other: after a second, or after the first connection has ended', async () => {
    expect(await call(one)).toMatchObject({ _: 'updates.state' });
    clock.time += 1_000;
    const two = await copyFrom('127.0.0.2');
    expect(await call(two)).toMatchObject({ _: 'updates.state' });
    two.connection.close();
    await expect.poll(() => sandbox.protocol.stats().connections).toBe(1);
    const three = await copyFrom('127.0.0.3');
    expect(await call(three)).toMatchObject({ _: 'updates.state' });
  });

  it('goes on if the first connection was ended before, however late that and what follows are read', async () => {
    const two = await copyFrom('127.0.0.2');
    expect(await call(one)).toMatchObject({ _: 'updates.state' });
    // The sandbox runs in this process, and reads both in the same turn.
    one.connection.socket.end();
    await once(one.connection.socket, 'finish');
    expect(await call(two)).toMatchObject({ _: 'updates.state' });
  });

  it('goes on if the connections come from one address', async () => {
    const two = await copyFrom('127.0.0.1');
    for (const session of [one, two, one]) expect(await call(session)).toMatchObject({ _: 'updates.state' });
  });
});
