import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../support/e2e/file-server.ts';
import { useKeyed } from '../../support/e2e/keyed-messages.ts';
import { ann, bob } from '../../support/e2e/scene.ts';
import { refused, type Seen } from '../../support/e2e/writing-scene.ts';
import type { Answer } from '../../support/gateway/gateway.ts';
import { noise } from '../../support/telegram/outgoing-files.ts';

/** `POST /message` of the type `album`, as the other side's phone shows it. */

const { files, writing, post, restart } = useKeyed();
const { arrivals, calls, fault, newText, seen } = writing;

const send = (items: object[], more: object = {}): Promise<Answer> =>
  writing.send({ user: bob, type: 'album', album: { items }, ...more });
const document = (bytes: Buffer, name = 'a.bin'): object => ({
  type: 'document',
  document: { url: files.serve(bytes), name, size: bytes.length, mimetype: 'application/octet-stream' },
});
const video = (bytes: Buffer): object => ({
  type: 'video',
  video: { url: files.serve(bytes, 'clip.mp4'), mimetype: 'video/mp4', duration: 3 },
});
const audio = (bytes: Buffer): object => ({
  type: 'audio',
  audio: { url: files.serve(bytes, 'song.mp3'), mimetype: 'audio/mpeg', duration: 3 },
});
async function image(background: string): Promise<object> {
  const bytes = await sharp({ create: { width: 40, height: 30, channels: 3, background } })
    .png()
    .toBuffer();
  return { type: 'image', image: { url: files.serve(bytes), mimetype: 'image/png' } };
}
/** The messages with these IDs that Ann sees in a chat, in the order of the IDs. */
async function sentAs({ body }: Answer, chat = bob): Promise<(Seen | undefined)[]> {
  const all = await seen(chat);
  return (body['messageIds'] as string[]).map((wanted) => all.find(({ id }) => String(id) === wanted));
}
const left = (): string[] => readdirSync(join(writing.scene.gateway.dataDir, 'tmp'));

describe('an album', () => {
  it('[MX1.2] of photos and a video arrives as one, with one caption, as a silent reply', async () => {
    const question = await writing.send({ user: bob, text: newText() });
    const clip = noise(3_000, 5);
    const text = newText();
    const replyTo = String(question.body['messageId']);
    const items = [await image('#ff0000'), video(clip), await image('#0000ff')];
    const answer = await send(items, { text: `**${text}**`, parseMode: 'markdown', silent: true, replyTo });
    expect(answer).toMatchObject({
      status: 200,
      body: { messageIds: [expect.any(String), expect.any(String), expect.any(String)] },
    });
    expect(answer.body['messageId']).toBe((answer.body['messageIds'] as string[])[0]);
    const own = await sentAs(answer);
    expect(own).toMatchObject([
      {
        text,
        media: { kind: 'photo' },
        entities: [{ _: 'messageEntityBold' }],
        replyTo: Number(replyTo),
        silent: true,
      },
      { text: '', media: { kind: 'video', sha256: sha256(clip) }, silent: true },
      { text: '', media: { kind: 'photo' }, silent: true },
    ]);
    const atBob = (await seen(ann, bob, 3)).toReversed();
    expect(atBob.map(({ media }) => media?.['sha256'])).toEqual(own.map((message) => message?.media?.['sha256']));
    expect(atBob[0]?.album).not.toBeNull();
    expect(new Set(atBob.map(({ album }) => album)).size).toBe(1);
    expect(left()).toEqual([]);
  });

  it.each<[string, object, string]>([
    ['a person', { user: bob }, bob],
    ['a basic group', { group: '-2001' }, '-2001'],
    ['a supergroup', { group: '-1003001' }, '-1003001'],
    ['a channel', { channel: '-1004001' }, '-1004001'],
  ])('[MX1.2] of ten documents arrives at %s byte for byte', async (what, receiver, chat) => {
    const contents = Array.from({ length: 10 }, (_, index) => noise(1_000 + index, index + what.length * 100));
    const answer = await send(
      contents.map((bytes, index) => document(bytes, `${index}.bin`)),
      { ...receiver, text: newText() },
    );
    expect(answer.status).toBe(200);
    expect((await sentAs(answer, chat)).map((message) => message?.media)).toMatchObject(
      contents.map((bytes, index) => ({ kind: 'document', name: `${index}.bin`, sha256: sha256(bytes) })),
    );
  });

  it('[MX1.2] of ten photos counts once among what waits', async () => {
    const items = await Promise.all(Array.from({ length: 10 }, (_, index) => image(`#0000${index}0`)));
    const answer = await send(items);
    expect(answer).toMatchObject({ status: 200 });
    expect(await sentAs(answer)).toMatchObject(items.map(() => ({ media: { kind: 'photo' } })));
  });

  it('[MX1.2] of music arrives as one', async () => {
    const answer = await send([audio(noise(2_000, 3)), audio(noise(2_000, 4))]);
    expect(await sentAs(answer)).toMatchObject([{ media: { kind: 'audio' } }, { media: { kind: 'audio' } }]);
  });

  it.each<[string, () => Promise<object[]>]>([
    ['music and a document', async () => [audio(noise(900, 1)), document(noise(900, 2))]],
    ['a photo and a document', async () => [await image('#00ff00'), document(noise(900, 3))]],
  ])('[MX1.3] of %s is what Telegram refuses', async (_what, items) => {
    const before = (await seen(bob)).length;
    const message = '400: MEDIA_GROUPED_INVALID (caused by messages.SendMultiMedia)';
    expect(await send(await items())).toMatchObject(refused(500, message));
    expect(await seen(bob)).toHaveLength(before);
  });

  it('[MX1.2] with one file that cannot be fetched is none, and leaves nothing', async () => {
    const [uploads, before] = [await calls('messages.uploadMedia'), (await seen(bob)).length];
    const gone = { type: 'document', document: { url: `${files.url}/gone`, name: 'a', size: 1, mimetype: 'a/b' } };
    const answer = await send([document(noise(100)), gone, document(noise(200))]);
    expect(answer).toMatchObject(refused(500, expect.stringMatching(/^error parser file from url/) as never));
    expect([await calls('messages.uploadMedia'), (await seen(bob)).length]).toEqual([uploads, before]);
    expect(left()).toEqual([]);
  });

  it('[MX1.2] whose files Telegram has lost meanwhile is uploaded again, and arrives once', async () => {
    const text = newText();
    await fault({ method: 'messages.sendMultiMedia', error: 'FILE_REFERENCE_0_EXPIRED' });
    const answer = await send([document(noise(300, 1)), document(noise(300, 2))], { text });
    expect(answer.status).toBe(200);
    expect(await writing.timesSeen(text, bob)).toBe(1);
  });

  it('[MX1.2] has a caption as long as Telegram takes one', async () => {
    const message = '400: MEDIA_CAPTION_TOO_LONG (caused by messages.SendMultiMedia)';
    expect(await send([document(noise(9)), document(noise(8))], { text: 'a'.repeat(4_097) })).toMatchObject(
      refused(500, message),
    );
  });
});

