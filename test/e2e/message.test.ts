import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Answer } from '../support/gateway.ts';
import { ann, bob, type Caller, openScene, type Scene } from './scene.ts';

/** `POST /message` with texts, from HTTP to what the sandbox's accounts see. */

const second = 1000;
const cara = '1003';

interface Seen {
  id: number;
  text: string;
  out: boolean;
  entities: ({ _: string; offset: number; length: number } & Record<string, unknown>)[];
  replyTo: number | null;
  silent: boolean;
}

let scene: Scene;
let caller: Caller;
beforeAll(async () => {
  scene = await openScene();
  caller = await scene.connected();
});
afterAll(() => scene.close());
afterEach(async () => {
  await scene.sandbox.call('DELETE', '/faults');
  await scene.sandbox.call('POST', '/network', { action: 'accept' });
  await scene.whilePassing(scene.read(caller, (session) => session.isConnected));
});

let count = 0;
/** No other test has sent it. */
const newText = (): string => `Message ${(count += 1)}`;
const send = (body: object): Promise<Answer> => scene.request(caller, 'POST', '/message', { type: 'text', ...body });
/** What an account sees in a chat, the newest first. */
const seen = (peer: string, by = ann, limit = 50): Promise<Seen[]> =>
  scene.sandbox.call('GET', `/accounts/${by}/messages?peer=${encodeURIComponent(peer)}&limit=${limit}`);
const timesSeen = async (text: string, peer: string, by = ann): Promise<number> =>
  (await seen(peer, by, 1000)).filter((message) => message.text === text).length;
const fault = (of: object): Promise<unknown> =>
  scene.sandbox.call('POST', '/faults', { method: 'messages.sendMessage', ...of });
const calls = async (method: string): Promise<number> =>
  (await scene.sandbox.call<unknown[]>('GET', `/calls?method=${method}`)).length;
/** Resolves once the sandbox has had that many more calls than before. */
async function arrivals(method: string, before: number, more = 1): Promise<void> {
  while ((await calls(method)) < before + more) await scene.clock.settle();
}
const refused = (statusCode: number, message: string): object => ({
  status: statusCode,
  body: { statusCode, message },
});

