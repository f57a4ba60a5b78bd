import { describe, expect, it } from 'vitest';
import { ann, bob } from '../../support/e2e/scene.ts';
import { refused, useWriting } from '../../support/e2e/writing-scene.ts';
import type { Answer } from '../../support/gateway/gateway.ts';

/** `POST /message` with texts, from HTTP to what the sandbox's accounts see. */

const second = 1000;
const writing = useWriting();
const { arrivals, calls, fault, newText, seen, send, timesSeen } = writing;

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
  ])('[MS8.1] parseMode "%s": %s', async (parseMode, text, expected) => {
    expect(await send({ user: bob, text, parseMode })).toMatchObject({ status: 200 });
    expect(await seen(ann, bob, 1)).toMatchObject([expected]);
  });

  it.each<[string, string, object[]]>([
    [' \n<b>bold</b> plain \n', 'bold plain', [{ _: 'messageEntityBold', offset: 0, length: 4 }]],
    ['plain <b>bold\n\n</b>', 'plain bold', [{ _: 'messageEntityBold', offset: 6, length: 4 }]],
  ])('[MS8.3] %j arrives trimmed, with its formatting where it belongs', async (text, shown, entities) => {
    expect(await send({ user: bob, text, parseMode: 'html' })).toMatchObject({ status: 200 });
    expect(await seen(ann, bob, 1)).toMatchObject([{ text: shown, entities }]);
  });

  it('[MS8.3] leaves with the first 100 of 150 formats', async () => {
    expect(await send({ user: bob, text: '**x** '.repeat(150), parseMode: 'markdown' })).toMatchObject({ status: 200 });
    const sends = await writing.scene.sandbox.call<{ params: { entities: object[] } }[]>(
      'GET',
      '/calls?method=messages.sendMessage',
    );
    expect(sends.at(-1)?.params.entities).toHaveLength(100);
    expect((await seen(ann, bob, 1))[0]?.entities.at(-1)).toMatchObject({ offset: 198, length: 1 });
  });

  it('of 4096 characters arrives whole, of one more is refused by Telegram', async () => {
    const longest = 'x'.repeat(4096);
    expect(await send({ user: bob, text: longest })).toMatchObject({ status: 200 });
    expect((await seen(ann, bob, 1))[0]?.text).toBe(longest);
    expect(await send({ user: bob, text: `${longest}x` })).toMatchObject(
      refused(500, '400: MESSAGE_TOO_LONG (caused by messages.SendMessage)'),
    );
  });

  it('[MS8.1] answers a message, and is silent, as the account and the other side see it', async () => {
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
  const types =
    'text, image, video, audio, document, location, contact, voice, videoNote, animation, sticker, poll, album';
  it.each<[unknown, string]>([
    [{ user: bob, text: 'Hello' }, 'type should not be empty'],
    [{ user: bob, text: 'Hello', type: 'sms' }, `type must be one of the following values: ${types}`],
    [{ user: bob, text: 'Hello', type: 7 }, `type must be one of the following values: ${types}`],
    [{ user: bob, type: 'text' }, 'text should not be empty'],
    [{ user: bob, type: 'text', text: '' }, 'text should not be empty'],
    [{ user: bob, type: 'text', text: ' \n' }, 'text should not be empty'],
    [{ user: bob, type: 'text', text: null }, 'text should not be empty'],
    [{ user: bob, type: 'text', text: 5 }, 'text must be a string'],
    [
      { user: bob, type: 'text', text: 'Hello', parseMode: 'MARKDOWN' },
      'parseMode must be one of the following values: markdown, html',
    ],
    [{ user: 1002, type: 'text', text: 'Hello' }, 'user must be a string'],
    [{ user: bob, type: 'text', text: 'Hello', replyTo: 'first' }, 'replyTo must be a message ID'],
    [{ user: bob, type: 'text', text: 'Hello', replyTo: '-1' }, 'replyTo must be a message ID'],
    [{ user: bob, type: 'text', text: 'Hello', replyTo: '2147483648' }, 'replyTo must be a message ID'],
    [{ user: bob, type: 'text', text: 'Hello', replyTo: 12 }, 'replyTo must be a string'],
    [{ user: bob, type: 'text', text: 'Hello', silent: 'yes' }, 'silent must be a boolean'],
    [{}, 'type should not be empty'],
    [[], 'body must be an object'],
    ...['image', 'video', 'audio', 'document', 'location', 'contact'].flatMap((type): [unknown, string][] => [
      [{ user: bob, type }, `${type} should not be empty`],
      [{ user: bob, type, [type]: 'a text' }, `${type} must be an object`],
    ]),
    [
      { user: bob, type: 'image', image: { url: '', thumbnail: 5 } },
      'image.url should not be empty\nimage.mimetype should not be empty\nimage.thumbnail must be a string',
    ],
    [
      { user: bob, type: 'image', image: { url: 'file:///etc/passwd', mimetype: 'image/png' } },
      'image.url must be an http or https url',
    ],
    [
      { user: bob, type: 'video', video: { duration: -1 }, parseMode: 'x', text: 5 },
      [
        'text must be a string',
        'parseMode must be one of the following values: markdown, html',
        'video.url should not be empty',
        'video.mimetype should not be empty',
        'video.duration must be a positive number',
      ].join('\n'),
    ],
    [
      { user: bob, type: 'audio', audio: { url: 'https://a.example', mimetype: 'audio/mpeg', duration: 'long' } },
      'audio.duration must be a positive number',
    ],
    [
      { user: bob, type: 'document', document: { url: 'https://a.example', mimetype: 'a/b', size: 0 } },
      'document.name should not be empty\ndocument.size must be a positive number',
    ],
    [
      { user: bob, type: 'location', location: { latitude: 0, longitude: 181 } },
      'location.latitude should not be empty\nlocation.longitude must be between -180 and 180',
    ],
    [
      { user: bob, type: 'contact', contact: { name: '', phone: 5 } },
      'contact.name should not be empty\ncontact.phone must be a string',
    ],
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
  ])('[ER2.2] %j', async (body, message) => {
    const answer = await writing.scene.request(writing.caller, 'POST', '/message', body);
    expect([answer.status, answer.body]).toEqual([400, { statusCode: 400, message }]);
  });

  it('[ER2.4] unknown fields are ignored', async () => {
    expect(await send({ user: bob, text: newText(), color: 'red', image: {} })).toMatchObject({ status: 200 });
  });
});

