import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { TelegramAccount } from '../../../../src/telegram/port/account.ts';
import {
  InvalidUsernameError,
  NotConnectedError,
  NotJoinedError,
  PeerNotFoundError,
  PhoneNotFoundError,
} from '../../../../src/telegram/port/errors.ts';
import type { Peer } from '../../../../src/telegram/port/peer.ts';
import { anyTime, type Observed, openScene, type Scene, until, watch } from '../../../support/telegram/scene.ts';

let scene: Scene;
let link: Observed;
let ann: TelegramAccount;
beforeAll(async () => {
  scene = await openScene();
  link = await scene.loggedIn('ann', '1001');
  ann = link.account();
});
afterEach(() => scene.control('DELETE', '/faults'));
afterAll(() => scene.close());

const text = (words: string, randomId: bigint): Parameters<TelegramAccount['sendText']>[1] => ({
  text: words,
  entities: [],
  randomId,
  begunAt: scene.clock.now(),
});
const fault = (error: string, code: number, times = 1, method = 'messages.sendMessage'): Promise<unknown> =>
  scene.control('POST', '/faults', { method, error, code, times });
const calls = async (method: string): Promise<number> =>
  (await scene.control<unknown[]>('GET', `/calls?method=${method}`)).length;

describe('finding somebody', () => {
  it.each([
    ['bob', { kind: 'user', id: '1002' }],
    ['Makers', { kind: 'group', id: '-1003001' }],
    ['daily', { kind: 'channel', id: '-1004001' }],
    ['strangers', { kind: 'channel', id: '-1004003' }],
  ])('[MS1.2] by the username %s', async (username, peer) => {
    expect(await ann.byUsername(username, anyTime)).toEqual(peer);
  });

  it('[MS1.2] says whether a username is none, or nobody has it', async () => {
    await expect(ann.byUsername('1 two', anyTime)).rejects.toThrow(InvalidUsernameError);
    await expect(ann.byUsername('nobody_at_all', anyTime)).rejects.toThrow(PeerNotFoundError);
  });

  it('[MS1.5] asks for a username once an hour', async () => {
    await ann.byUsername('helperbot', anyTime);
    const before = await calls('contacts.resolveUsername');
    await ann.byUsername('HelperBot', anyTime);
    expect(await calls('contacts.resolveUsername')).toBe(before);
    await scene.live(60 * 60_000);
    await ann.byUsername('helperbot', anyTime);
    expect(await calls('contacts.resolveUsername')).toBe(before + 1);
  });

  it('[MS1.5] asks for a phone number once an hour', async () => {
    await ann.byPhone('15550000002', anyTime);
    const before = await calls('contacts.resolvePhone');
    expect(await ann.byPhone('15550000002', anyTime)).toEqual({ kind: 'user', id: '1002' });
    expect(await calls('contacts.resolvePhone')).toBe(before);
    await scene.live(60 * 60_000);
    await ann.byPhone('15550000002', anyTime);
    expect(await calls('contacts.resolvePhone')).toBe(before + 1);
  });

  it('[MS1.5] asks for a phone number that is not on Telegram every ten minutes', async () => {
    const byPhone = (): Promise<unknown> => ann.byPhone('99999999999', anyTime);
    const before = await calls('contacts.resolvePhone');
    await expect(byPhone()).rejects.toThrow(PhoneNotFoundError);
    await expect(byPhone()).rejects.toThrow(PhoneNotFoundError);
    expect(await calls('contacts.resolvePhone')).toBe(before + 1);
    await scene.live(10 * 60_000);
    await expect(byPhone()).rejects.toThrow(PhoneNotFoundError);
    expect(await calls('contacts.resolvePhone')).toBe(before + 2);
  });

  it.each([-3_600_000, 86_400_000])(
    '[OP8.1] keeps what was found for as long as ever if the wall clock is set by %i ms',
    async (byMs) => {
      const names = (): Promise<number> => calls('contacts.resolveUsername');
      const lists = (): Promise<number> => calls('messages.getDialogs');
      const look = async (): Promise<void> => {
        await ann.byUsername('bob', anyTime);
        await expect(ann.chatById('-77', anyTime)).rejects.toThrow(PeerNotFoundError);
      };
      // What earlier tests have found is too old by then.
      await scene.live(60 * 60_000);
      await look();
      const before = [await names(), await lists()];
      scene.clock.setWallClockBy(byMs);
      await look();
      expect([await names(), await lists()]).toEqual(before);
      await scene.live(60 * 60_000);
      await look();
      expect(await names()).toBe(before[0]! + 1);
      expect(await lists()).toBeGreaterThan(before[1]!);
    },
  );

  it('[MS1.3] by phone, where that is not hidden', async () => {
    expect(await ann.byPhone('15550000002', anyTime)).toEqual({ kind: 'user', id: '1002' });
    await expect(ann.byPhone('15550000003', anyTime)).rejects.toThrow(PhoneNotFoundError);
    await expect(ann.byPhone('99999999999', anyTime)).rejects.toThrow(PhoneNotFoundError);
  });

  it.each([
    ['-2001', 'group'],
    ['-1003001', 'group'],
    ['-1003002', 'group'],
    ['-1004001', 'channel'],
    ['-1004002', 'channel'],
  ])('[MS1.4] the joined chat %s', async (id, kind) => {
    expect(await ann.chatById(id, anyTime)).toEqual({ kind, id });
  });

  it('[MS1.4] no chat that the account has not joined, though it knows its name', async () => {
    await ann.byUsername('strangers', anyTime);
    await expect(ann.chatById('-1004003', anyTime)).rejects.toThrow(NotJoinedError);
    await expect(ann.chatById('-77', anyTime)).rejects.toThrow(PeerNotFoundError);
  });

  it('looks for a chat on behalf of everybody who waits, whoever gives up', async () => {
    const other = await scene.loggedIn('impatient', '1003');
    await scene.control('POST', '/faults', { method: 'messages.getDialogs', delayMs: 200 });
    const before = await calls('messages.getDialogs');
    const gone = new AbortController();
    const first = watch(other.account().chatById('-2001', gone.signal));
    const second = other.account().chatById('-2001', anyTime);
    await until(async () => (await calls('messages.getDialogs')) > before);
    gone.abort(new Error('the caller hung up'));
    expect(await second).toEqual({ kind: 'group', id: '-2001' });
    expect(first.error).toBe(gone.signal.reason);
    await other.close();
  });

  it('[MS1.4] a chat that was joined elsewhere, of which no update came; but no list is asked for twice in a moment', async () => {
    const cara = await scene.loggedIn('elsewhere', '1003');
    const find = (): Promise<Peer> => cara.account().chatById('-1003003', anyTime);
    const join = (role: string): Promise<unknown> => scene.control('PUT', '/chats/-1003003/members/1003', { role });
    await scene.control('POST', '/chaos', { loseUpdates: 1_000, userId: '1003' });
    await join('left');
    await expect(find()).rejects.toThrow(PeerNotFoundError);
    await join('member');
    const before = await calls('messages.getDialogs');
    await expect(Promise.all([find(), find()])).rejects.toThrow(PeerNotFoundError);
    expect(await calls('messages.getDialogs')).toBe(before);
    await scene.clock.advance(2_000);
    expect(await Promise.all([find(), find()])).toEqual(
      Array.from({ length: 2 }, () => ({ kind: 'group', id: '-1003003' })),
    );
    // The list, and the archive.
    expect(await calls('messages.getDialogs')).toBe(before + 2);
    await scene.control('POST', '/chaos', { loseUpdates: 0, userId: '1003' });
    await cara.close();
  });

  it('[MS1.4] a user it has met, and nobody else', async () => {
    expect(await ann.userById('1003', anyTime)).toEqual({ kind: 'user', id: '1003' });
    await expect(ann.userById('4711', anyTime)).rejects.toThrow(PeerNotFoundError);
  });
});