describe('receivers', () => {
  it.each<[object, string]>([
    [{ user: bob }, bob],
    [{ user: cara }, cara],
    [{ user: ann }, ann],
    [{ user: ` ${bob} ` }, bob],
    ...[
      'bob',
      '@bob',
      'BOB',
      't.me/bob',
      't.me/bob/',
      'http://t.me/bob',
      'https://t.me/bob',
      'https://t.me/bob?text=hi',
      'telegram.me/bob',
      'https://telegram.me/bob',
      'tg://resolve?domain=bob',
    ].map((username): [object, string] => [{ username }, bob]),
    [{ username: 'makers' }, '-1003001'],
    ...['15550000002', '+15550000002', '+1 (555) 000-0002', ' 1 555 000 00 02 ', '1.555.000.0002'].map(
      (phone): [object, string] => [{ phone }, bob],
    ),
    ...['-2001', '-1003001', 'makers', '@makers', 'Makers', 'https://t.me/makers', 'tg://resolve?domain=makers'].map(
      (group): [object, string] => [{ group }, group === '-2001' ? '-2001' : '-1003001'],
    ),
    ...['-1004001', 'daily', '@daily', 't.me/daily', 'https://telegram.me/daily'].map((channel): [object, string] => [
      { channel },
      '-1004001',
    ]),
  ])('[MS1] %j is %s', async (receiver, peer) => {
    const text = newText();
    const { status, body } = await send({ ...receiver, text });
    expect([status, body]).toEqual([200, { messageId: expect.stringMatching(/^[1-9]\d*$/) }]);
    expect(await seen(peer, ann, 1)).toMatchObject([{ id: Number(body['messageId']), text, entities: [] }]);
  });

  it.each([
    [bob, ann],
    ['-2001', '-2001'],
    ['-1003001', '-1003001'],
  ])('[MS1] what is sent to %s is seen there by others', async (peer, seenBy) => {
    const text = newText();
    expect(await send({ [peer === bob ? 'user' : 'group']: peer, text })).toMatchObject({ status: 200 });
    expect(await seen(seenBy, bob, 1)).toMatchObject([{ text, out: false }]);
  });

  it('the interface’s priority where several are filled: group, channel, user, username, phone', async () => {
    const all = { group: '-2001', channel: '-1004001', user: cara, username: 'helperbot', phone: '15550000002' };
    const peers = ['-2001', '-1004001', cara, '1004', bob];
    const names = Object.keys(all);
    for (const [index, peer] of peers.entries()) {
      const text = newText();
      const rest = Object.fromEntries(Object.entries(all).filter(([name]) => names.indexOf(name) >= index));
      const empty = Object.fromEntries(names.slice(0, index).map((name) => [name, index % 2 === 0 ? '' : null]));
      expect(await send({ ...empty, ...rest, text })).toMatchObject({ status: 200 });
      expect(await seen(peer, ann, 1)).toMatchObject([{ text }]);
    }
  });

  it('[SE7] a user by ID after a restart, without asking for the dialogs again', async () => {
    expect(await send({ user: cara, text: newText() })).toMatchObject({ status: 200 });
    await scene.restart();
    await scene.read(caller, (session) => session.isConnected);
    const asked = await Promise.all(['messages.getDialogs', 'contacts.resolveUsername', 'users.getUsers'].map(calls));
    for (const receiver of [{ user: cara }, { user: bob }, { group: '-2001' }, { channel: '-1004001' }]) {
      expect(await send({ ...receiver, text: newText() })).toMatchObject({ status: 200 });
    }
    const [dialogs, names] = await Promise.all(['messages.getDialogs', 'contacts.resolveUsername'].map(calls));
    expect([dialogs, names]).toEqual(asked.slice(0, 2));
  });

  const phoneHidden = 'phone is not on telegram or hidden by its privacy settings';
  it.each<[object, string]>([
    [{}, 'invalid phone, username, user, group or channel'],
    [
      { group: '', channel: null, user: ' ', username: '', phone: '' },
      'invalid phone, username, user, group or channel',
    ],
    [{ phone: '1234567' }, 'invalid receiver'],
    [{ phone: '+1 (234) 567' }, 'invalid receiver'],
    [{ phone: 'no number at all' }, 'invalid receiver'],
    [{ username: 'two words' }, 'invalid chat'],
    [{ username: '1bob' }, 'invalid chat'],
    [{ username: 'bob!' }, 'invalid chat'],
    [{ username: '@' }, 'invalid chat'],
    [{ username: 'https://example.com/bob' }, 'invalid chat'],
    [{ group: 'two words' }, 'invalid chat'],
    [{ channel: '_daily' }, 'invalid chat'],
    [{ username: 'nobody_at_all' }, 'chat not found'],
    [{ group: 'nobody_at_all' }, 'chat not found'],
    [{ channel: 'nobody_at_all' }, 'chat not found'],
    [{ user: '4711' }, 'chat not found'],
    [{ user: 'bob' }, 'chat not found'],
    [{ group: '-4711' }, 'chat not found'],
    [{ group: '-1009999999' }, 'chat not found'],
    [{ channel: '-1009999999' }, 'chat not found'],
    [{ phone: '15550000003' }, phoneHidden],
    [{ phone: '4915112345678' }, phoneHidden],
    [{ channel: '-2001' }, 'channel not found'],
    [{ channel: '-1003001' }, 'channel not found'],
    [{ channel: 'makers' }, 'channel not found'],
    [{ channel: 'bob' }, 'channel not found'],
    [{ channel: 'strangers' }, 'channel not found'],
    [{ channel: '-1004003' }, 'channel not found'],
    [{ group: '-1004001' }, 'group not found'],
    [{ group: 'daily' }, 'group not found'],
    [{ group: 'bob' }, 'group not found'],
    [{ group: 'strangers' }, 'group not found'],
  ])('%j is refused: %s', async (receiver, message) => {
    const before = await calls('messages.sendMessage');
    const { status, body } = await send({ text: 'Hello', ...receiver });
    expect([status, body]).toEqual([400, { statusCode: 400, message }]);
    expect(await calls('messages.sendMessage')).toBe(before);
  });

  it('[GR1] a group that is public, and not joined, is not found as a group, by name or by ID', async () => {
    const { world } = scene.telegram;
    const makers = world.chats.get('channel:3001');
    if (makers === undefined) throw new Error('no such group');
    world.chats.put({ ...makers, id: 3999, username: 'outsiders', members: { [bob]: { date: 1, role: 'creator' } } });
    expect(await send({ group: 'outsiders', text: 'Hello' })).toMatchObject(refused(400, 'group not found'));
    expect(await send({ group: '-1003999', text: 'Hello' })).toMatchObject(refused(400, 'group not found'));
  });
});