describe('the order of the checks', () => {
  const post = (headers: Record<string, string>, body: object): Promise<Answer> =>
    writing.scene.gateway.http.request('POST', '/message', { headers, body });

  it('[AU2.1] header, session, validation, connection, receiver', async () => {
    const { id } = writing.caller.headers;
    const wrong = { id, 'session-id': 'x' };
    const notConnected = (await writing.scene.create()).headers;
    expect(await post({}, {})).toMatchObject(refused(400, 'invalid header'));
    expect(await post({ id }, {})).toMatchObject(refused(400, 'invalid header'));
    expect(await post({ 'session-id': 'x' }, {})).toMatchObject(refused(400, 'invalid header'));
    expect(await post({ id: '', 'session-id': '' }, {})).toMatchObject(refused(400, 'invalid header'));
    expect(await post(wrong, {})).toMatchObject(refused(404, 'session not found'));
    expect(await post({ ...writing.caller.headers, id: 'nobody' }, {})).toMatchObject(
      refused(404, 'session not found'),
    );
    expect(await post(notConnected, {})).toMatchObject(refused(400, 'type should not be empty'));
    expect(await post(notConnected, { type: 'text', text: 'Hello' })).toMatchObject(
      refused(500, 'session not connected'),
    );
    expect(await post(writing.caller.headers, { type: 'text', text: 'Hello' })).toMatchObject(
      refused(400, 'invalid phone, username, user, group or channel'),
    );
  });

  it('[AU2.1] a session that waits for its password is not connected; a deleted one is not found', async () => {
    const waiting = await writing.scene.awaitingPassword();
    const body = { type: 'text', text: 'Hello', user: bob };
    expect(await post(waiting.headers, body)).toMatchObject(refused(500, 'session not connected'));
    await writing.scene.request(waiting, 'DELETE', '/session');
    expect(await post(waiting.headers, body)).toMatchObject(refused(404, 'session not found'));
  });
});