describe('validation', () => {
  const one = { type: 'document', document: { url: 'https://a.example/b', name: 'b', size: 1, mimetype: 'a/b' } };
  const kinds = 'image, video, audio, document';
  it.each<[object, string]>([
    [{}, 'album should not be empty'],
    [{ album: {} }, 'album.items should not be empty'],
    [{ album: { items: [] } }, 'album.items should not be empty'],
    [{ album: { items: one } }, 'album.items must be an array'],
    [{ album: { items: [one] } }, 'album.items must have between 2 and 10 entries'],
    [{ album: { items: Array.from({ length: 11 }, () => one) } }, 'album.items must have between 2 and 10 entries'],
    [
      { album: { items: [one, { type: 'album' }] } },
      `album.items.1.type must be one of the following values: ${kinds}`,
    ],
    [{ album: { items: [one, { type: 'image' }] } }, 'album.items.1.image should not be empty'],
    [
      { album: { items: [{ type: 'image', image: { mimetype: 'image/png' } }, one] } },
      'album.items.0.image.url should not be empty',
    ],
  ])('[MX1.2] %j', async (body, message) => {
    expect(await writing.send({ user: bob, type: 'album', ...body })).toMatchObject(refused(400, message));
  });
});

describe('an album under a key', () => {
  const bodyOf = (receiver: object, seed: number): object => ({
    ...receiver,
    type: 'album',
    text: newText(),
    album: { items: [document(noise(400, seed)), document(noise(400, seed)), document(noise(500, seed))] },
  });
  const chats: [string, object, string][] = [
    ['to a person', { user: bob }, bob],
    ['to a supergroup', { group: '-1003001' }, '-1003001'],
  ];

  it.each(chats)('[MX1.1] %s has one answer', async (what, receiver) => {
    const body = bodyOf(receiver, 1);
    const first = await post(`album ${what}`, body);
    expect(first).toMatchObject({ status: 200, body: { messageIds: expect.any(Array) } });
    const sent = await calls('messages.sendMultiMedia');
    expect(await post(`album ${what}`, body)).toMatchObject({ status: 200, body: first.body });
    expect(await calls('messages.sendMultiMedia')).toBe(sent);
  });

  it.each(
    chats.flatMap(([what, ...rest]) =>
      [true, false].map((isNamed) => [isNamed ? `${what}, named` : `${what}, not named`, isNamed, ...rest] as const),
    ),
  )(
    '[MX1.1] %s by Telegram, is found again after a lost answer and a restart',
    async (what, isNamed, receiver, chat) => {
      const bodies = [bodyOf(receiver, 7), bodyOf(receiver, 8)];
      await fault({ method: 'messages.sendMultiMedia', dropAnswer: true, times: 2 });
      for (const [index, body] of bodies.entries()) {
        const before = await calls('messages.sendMultiMedia');
        void post(`lost ${what} ${index}`, body).catch(() => undefined);
        await arrivals('messages.sendMultiMedia', before);
      }
      await restart();
      await writing.scene.sandbox.call('DELETE', '/faults');
      const method = chat === bob ? 'updates.getDifference' : 'updates.getChannelDifference';
      if (!isNamed) {
        await fault({ method, error: 'CHANNEL_PRIVATE', times: 99 });
        // Telegram has forgotten the answer too: only the number is known.
        await fault({ method: 'messages.sendMultiMedia', error: 'RANDOM_ID_DUPLICATE', code: 500, times: 2 });
      }
      const uploads = await calls('messages.uploadMedia');
      for (const index of [1, 0]) {
        const again = await writing.scene.whilePassing(post(`lost ${what} ${index}`, bodies[index] as object));
        expect(again.status).toBe(200);
        const found = await sentAs(again, chat);
        const { text } = bodies[index] as { text: string };
        expect(found.map((message) => message?.text)).toEqual([text, '', '']);
        expect(new Set(found.map((message) => message?.album)).size).toBe(1);
        expect(await writing.timesSeen(text, chat)).toBe(1);
      }
      if (isNamed) expect(await calls('messages.uploadMedia')).toBe(uploads);
    },
  );
});
