import { afterEach, describe, expect, it } from 'vitest';
import { RpcError, type TlObject } from '../../../../sandbox/rpc.ts';
import { compareWithSandbox } from '../../../../src/compose/compare.ts';
import { systemClock, systemRandomness } from '../../../../src/config/clock.ts';
import { fetchSandboxNetwork } from '../../../../src/telegram/connection/network.ts';
import { control } from '../../../support/sandbox/control-client.ts';
import { type Change, startDifferingSandbox } from '../../../support/sandbox/differing-sandbox.ts';
import { startLocalSandbox } from '../../../support/sandbox/sandbox.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

const yearSeconds = 31_536_000;
const refuse = (text: string): never => {
  throw new RpcError(400, text);
};
const changed = async (answer: () => Promise<unknown>, change: (answer: TlObject) => object): Promise<TlObject> => {
  const given = (await answer()) as TlObject;
  return { ...given, ...change(given) };
};

/** Ten ways to differ, each in what one step sees. */
const changes: Record<string, Change> = {
  'users.getFullUser': (_call, answer) =>
    changed(answer, ({ full_user }) => ({ full_user: { ...full_user, about: undefined } })),
  'help.getConfig': (_call, answer) => changed(answer, () => ({ gif_search_username: 'gif' })),
  'account.checkUsername': async () => refuse('USERNAME_OCCUPIED'),
  'account.getAuthorizations': (_call, answer) =>
    changed(answer, ({ authorizations }) => ({
      authorizations: authorizations.map((each: TlObject) => ({
        ...each,
        date_active: each.date_active - yearSeconds,
      })),
    })),
  'messages.editMessage': async (_call, answer) => {
    try {
      return await answer();
    } catch {
      return { _: 'updates', updates: [], users: [], chats: [], date: 1_800_000_000, seq: 0 };
    }
  },
  'messages.getMessages': (_call, answer) =>
    changed(answer, ({ messages }) => ({ messages: (messages as TlObject[]).toReversed() })),
  'upload.getFile': (_call, answer) => changed(answer, () => ({ type: { _: 'storage.fileUnknown' } })),
  'messages.setTyping': async () => refuse('PEER_ID_INVALID'),
  'channels.getParticipants': (_call, answer) => changed(answer, () => ({ users: [] })),
  'messages.deleteMessages': async () => refuse('MESSAGE_DELETE_FORBIDDEN'),
};

async function compare(change: Change): Promise<{ report: string; differences: string[]; url: string }> {
  const telegram = await startDifferingSandbox(change);
  const sandbox = await startLocalSandbox();
  opened.push(telegram, sandbox);
  const network = (url: string) => fetchSandboxNetwork(url, systemClock, AbortSignal.timeout(10_000));
  const result = await compareWithSandbox({
    telegram: {
      network: await network(telegram.url),
      onLink: (link) => void control(telegram, 'POST', '/qr/scan', { link, userId: 1001 }),
      askPassword: async () => '',
    },
    sandbox: { network: await network(sandbox.url), url: sandbox.url },
    clock: systemClock,
    random: systemRandomness,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  return { ...result, url: telegram.url };
}

describe('a comparison with Telegram', () => {
  it('finds each of ten differences, and nothing else', async () => {
    const { differences, report } = await compare((call, answer) => {
      const change = changes[call.method];
      return change ? change(call, answer) : answer();
    });
    expect(differences).toEqual([
      'the configuration: the answer: Config has gifSearchUsername always at Telegram, never in the sandbox',
      'oneself in full: fullUser: UserFull has about never at Telegram, always in the sandbox',
      'the list of devices: authorizations[]: dateActive is past at Telegram, now in the sandbox',
      'a username that cannot exist: 400 USERNAME_OCCUPIED at Telegram, 400 USERNAME_INVALID in the sandbox',
      'an edit that changes nothing: Updates at Telegram, 400 MESSAGE_NOT_MODIFIED in the sandbox',
      'messages by their IDs: messages[]: the IDs are falling at Telegram, rising in the sandbox',
      'the bytes of the document: type: storage.FileUnknown at Telegram, storage.FilePartial in the sandbox',
      'a typing action: 400 PEER_ID_INVALID at Telegram, true in the sandbox',
      'the members of the group: users[]: nothing at Telegram, User in the sandbox',
      'the messages are deleted: 400 MESSAGE_DELETE_FORBIDDEN at Telegram, messages.AffectedMessages in the sandbox',
    ]);
    for (const text of differences) expect(report).toContain(`- ${text}`);
  });

  it('finds nothing where nothing differs, leaves nothing behind, and writes nothing personal', async () => {
    const before = await startLocalSandbox();
    opened.push(before);
    const chatsOf = async (target: { url: string }) => (await control(target, 'GET', '/accounts/1001/chats')).body;
    const seeded = await chatsOf(before);
    const { differences, report, url } = await compare((_call, answer) => answer());
    expect(differences).toEqual([]);
    expect(report).toContain('## Differences\nNone.');
    expect(await chatsOf({ url })).toEqual(seeded);
    expect((await control({ url }, 'GET', '/accounts/1001/devices')).body).toEqual([]);
    for (const personal of ['Ann', 'annlee', '1555', '1001', 'Loopback', 'compares Telegram', 'tg://']) {
      expect(report).not.toContain(personal);
    }
    expect(report).not.toMatch(/skipped|METHOD_INVALID/);
  });

  it('undoes what it has made when it is broken off', async () => {
    const stop = new AbortController();
    const telegram = await startDifferingSandbox((call, answer) => {
      if (call.method === 'channels.editTitle') stop.abort(new Error('broken off'));
      return answer();
    });
    opened.push(telegram);
    const network = await fetchSandboxNetwork(telegram.url, systemClock, AbortSignal.timeout(10_000));
    const comparing = compareWithSandbox({
      telegram: {
        network,
        onLink: (link) => void control(telegram, 'POST', '/qr/scan', { link, userId: 1001 }),
        askPassword: async () => '',
      },
      sandbox: { network, url: telegram.url },
      clock: systemClock,
      random: systemRandomness,
      signal: stop.signal,
      onProgress: () => undefined,
    });
    await expect(comparing).rejects.toThrow('broken off');
    const { body: calls } = await control(telegram, 'GET', '/calls');
    expect(calls.slice(-3).map(({ method }: { method: string }) => method)).toEqual([
      'channels.deleteChannel',
      'messages.deleteMessages',
      'auth.logOut',
    ]);
  });
});