describe('what Telegram refuses', () => {
  it.each<[object, string]>([
    [{ group: '-1003003' }, '403: CHAT_WRITE_FORBIDDEN (caused by messages.SendMessage)'],
    [{ user: '1005' }, '400: INPUT_USER_DEACTIVATED (caused by messages.SendMessage)'],
    [{ channel: '-1004002' }, '400: CHAT_ADMIN_REQUIRED (caused by messages.SendMessage)'],
  ])('[ER3.1] %j: %s', async (receiver, message) => {
    const { status, body } = await send({ ...receiver, text: 'Hello' });
    expect([status, body]).toEqual([500, { statusCode: 500, message }]);
  });

  it.each([
    ['PEER_FLOOD', '400: PEER_FLOOD (caused by messages.SendMessage)'],
    ['USER_IS_BLOCKED', '400: USER_IS_BLOCKED (caused by messages.SendMessage)'],
    ['YOU_BLOCKED_USER', '400: YOU_BLOCKED_USER (caused by messages.SendMessage)'],
    ['PRIVACY_PREMIUM_REQUIRED', '400: PRIVACY_PREMIUM_REQUIRED (caused by messages.SendMessage)'],
    ['SOMETHING_NEW_OF_2031', '400: SOMETHING_NEW_OF_2031 (caused by messages.SendMessage)'],
  ])('[ER3.1] %s', async (error, message) => {
    await fault({ error });
    const text = newText();
    expect(await send({ user: bob, text })).toMatchObject(refused(500, message));
    expect(await timesSeen(text, bob)).toBe(0);
  });

  it('[ER3.2] a wait of 120 s is returned at once, with Retry-After', async () => {
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

  it.each([10, 300])('[ER3.3] slow mode’s wait of %i s is passed on as it is, at once', async (seconds) => {
    await fault({ error: `SLOWMODE_WAIT_${seconds}` });
    const answer = await send({ group: '-1003004', text: newText() });
    expect(answer).toMatchObject(refused(500, `420: SLOWMODE_WAIT_${seconds} (caused by messages.SendMessage)`));
    expect(answer.headers.get('retry-after')).toBe(String(seconds));
  });

  it('[ER3.2] a wait of 30 s is waited out', async () => {
    await fault({ error: 'FLOOD_WAIT_30' });
    const before = await calls('messages.sendMessage');
    const text = newText();
    const sending = send({ user: bob, text });
    await arrivals('messages.sendMessage', before);
    await writing.scene.pass(29 * second);
    expect(await timesSeen(text, bob)).toBe(0);
    expect(await writing.scene.whilePassing(sending)).toMatchObject({ status: 200 });
    expect(await timesSeen(text, bob)).toBe(1);
  });

  it('[ER3.7] later sends of the chat come after one that waits, those of other chats do not', async () => {
    await fault({ error: 'FLOOD_WAIT_15' });
    const before = await calls('messages.sendMessage');
    const [early, later, last] = [newText(), newText(), newText()];
    const sends = [send({ user: bob, text: early })];
    await arrivals('messages.sendMessage', before);
    await writing.scene.pass(second);
    sends.push(send({ user: bob, text: later }), send({ user: bob, text: last }));
    expect(await send({ group: '-1003001', text: newText() })).toMatchObject({ status: 200 });
    const answers = await writing.scene.whilePassing(Promise.all(sends));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const ids = answers.map(({ body }) => Number(body['messageId']));
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    expect((await seen(ann, bob, 3)).map(({ text }) => text)).toEqual([last, later, early]);
  });

  it('[ER3.1] a passing fault of Telegram’s own is tried again; one that stays is passed on', async () => {
    await fault({ error: 'INTERNAL', code: 500 });
    const text = newText();
    expect(await writing.scene.whilePassing(send({ user: bob, text }))).toMatchObject({ status: 200 });
    expect(await timesSeen(text, bob)).toBe(1);
    await fault({ error: 'INTERNAL', code: 500, times: 99 });
    expect(await writing.scene.whilePassing(send({ user: bob, text: newText() }))).toMatchObject(
      refused(500, '500: INTERNAL (caused by messages.SendMessage)'),
    );
  });
});