describe('the text', () => {
  it.each<[string, string, object]>([
    ['', '**not** <b>marked & __up__', { text: '**not** <b>marked & __up__', entities: [] }],
    [
      'markdown',
      '**bold** __italic__ ~~gone~~ `code` [here](https://example.com/)',
      {
        text: 'bold italic gone code here',
        entities: [
          { _: 'messageEntityBold', offset: 0, length: 4 },
          { _: 'messageEntityItalic', offset: 5, length: 6 },
          { _: 'messageEntityStrike', offset: 12, length: 4 },
          { _: 'messageEntityCode', offset: 17, length: 4 },
          { _: 'messageEntityTextUrl', offset: 22, length: 4, url: 'https://example.com/' },
        ],
      },
    ],
    [
      'html',
      '<b>bold <i>both</i></b> <u>under</u> &lt;tag&gt; <a href="https://example.com/?a=1&amp;b=2">here</a>',
      {
        text: 'bold both under <tag> here',
        entities: [
          { _: 'messageEntityBold', offset: 0, length: 9 },
          { _: 'messageEntityItalic', offset: 5, length: 4 },
          { _: 'messageEntityUnderline', offset: 10, length: 5 },
          { _: 'messageEntityTextUrl', offset: 22, length: 4, url: 'https://example.com/?a=1&b=2' },
        ],
      },
    ],
    [
      'html',
      '👩‍👩‍👧 <pre><code class="language-ts">let a;</code></pre> <a href="tg://user?id=1002">Bob</a>',
      {
        text: '👩‍👩‍👧 let a; Bob',
        entities: [
          { _: 'messageEntityPre', offset: 9, length: 6, language: 'ts' },
          { _: 'messageEntityMentionName', offset: 16, length: 3, user_id: '1002' },
        ],
      },
    ],
  ])('[MS8] parseMode "%s": %s', async (parseMode, text, expected) => {
    expect(await send({ user: bob, text, parseMode })).toMatchObject({ status: 200 });
    expect(await seen(ann, bob, 1)).toMatchObject([expected]);
  });

  it('of 4096 characters arrives whole, of one more is refused by Telegram', async () => {
    const longest = 'x'.repeat(4096);
    expect(await send({ user: bob, text: longest })).toMatchObject({ status: 200 });
    expect((await seen(ann, bob, 1))[0]?.text).toBe(longest);
    expect(await send({ user: bob, text: `${longest}x` })).toMatchObject(
      refused(500, '400: MESSAGE_TOO_LONG (caused by messages.SendMessage)'),
    );
  });

  it('[MS8] answers a message, and is silent, as the account and the other side see it', async () => {
    const first = await send({ user: bob, text: newText() });
    const text = newText();
    const replyTo = String(first.body['messageId']);
    expect(await send({ user: bob, text, replyTo, silent: true })).toMatchObject({ status: 200 });
    expect(await seen(bob, ann, 1)).toMatchObject([{ text, replyTo: Number(replyTo), silent: true }]);
    const [reply, question] = await seen(ann, bob, 2);
    expect(reply).toMatchObject({ text, replyTo: question?.id, silent: true });
    expect(await send({ user: bob, text: newText(), silent: false, replyTo: '' })).toMatchObject({ status: 200 });
    expect(await seen(ann, bob, 1)).toMatchObject([{ silent: false, replyTo: null }]);
  });
});