it('[MS2.2] may upload 4,000 parts, and 8,000 with premium, as Telegram last said', async () => {
  expect(ann.maxUploadBytes).toBe(4_194_304_000);
  const cara = await scene.loggedIn('free', '1003');
  expect(cara.account().maxUploadBytes).toBe(2_097_152_000);
  await scene.control('PATCH', '/accounts/1003', { premium: true });
  await scene.control('POST', '/network', { action: 'refuse', userId: '1003' });
  await scene.control('POST', '/network', { action: 'cut', userId: '1003' });
  await scene.clock.advance(20_000);
  await scene.control('POST', '/network', { action: 'accept', userId: '1003' });
  await until(async () => {
    await scene.live(1_000);
    return cara.facts.at(-1)?.type === 'ConnectionRestored';
  });
  await until(() => cara.account().maxUploadBytes === 4_194_304_000);
  await scene.control('PATCH', '/accounts/1003', { premium: false });
  await cara.close();
});

describe('sending a text', () => {
  it.each(['1002', '-2001', '-1003001', '-1004001'])('arrives in %s under the ID that is returned', async (id) => {
    const peer = id.startsWith('-') ? await ann.chatById(id, anyTime) : await ann.userById(id, anyTime);
    const sent = await ann.sendText(peer, text(`to ${id}`, BigInt(id) + 500_000n), anyTime);
    const [newest] = await scene.control<{ id: number; text: string }[]>(
      'GET',
      `/accounts/1001/messages?peer=${id}&limit=1`,
    );
    expect(newest).toMatchObject({ id: sent, text: `to ${id}` });
  });

  it('carries formatting, the reply and silence', async () => {
    const bob = await ann.userById('1002', anyTime);
    const first = await ann.sendText(bob, text('first', 21n), anyTime);
    await ann.sendText(
      bob,
      {
        text: 'bold link code Cara',
        entities: [
          { type: 'bold', offset: 0, length: 4 },
          { type: 'link', offset: 5, length: 4, url: 'https://example.com/' },
          { type: 'pre', offset: 10, length: 4, language: 'ts' },
          { type: 'mention', offset: 15, length: 4, userId: '1003' },
        ],
        randomId: 22n,
        begunAt: scene.clock.now(),
        replyTo: first,
        silent: true,
      },
      anyTime,
    );
    const [newest] = await scene.control<object[]>('GET', '/accounts/1001/messages?peer=1002&limit=1');
    expect(newest).toMatchObject({ text: 'bold link code Cara', replyTo: first, silent: true });
    expect(JSON.stringify(newest)).toMatch(/messageEntityBold.*messageEntityTextUrl.*messageEntityPre.*MentionName/);
  });

  it('sends the same number once', async () => {
    const bob = await ann.userById('1002', anyTime);
    const first = await ann.sendText(bob, text('just once', 31n), anyTime);
    expect(await ann.sendText(bob, text('just once', 31n), anyTime)).toBe(first);
  });

  it('[ER3.1] passes on what Telegram refuses, with the name of the request', async () => {
    const group = await ann.chatById('-1003003', anyTime);
    await expect(ann.sendText(group, text('no', 41n), anyTime)).rejects.toThrow(
      '403: CHAT_WRITE_FORBIDDEN (caused by messages.SendMessage)',
    );
    await fault('PEER_FLOOD', 400);
    await expect(ann.sendText(await ann.userById('1002', anyTime), text('no', 42n), anyTime)).rejects.toMatchObject({
      name: 'TelegramError',
      code: 400,
      errorName: 'PEER_FLOOD',
      request: 'messages.SendMessage',
    });
  });

  it('[ER3.2] waits as long as it is asked to under a minute, and not a second longer than that', async () => {
    const bob = await ann.userById('1002', anyTime);
    await fault('FLOOD_WAIT_59', 420);
    let id: number | undefined;
    const before = await calls('messages.sendMessage');
    const sending = ann.sendText(bob, text('patience', 51n), anyTime);
    void sending.then((sent) => {
      id = sent;
    });
    await until(async () => (await calls('messages.sendMessage')) === before + 1);
    await scene.live(58_000);
    expect(id).toBeUndefined();
    await until(async () => {
      await scene.clock.advance(500);
      return id !== undefined;
    });
    await fault('FLOOD_WAIT_60', 420);
    await expect(ann.sendText(bob, text('impatience', 52n), anyTime)).rejects.toThrow(
      'A wait of 60 seconds is required (caused by messages.SendMessage)',
    );
    await fault('SLOWMODE_WAIT_300', 420);
    await expect(ann.sendText(bob, text('slow', 53n), anyTime)).rejects.toThrow(
      '420: SLOWMODE_WAIT_300 (caused by messages.SendMessage)',
    );
  });

  it('[ER3.1] tries again where the fault is Telegram’s own and passes', async () => {
    const bob = await ann.userById('1002', anyTime);
    await fault('INTERNAL', 500, 2);
    let id: number | undefined;
    void ann.sendText(bob, text('at last', 61n), anyTime).then((sent) => {
      id = sent;
    });
    await until(async () => {
      await scene.clock.advance(500);
      return id !== undefined;
    });
    expect(id).toBeGreaterThan(0);
  });

  it('stops when it is told to, even in the middle of a wait', async () => {
    const bob = await ann.userById('1002', anyTime);
    await fault('FLOOD_WAIT_50', 420);
    const stop = new AbortController();
    const before = await calls('messages.sendMessage');
    const sending = ann.sendText(bob, text('never', 71n), stop.signal).catch((error: unknown) => error);
    await until(async () => (await calls('messages.sendMessage')) === before + 1);
    stop.abort(new Error('enough'));
    expect(await sending).toBe(stop.signal.reason);
  });

  it('does not wait for ever for an answer that does not come', async () => {
    await scene.control('POST', '/faults', { method: 'contacts.resolvePhone', dropAnswer: true, times: 9 });
    await scene.control('POST', '/accounts', { firstName: 'Late', phone: '15550000099' });
    const asking = ann.byPhone('15550000099', anyTime).catch((error: unknown) => error);
    let answer: unknown;
    void asking.then((error) => {
      answer = error;
    });
    await until(async () => {
      await scene.live(5_000);
      return answer !== undefined;
    });
    expect(answer).toBeInstanceOf(NotConnectedError);
    expect(link.facts.map(({ type }) => type)).toEqual(['QrIssued', 'LoggedIn']);
  });
});
