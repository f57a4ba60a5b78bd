import { beforeEach, describe, expect, it } from 'vitest';
import type { MediaPreparation } from '../../../src/media/outgoing/prepare.ts';
import type { SingleMessage } from '../../../src/messaging/content.ts';
import { postStatus, type Status } from '../../../src/messaging/post-status.ts';
import { type SendMessageDeps, type SendMessageOptions, sendMessage } from '../../../src/messaging/send-message.ts';
import type { TelegramAccount } from '../../../src/telegram/port/account.ts';
import { createDrivenClock, createSeededRandomness, type DrivenClock } from '../../support/kit/clock.ts';
import { failureOf } from '../../support/kit/failure-of.ts';
import { ann, type PlayedAccount, playAccount } from '../../support/messaging/played-account.ts';

let clock: DrivenClock;
let account: PlayedAccount;
/** What was asked of the preparation of files: the request, and the largest file. */
let prepared: unknown[];
const mark = { randomId: 42n, begunAt: 5 };
const begin = (): Promise<typeof mark> => Promise.resolve(mark);
const photo = { kind: 'photo', file: { path: '/x', size: 1, name: 'x.jpg', mimetype: 'image/jpeg' } };

beforeEach(() => {
  clock = createDrivenClock();
  account = playAccount();
  prepared = [];
});

function deps(overrides: Partial<TelegramAccount> = {}): SendMessageDeps {
  account = playAccount(overrides);
  const media = {
    withPrepared: (request: object, _signal: unknown, use: (media: unknown) => unknown, maxBytes: number) => {
      prepared.push([request, maxBytes]);
      return use(photo);
    },
  } as unknown as MediaPreparation;
  return { account, media, clock, randomness: createSeededRandomness(1, clock) };
}

type Content = SingleMessage['content'];

const send = (content: Content, options: SendMessageOptions = {}, own = deps()): Promise<number> =>
  sendMessage(
    own,
    { kind: 'user', by: 'id', id: '1002' },
    { content, text: ' <b>hi</b>', parseMode: 'html', replyTo: 3, silent: true },
    { begin, ...options },
  );

const hi = { text: 'hi', entities: [{ type: 'bold', offset: 0, length: 2 }], replyTo: 3, silent: true };
const nothing = { ...hi, text: '', entities: [] };

