import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Sandbox } from '../../../../sandbox/sandbox.ts';
import { schemaOfLayer } from '../../../../sandbox/tl/layers.ts';
import { control } from '../../../support/sandbox/control-client.ts';
import { startLocalSandbox } from '../../../support/sandbox/sandbox.ts';
import { RawConnection } from '../../../support/telegram-clients/raw-connection.ts';
import { shakeHands } from '../../../support/telegram-clients/raw-handshake.ts';
import { RawSession } from '../../../support/telegram-clients/raw-session.ts';

const minutes = 60_000;
const getConfig = { _: 'help.getConfig' };

let sandbox: Sandbox;
let connection: RawConnection;
let session: RawSession;

beforeAll(async () => {
  sandbox = await startLocalSandbox();
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  connection = await RawConnection.open(sandbox.protocol.ports.get(2) ?? 0);
  session = new RawSession(connection, await shakeHands(connection, sandbox.protocol));
  await session.result(session.call(session.withLayer(getConfig)));
  return () => connection.close();
});

interface FutureSalt {
  valid_since: number;
  valid_until: number;
  salt: bigint;
}
async function futureSalts(num: number): Promise<FutureSalt[]> {
  session.service({ _: 'get_future_salts', num });
  return (await session.next(({ object }) => object._ === 'future_salts')).object.salts as FutureSalt[];
}
const pass = (ms: number) => control(sandbox, 'POST', '/clock', { advanceMs: ms });
/** Calls with this salt: the name of the first thing that the server says. */
async function callWith(salt: bigint): Promise<string> {
  session.salt = salt;
  session.call(getConfig);
  const { object } = await session.next(({ object: each }) => each._ !== 'msgs_ack');
  return object._;
}

it('the future salts are as many as a client asks for, up to 64: half an hour each, and half an hour more', async () => {
  const salts = await futureSalts(8);
  expect(salts).toHaveLength(8);
  expect(new Set(salts.map(({ salt }) => salt)).size).toBe(8);
  expect(salts[0]?.salt).toBe(session.salt);
  for (const [index, { valid_since, valid_until }] of salts.entries()) {
    expect(valid_until - valid_since).toBe(3_600);
    expect(valid_since - (salts[0]?.valid_since ?? 0)).toBe(1_800 * index);
  }
  expect(await futureSalts(1_000)).toHaveLength(64);
  expect(await futureSalts(0)).toHaveLength(1);
});

it('a salt is accepted for half an hour after its successor took over, and not longer', async () => {
  const [first, second, third] = (await futureSalts(3)).map(({ salt }) => salt) as [bigint, bigint, bigint];
  expect(await callWith(second)).toBe('bad_server_salt');
  await pass(30 * minutes);
  expect(await callWith(first)).toBe('rpc_result');
  expect(session.salt).toBe(second);
  expect(await callWith(second)).toBe('rpc_result');
  await pass(30 * minutes);
  expect(await callWith(first)).toBe('bad_server_salt');
  expect(session.salt).toBe(third);
  expect(await callWith(third)).toBe('rpc_result');
  const later = await futureSalts(1);
  expect(later).toMatchObject([{ salt: third }]);
  // Clients compare with the time of messages, which the sandbox's clock does not move.
  expect(Math.abs((later[0]?.valid_since ?? 0) - Date.now() / 1000)).toBeLessThan(60);
});

it('bytes after a call are refused, and the call is not carried out', async () => {
  const body = schemaOfLayer(198).write(getConfig);
  const before = sandbox.world.calls.list({}).length;
  const id = session.sendBody(Buffer.concat([body, Buffer.alloc(4)]));
  // https://core.telegram.org/api/errors#400-bad-request, and the list of errors in the clients.
  expect(await session.result(id)).toMatchObject({ error_code: 400, error_message: 'INPUT_REQUEST_TOO_LONG' });
  expect(sandbox.world.calls.list({})).toHaveLength(before);
});