describe('validation', () => {
  const types = 'text';
  it.each<[unknown, string]>([
    [{ user: bob, text: 'Hello' }, 'type should not be empty'],
    [{ user: bob, text: 'Hello', type: 'sms' }, `type must be one of the following values: ${types}`],
    [{ user: bob, text: 'Hello', type: 7 }, `type must be one of the following values: ${types}`],
    [{ user: bob, type: 'text' }, 'text should not be empty'],
    [{ user: bob, type: 'text', text: '' }, 'text should not be empty'],
    [{ user: bob, type: 'text', text: null }, 'text should not be empty'],
    [{ user: bob, type: 'text', text: 5 }, 'text must be a string'],
    [
      { user: bob, type: 'text', text: 'Hello', parseMode: 'MARKDOWN' },
      'parseMode must be one of the following values: markdown, html',
    ],
    [{ user: 1002, type: 'text', text: 'Hello' }, 'user must be a string'],
    [{ user: bob, type: 'text', text: 'Hello', replyTo: 'first' }, 'replyTo must be a message ID'],
    [{ user: bob, type: 'text', text: 'Hello', replyTo: '-1' }, 'replyTo must be a message ID'],
    [{ user: bob, type: 'text', text: 'Hello', replyTo: 12 }, 'replyTo must be a string'],
    [{ user: bob, type: 'text', text: 'Hello', silent: 'yes' }, 'silent must be a boolean'],
    [{}, 'type should not be empty'],
    [[], 'body must be an object'],
    [
      { group: 1, channel: {}, user: [], username: true, phone: 15550000002, type: 'text', parseMode: 'x', silent: 1 },
      [
        'group must be a string',
        'channel must be a string',
        'user must be a string',
        'username must be a string',
        'phone must be a string',
        'text should not be empty',
        'parseMode must be one of the following values: markdown, html',
        'silent must be a boolean',
      ].join('\n'),
    ],
  ])('[ER2] %j', async (body, message) => {
    const answer = await scene.request(caller, 'POST', '/message', body);
    expect([answer.status, answer.body]).toEqual([400, { statusCode: 400, message }]);
  });

  it('[ER2] unknown fields are ignored', async () => {
    expect(await send({ user: bob, text: newText(), color: 'red', image: {} })).toMatchObject({ status: 200 });
  });
});

describe('the order of the checks', () => {
  const post = (headers: Record<string, string>, body: object): Promise<Answer> =>
    scene.gateway.http.request('POST', '/message', { headers, body });

  it('[AU2] header, session, validation, connection, receiver', async () => {
    const { id } = caller.headers;
    const wrong = { id, 'session-id': 'x' };
    const notConnected = (await scene.create()).headers;
    expect(await post({}, {})).toMatchObject(refused(400, 'invalid header'));
    expect(await post({ id }, {})).toMatchObject(refused(400, 'invalid header'));
    expect(await post({ 'session-id': 'x' }, {})).toMatchObject(refused(400, 'invalid header'));
    expect(await post({ id: '', 'session-id': '' }, {})).toMatchObject(refused(400, 'invalid header'));
    expect(await post(wrong, {})).toMatchObject(refused(404, 'session not found'));
    expect(await post({ ...caller.headers, id: 'nobody' }, {})).toMatchObject(refused(404, 'session not found'));
    expect(await post(notConnected, {})).toMatchObject(refused(400, 'type should not be empty'));
    expect(await post(notConnected, { type: 'text', text: 'Hello' })).toMatchObject(
      refused(500, 'session not connected'),
    );
    expect(await post(caller.headers, { type: 'text', text: 'Hello' })).toMatchObject(
      refused(400, 'invalid phone, username, user, group or channel'),
    );
  });

  it('[AU2] a session that waits for its password is not connected; a deleted one is not found', async () => {
    const waiting = await scene.awaitingPassword();
    const body = { type: 'text', text: 'Hello', user: bob };
    expect(await post(waiting.headers, body)).toMatchObject(refused(500, 'session not connected'));
    await scene.request(waiting, 'DELETE', '/session');
    expect(await post(waiting.headers, body)).toMatchObject(refused(404, 'session not found'));
  });
});

