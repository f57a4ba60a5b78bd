import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TlObject } from '../../../sandbox/rpc.ts';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import { sandboxApiHash, sandboxApiId } from '../../../sandbox/world/logins/api-credentials.ts';
import { startLocalSandbox } from '../../support/sandbox/sandbox.ts';
import { RawConnection } from '../../support/telegram-clients/raw-connection.ts';
import { shakeHands } from '../../support/telegram-clients/raw-handshake.ts';
import { RawSession } from '../../support/telegram-clients/raw-session.ts';

const phone_number = '15550000001';
const rounds = 3;
const logins = 350;
/** More than the sandbox keeps of anything that a log-out leaves behind. */
const warmUp = 150;
/** What the logins of a round may leave behind: half a kilobyte for each. A key alone has more. */
const maxGrowthBytes = logins * 512;

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startLocalSandbox();
});
afterAll(() => sandbox.close());

/** A client with a new key logs in, asks for something, logs out and hangs up. */
async function logInAndOut(): Promise<void> {
  const connection = await RawConnection.open(sandbox.protocol.ports.get(2) ?? 0);
  const session = new RawSession(connection, await shakeHands(connection, sandbox.protocol));
  const ask = async (query: TlObject) => (await session.result(session.call(session.withLayer(query)))) as TlObject;
  const settings = { _: 'codeSettings' };
  const { phone_code_hash } = await ask({
    _: 'auth.sendCode',
    phone_number,
    api_id: sandboxApiId,
    api_hash: sandboxApiHash,
    settings,
  });
  const phone_code = sandbox.world.tables.codes.get(phone_code_hash as string)?.code;
  expect(await ask({ _: 'auth.signIn', phone_number, phone_code_hash, phone_code })).toMatchObject({
    _: 'auth.authorization',
  });
  expect(await ask({ _: 'updates.getState' })).toMatchObject({ _: 'updates.state' });
  expect(await ask({ _: 'auth.logOut' })).toMatchObject({ _: 'auth.loggedOut' });
  connection.close();
}

async function repeat(times: number): Promise<void> {
  for (let n = 0; n < times; n++) await logInAndOut();
  await expect.poll(() => sandbox.protocol.stats().connections).toBe(0);
}

/** The heap after a collection of garbage, without the log of calls, which has a limit of its own. */
function usedBytes(): number {
  sandbox.world.calls.clear();
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let n = 0; n < 3; n++) collect();
  return process.memoryUsage().heapUsed;
}

const rowCounts = (): Record<string, number> =>
  Object.fromEntries(sandbox.world.tables.all.map(({ name, size }) => [name, size]));

it('1,000 logins and log-outs leave nothing behind', async () => {
  await repeat(warmUp);
  const [rows, stats] = [rowCounts(), sandbox.protocol.stats()];
  const growths: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const bytes = usedBytes();
    await repeat(logins);
    growths.push(usedBytes() - bytes);
  }
  expect(rowCounts()).toEqual(rows);
  expect(sandbox.protocol.stats()).toMatchObject({ keys: stats.keys, sessions: stats.sessions });
  // Compiled code and the test runner grow too, now and then. What logins leave behind grows in every round.
  expect(Math.min(...growths)).toBeLessThan(maxGrowthBytes);
});
