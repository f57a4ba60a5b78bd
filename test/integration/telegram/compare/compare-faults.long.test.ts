import { afterEach, describe, expect, it } from 'vitest';
import { RpcError } from '../../../../sandbox/rpc.ts';
import { compareWithSandbox } from '../../../../src/compose/compare.ts';
import { systemClock, systemRandomness } from '../../../../src/config/clock.ts';
import { fetchSandboxNetwork } from '../../../../src/telegram/connection/network.ts';
import { control } from '../../../support/sandbox/control-client.ts';
import { startDifferingSandbox } from '../../../support/sandbox/differing-sandbox.ts';
import { startLocalSandbox } from '../../../support/sandbox/sandbox.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

interface Side {
  userId: number;
  /** Before the answer to a call: what becomes of it. */
  meanwhile: (method: string, url: string) => Promise<unknown>;
  passwords?: string[];
}

async function compare({ userId, meanwhile, passwords = [] }: Side) {
  let url = '';
  const telegram = await startDifferingSandbox(async (call, answer) => {
    await meanwhile(call.method, url);
    return answer();
  });
  ({ url } = telegram);
  const sandbox = await startLocalSandbox();
  opened.push(telegram, sandbox);
  const network = (of: string) => fetchSandboxNetwork(of, systemClock, AbortSignal.timeout(10_000));
  const result = await compareWithSandbox({
    telegram: {
      network: await network(url),
      onLink: (link) => void control(telegram, 'POST', '/qr/scan', { link, userId }),
      askPassword: async () => passwords.shift() ?? '',
    },
    sandbox: { network: await network(sandbox.url), url: sandbox.url },
    clock: systemClock,
    random: systemRandomness,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  const { body: calls } = await control(telegram, 'GET', '/calls');
  const { body: devices } = await control(telegram, 'GET', `/accounts/${userId}/devices`);
  return { ...result, methods: calls.map(({ method }: { method: string }) => method), devices };
}

/** Cuts the connections once at each of these calls. */
function cutAt(...methods: string[]): Side['meanwhile'] {
  const left = new Set(methods);
  return async (method, url) => left.delete(method) && control({ url }, 'POST', '/network', { action: 'cut' });
}

describe('a comparison whose connection to Telegram ends', () => {
  it('takes the steps that follow over another one', async () => {
    const { differences, devices } = await compare({ userId: 1001, meanwhile: cutAt('messages.setTyping') });
    expect(differences).toEqual(['a typing action: the connection has ended at Telegram, true in the sandbox']);
    expect(devices).toEqual([]);
  });

  it('twice only removes what it has made', async () => {
    const meanwhile = cutAt('messages.setTyping', 'channels.editTitle');
    const { report, methods, devices } = await compare({ userId: 1001, meanwhile });
    expect(report).toContain('| skipped |');
    expect(methods).not.toContain('channels.getParticipants');
    expect(methods.slice(-3)).toEqual(['channels.deleteChannel', 'messages.deleteMessages', 'auth.logOut']);
    expect(devices).toEqual([]);
  });
});

it('a comparison logs in with a password, which is asked for again if it is wrong, or its challenge too old', async () => {
  let isTooOld = true;
  const passwords = ['wrong', 'hunter2'];
  const { report, devices } = await compare({
    userId: 1002,
    passwords,
    meanwhile: async (method) => {
      if (method !== 'auth.checkPassword' || passwords.length > 0 || !isTooOld) return;
      isTooOld = false;
      throw new RpcError(400, 'SRP_ID_INVALID');
    },
  });
  expect([passwords, isTooOld, devices]).toEqual([[], false, []]);
  // Every step has found the account logged in.
  expect(report).not.toContain('401 ');
});