describe('what Telegram refuses', () => {
  it.each<[object, string]>([
    [{ group: '-1003003' }, '403: CHAT_WRITE_FORBIDDEN (caused by messages.SendMessage)'],
    [{ user: '1005' }, '400: INPUT_USER_DEACTIVATED (caused by messages.SendMessage)'],
    [{ channel: '-1004002' }, '403: CHAT_WRITE_FORBIDDEN (caused by messages.SendMessage)'],
  ])('[ER3] %j: %s', async (receiver, message) => {
    const { status, body } = await send({ ...receiver, text: 'Hello' });
    expect([status, body]).toEqual([500, { statusCode: 500, message }]);
  });

  it.each([
    ['PEER_FLOOD', '400: PEER_FLOOD (caused by messages.SendMessage)'],
    ['USER_IS_BLOCKED', '400: USER_IS_BLOCKED (caused by messages.SendMessage)'],
    ['YOU_BLOCKED_USER', '400: YOU_BLOCKED_USER (caused by messages.SendMessage)'],
    ['CHAT_ADMIN_REQUIRED', '400: CHAT_ADMIN_REQUIRED (caused by messages.SendMessage)'],
    ['PRIVACY_PREMIUM_REQUIRED', '400: PRIVACY_PREMIUM_REQUIRED (caused by messages.SendMessage)'],
    ['SOMETHING_NEW_OF_2031', '400: SOMETHING_NEW_OF_2031 (caused by messages.SendMessage)'],
  ])('[ER3] %s', async (error, message) => {
    await fault({ error });
    const text = newText();
    expect(await send({ user: bob, text })).toMatchObject(refused(500, message));
    expect(await timesSeen(text, bob)).toBe(0);
  });

  it('[ER3] a wait of 120 s is returned at once, with Retry-After', async () => {
    await fault({ error: 'FLOOD_WAIT_120' });
    const answer = await send({ user: bob, text: newText() });
    expect(answer).toMatchObject(refused(500, 'A wait of 120 seconds is required (caused by messages.SendMessage)'));
    expect(answer.headers.get('retry-after')).toBe('120');
    await fault({ method: 'contacts.resolveUsername', error: 'FLOOD_WAIT_3600' });
    const looking = await send({ username: 'never_asked', text: newText() });
    expect(looking).toMatchObject(
      refused(500, 'A wait of 3600 seconds is required (caused by contacts.ResolveUsername)'),
    );
    expect(looking.headers.get('retry-after')).toBe('3600');
  });

  it('[ER3] slow mode’s wait of 300 s is passed on as it is', async () => {
    await fault({ error: 'SLOWMODE_WAIT_300' });
    const answer = await send({ group: '-1003004', text: newText() });
    expect(answer).toMatchObject(refused(500, '420: SLOWMODE_WAIT_300 (caused by messages.SendMessage)'));
    expect(answer.headers.get('retry-after')).toBe('300');
  });

  it('[ER3] a wait of 30 s is waited out', async () => {
    await fault({ error: 'FLOOD_WAIT_30' });
    const before = await calls('messages.sendMessage');
    const text = newText();
    const sending = send({ user: bob, text });
    await arrivals('messages.sendMessage', before);
    await scene.pass(29 * second);
    expect(await timesSeen(text, bob)).toBe(0);
    expect(await scene.whilePassing(sending)).toMatchObject({ status: 200 });
    expect(await timesSeen(text, bob)).toBe(1);
  });

  it('[ER3] a passing fault of Telegram’s own is tried again; one that stays is passed on', async () => {
    await fault({ error: 'INTERNAL', code: 500 });
    const text = newText();
    expect(await scene.whilePassing(send({ user: bob, text }))).toMatchObject({ status: 200 });
    expect(await timesSeen(text, bob)).toBe(1);
    await fault({ error: 'INTERNAL', code: 500, times: 99 });
    expect(await scene.whilePassing(send({ user: bob, text: newText() }))).toMatchObject(
      refused(500, '500: INTERNAL (caused by messages.SendMessage)'),
    );
  });
});