describe('a message', () => {
  it('[MS8.1] of text is one request, with its formatting, what it answers and its mark', async () => {
    expect(await send({ type: 'text' })).toBe(7);
    expect(account.asked).toEqual([['sendText', ann, { ...hi, ...mark }]]);
  });

  it.each([
    [
      'a pin',
      { type: 'location', latitude: 1, longitude: 2, name: '', address: '' },
      { kind: 'location', latitude: 1, longitude: 2 },
    ],
    [
      'a venue by its address',
      { type: 'location', latitude: 1, longitude: 2, name: '', address: 'Road 1' },
      { kind: 'venue', latitude: 1, longitude: 2, title: 'Road 1', address: 'Road 1' },
    ],
    [
      'a venue by its name',
      { type: 'location', latitude: 1, longitude: 2, name: 'Inn', address: '' },
      { kind: 'venue', latitude: 1, longitude: 2, title: 'Inn', address: '' },
    ],
    [
      'a contact',
      { type: 'contact', name: ' Ann  van  Dyck ', phone: ' +1 ' },
      { kind: 'contact', phone: '+1', firstName: 'Ann', lastName: 'van Dyck' },
    ],
  ] satisfies [string, Content, object][])('[MS5.2] %s, without a caption', async (_, content, media) => {
    expect(await send(content)).toBe(7);
    expect(account.asked).toEqual([['sendMedia', ann, media, nothing, mark]]);
    expect(prepared).toEqual([]);
  });

  it.each([
    [{ type: 'image', url: 'u' }, hi],
    [{ type: 'video', url: 'u', mimetype: 'video/mp4', duration: 1 }, hi],
    [{ type: 'document', url: 'u', name: 'n', mimetype: 'm' }, hi],
    [{ type: 'audio', url: 'u', mimetype: 'm', duration: 1 }, nothing],
  ] satisfies [Content, object][])('[MS5.3] %o has the right caption', async (content, caption) => {
    expect(await send(content)).toBe(7);
    expect(prepared).toEqual([[content, 1000]]);
    expect(account.asked).toEqual([['sendMedia', ann, photo, caption, mark]]);
  });

  it('[MS7.1] that an earlier request sent is not sent again, and its file is not fetched', async () => {
    const own = deps({ sentBefore: async (_peer, randomId) => (randomId === 42n ? 9 : undefined) });
    expect(await send({ type: 'image', url: 'u' }, { begun: mark }, own)).toBe(9);
    expect([account.asked, prepared]).toEqual([[], []]);
  });

  it('[MS7.3] that an earlier request began and did not send is sent', async () => {
    expect(await send({ type: 'image', url: 'u' }, { begun: mark })).toBe(7);
    expect(account.asked.map(([method]) => method)).toEqual(['sentBefore', 'sendMedia']);
  });

  it('[MS6.2] without a key has a number and a time of its own', async () => {
    const own = deps();
    const options = { begin: undefined };
    await sendMessage(
      own,
      { kind: 'user', by: 'id', id: '1002' },
      { content: { type: 'text' }, text: 'a', parseMode: undefined, replyTo: undefined, silent: undefined },
      options,
    );
    const [, , sent] = account.asked[0] as [string, unknown, { randomId: bigint; begunAt: number }];
    expect([typeof sent.randomId, sent.begunAt]).toEqual(['bigint', clock.now()]);
  });

  it('[MS6.3] that is too long is refused as Telegram does, without asking it and without fetching its file', async () => {
    const own = deps();
    const text = 'x'.repeat(4097);
    for (const [content, message] of [
      [{ type: 'text' }, '400: MESSAGE_TOO_LONG (caused by messages.SendMessage)'],
      [{ type: 'image', url: 'u' }, '400: MEDIA_CAPTION_TOO_LONG (caused by messages.SendMedia)'],
    ] satisfies [Content, string][]) {
      const long = { content, text, parseMode: undefined, replyTo: undefined, silent: undefined };
      await expect(sendMessage(own, { kind: 'user', by: 'id', id: '1002' }, long, { begin })).rejects.toThrow(message);
    }
    expect([account.asked, prepared]).toEqual([[], []]);
  });

  it('[MS6.1] is cut off after 240 s', async () => {
    const own = deps({ sendText: () => new Promise(() => {}) });
    let failure: unknown;
    void failureOf(send({ type: 'text' }, {}, own)).then((error) => {
      failure = error;
    });
    await clock.advance(239_999);
    expect(failure).toBeUndefined();
    await clock.advance(1);
    expect(failure).toMatchObject({ statusCode: 500, message: 'send timeout after 240s', name: 'SendTimeoutError' });
  });
});

describe('a story', () => {
  const status: Status = {
    content: { type: 'image', url: 'u' },
    text: '<b>hi</b>',
    parseMode: 'html',
    privacy: 'everyone',
    periodHours: 6,
  };
  const { text, entities } = hi;
  const story = { media: photo, caption: { text, entities }, privacy: 'everyone', periodSeconds: 21_600 };

  it('[ST1.1] is posted with its caption, its readers and its period', async () => {
    expect(await postStatus(deps(), status, { begin })).toEqual({ id: 7, created: 1, expires: 2 });
    expect(account.asked).toEqual([['postStory', story, mark, false]]);
    expect(prepared).toEqual([[status.content, 1000]]);
  });

  it('[MS6.3] with a caption that is too long is refused as Telegram does, without asking it', async () => {
    await expect(postStatus(deps(), { ...status, text: 'x'.repeat(4097) }, { begin })).rejects.toThrow(
      '400: MEDIA_CAPTION_TOO_LONG (caused by stories.SendStory)',
    );
    expect([account.asked, prepared]).toEqual([[], []]);
  });

  it('[MS7.1] that an earlier request posted is not posted again', async () => {
    const posted = { id: 9, created: 3, expires: 4 };
    const own = deps({ postedBefore: async () => posted });
    expect(await postStatus(own, status, { begin, begun: mark })).toEqual(posted);
    expect([account.asked, prepared]).toEqual([[], []]);
  });

  it('[MS7.3] that an earlier request began may be out, and is posted', async () => {
    await postStatus(deps(), status, { begin, begun: mark });
    expect(account.asked).toEqual([
      ['postedBefore', mark],
      ['postStory', story, mark, true],
    ]);
  });
});