describe('what takes too long', () => {
  it('[MS6] a send that has to wait beyond 240 s is cut off, and nothing arrives later', async () => {
    await fault({ error: 'FLOOD_WAIT_59', times: 99 });
    const before = await calls('messages.sendMessage');
    const text = newText();
    const sending = send({ user: bob, text });
    await arrivals('messages.sendMessage', before);
    await scene.pass(200 * second);
    expect(await scene.whilePassing(sending)).toMatchObject(refused(500, 'send timeout after 240s'));
    await scene.sandbox.call('DELETE', '/faults');
    const sent = await calls('messages.sendMessage');
    await scene.pass(120 * second);
    expect(await calls('messages.sendMessage')).toBe(sent);
    expect(await timesSeen(text, bob)).toBe(0);
  });

  it('[MS6] a send that Telegram never answers is cut off at 240 s, not a second before', async () => {
    await fault({ error: 'NEVER', delayMs: 600_000, times: 99 });
    const before = await calls('messages.sendMessage');
    let isAnswered = false;
    const sending = send({ user: bob, text: newText() }).finally(() => void (isAnswered = true));
    await arrivals('messages.sendMessage', before);
    await scene.pass(239 * second);
    expect(isAnswered).toBe(false);
    expect(await scene.whilePassing(sending)).toMatchObject(refused(500, 'send timeout after 240s'));
    expect((await scene.read(caller)).isConnected).toBe(true);
  });
});

describe('a connection that breaks', () => {
  /** A connection that has held for a while is opened again at once when it breaks. */
  beforeEach(() => scene.pass(11 * second));

  it('an answer that is lost does not lead to a second message, and its ID is found', async () => {
    await fault({ dropAnswer: true });
    const text = newText();
    const answer = await scene.whilePassing(send({ user: bob, text }));
    const [message] = await seen(bob, ann, 1);
    expect(message?.text).toBe(text);
    expect(answer).toMatchObject({ status: 200, body: { messageId: String(message?.id) } });
    expect(await timesSeen(text, bob)).toBe(1);
    expect(await timesSeen(text, ann, bob)).toBe(1);
  });

  it.each([bob, '-2001', '-1003001', '-1004001'])('a lost answer and a lost connection together: %s', async (peer) => {
    await fault({ dropAnswer: true });
    const before = await calls('messages.sendMessage');
    const text = newText();
    const field = peer === bob ? 'user' : peer === '-1004001' ? 'channel' : 'group';
    const sending = send({ [field]: peer, text });
    await arrivals('messages.sendMessage', before);
    await scene.sandbox.call('POST', '/network', { action: 'cut' });
    const answer = await scene.whilePassing(sending, 500);
    expect(answer).toMatchObject({ status: 200 });
    const [message] = await seen(peer, ann, 1);
    expect(message).toMatchObject({ text, id: Number(answer.body['messageId']) });
    expect(await timesSeen(text, peer)).toBe(1);
  });

  it.each([0, 1, 2, 3, 4, 6, 8, 12, 20, 40])('cut %i turns into a send: sent once', async (turns) => {
    const text = newText();
    const sending = send({ user: bob, text });
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => void setImmediate(resolve));
    scene.telegram.protocol.cut();
    const answer = await scene.whilePassing(sending, 500);
    expect(answer).toMatchObject({ status: 200 });
    expect(await timesSeen(text, bob)).toBe(1);
    expect(await seen(bob, ann, 1)).toMatchObject([{ id: Number(answer.body['messageId']) }]);
  });

  it('a connection that does not come back in time is an error, and nothing arrives later', async () => {
    await scene.sandbox.call('POST', '/network', { action: 'refuse' });
    await scene.sandbox.call('POST', '/network', { action: 'cut' });
    await scene.pass(second, 100);
    const text = newText();
    expect(await scene.whilePassing(send({ user: bob, text }))).toMatchObject(refused(500, 'session not connected'));
    await scene.sandbox.call('POST', '/network', { action: 'accept' });
    await scene.whilePassing(scene.read(caller, (session) => session.isConnected));
    await scene.pass(30 * second);
    expect(await timesSeen(text, bob)).toBe(0);
  });

  it('a connection that swallows everything is an error or a message, never two', async () => {
    await scene.sandbox.call('POST', '/network', { action: 'blackhole' });
    const text = newText();
    const answer = await scene.whilePassing(send({ user: bob, text }));
    expect(answer).toMatchObject(refused(500, 'session not connected'));
    await scene.sandbox.call('POST', '/network', { action: 'accept' });
    await scene.whilePassing(scene.read(caller, (session) => session.isConnected));
    await scene.pass(30 * second);
    expect(await timesSeen(text, bob)).toBe(0);
  });
});

describe('many at once', () => {
  let before: Set<number>;
  beforeEach(async () => {
    before = new Set((await seen(bob, ann, 1000)).map(({ id }) => id));
  });

  const newTexts = (): string[] => Array.from({ length: 100 }, newText);
  const sendAll = (texts: string[]): Promise<Answer[]> =>
    scene.whilePassing(Promise.all(texts.map((text) => send({ user: bob, text }))), 500);
  const arrived = async (): Promise<Seen[]> => (await seen(bob, ann, 1000)).filter(({ id }) => !before.has(id));
  /** The text that arrived under the ID of each answer. */
  const answered = async (answers: Answer[]): Promise<(string | undefined)[]> => {
    const byId = new Map((await arrived()).map(({ id, text }) => [String(id), text]));
    return answers.map(({ body }) => byId.get(String(body['messageId'])));
  };

  it('100 messages in flight arrive all, each once, each answered with its own ID', async () => {
    const texts = newTexts();
    expect(await answered(await sendAll(texts))).toEqual(texts);
    expect(await arrived()).toHaveLength(100);
  });

  it('also where the connection is cut in the middle, twice', async () => {
    const earlier = await calls('messages.sendMessage');
    const texts = newTexts();
    const sending = sendAll(texts);
    await arrivals('messages.sendMessage', earlier, 20);
    scene.telegram.protocol.cut();
    await arrivals('messages.sendMessage', earlier, 60);
    scene.telegram.protocol.cut();
    expect(await answered(await sending)).toEqual(texts);
    expect(await arrived()).toHaveLength(100);
  });

  it('of the same words, whose answers are lost, are each found under an ID of its own', async () => {
    await fault({ dropAnswer: true, times: 5 });
    const text = newText();
    const sending = Promise.all(Array.from({ length: 5 }, () => send({ user: bob, text })));
    const answers = await scene.whilePassing(sending);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const found = answers.map(({ body }) => Number(body['messageId']));
    expect(found.toSorted((a, b) => b - a)).toEqual((await arrived()).map(({ id }) => id));
    expect(new Set(found).size).toBe(5);
  });
});
