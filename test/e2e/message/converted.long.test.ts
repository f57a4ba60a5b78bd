import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reachable, sha256, useFiles } from '../../support/e2e/file-server.ts';
import { ann, bob } from '../../support/e2e/scene.ts';
import { refused, type Seen, useWriting } from '../../support/e2e/writing-scene.ts';
import type { Answer } from '../../support/gateway/gateway.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/kit/temporary-folder.ts';
import { makeSample } from '../../support/media/scene.ts';
import { noise } from '../../support/telegram/outgoing-files.ts';

/** `POST /message` of the types that are made of a file: voice, round video, animation, sticker. */

const files = useFiles();
const writing = useWriting(reachable);
const { newText, seen } = writing;

type Type = 'voice' | 'videoNote' | 'animation' | 'sticker';
let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await createTemporaryFolder();
});
afterAll(() => folder.remove());

const send = (type: Type, bytes: Buffer, more: object = {}): Promise<Answer> =>
  writing.send({ user: bob, type, [type]: { url: files.serve(bytes) }, ...more });
const sample = (name: string, args: string): Promise<Buffer> => makeSample(join(folder.path, name), ...args.split(' '));
/** The newest message at Bob's, and the bytes that his phone downloads. */
async function arrived(): Promise<{ message: Seen; bytes: Buffer }> {
  const [message] = await seen(ann, bob, 1);
  if (message === undefined) throw new Error('nothing arrived');
  const response = await fetch(`${writing.scene.sandbox.url}/accounts/${bob}/messages/${ann}/${message.id}/file`);
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(message.media?.['sha256']).toBe(sha256(bytes));
  return { message, bytes };
}
const left = (): string[] => readdirSync(join(writing.scene.gateway.dataDir, 'tmp'));
const x264 = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p';

describe('a voice note', () => {
  it('[MX1.6] is OGG with Opus, one channel, as long as the sound, loud where it is loud; with a caption', async () => {
    const halves = '-f lavfi -i aevalsrc=gt(t\\,2)*sin(2000*t):d=4:s=44100';
    const text = newText();
    expect(await send('voice', await sample('halves.mp3', `${halves} -c:a libmp3lame`), { text })).toMatchObject({
      status: 200,
    });
    const { message, bytes } = await arrived();
    expect(message).toMatchObject({
      text,
      media: { kind: 'voice', mime: 'audio/ogg', duration: 4, size: bytes.length },
    });
    expect(bytes.toString('latin1', 0, 4)).toBe('OggS');
    expect(bytes.toString('latin1', 28, 36)).toBe('OpusHead');
    expect(bytes[37]).toBe(1);
    const waveform = message.media?.['waveform'] as number[];
    expect(waveform).toHaveLength(100);
    expect(Math.max(...waveform.slice(0, 45))).toBeLessThan(3);
    expect(Math.min(...waveform.slice(55, 95))).toBeGreaterThan(15);
    expect(left()).toEqual([]);
  });

  it.each<[string, () => Promise<Buffer>, string]>([
    ['noise', async () => noise(5_000), 'it is of no known format'],
    ['a video without sound', () => sample('silent.mp4', `-f lavfi -i testsrc=s=64x64:d=1 ${x264}`), 'it has no sound'],
    [
      'a file that says that it is a video',
      async () => Buffer.concat([Buffer.from('0000001866747970', 'hex'), noise(900)]),
      'it cannot be read',
    ],
  ])('[MX1.8] of %s is refused', async (_what, make, reason) => {
    expect(await send('voice', await make())).toMatchObject(refused(500, `error convert voice: ${reason}`));
    expect(left()).toEqual([]);
  });
});

describe('a video note', () => {
  it('[MX1.7] is a square MP4 of the middle, with sound, length and thumbnail; without a caption', async () => {
    const bars = `-f lavfi -i testsrc=s=320x180:r=25:d=2 -f lavfi -i sine=d=2 ${x264} -c:a aac`;
    expect(await send('videoNote', await sample('wide.mov', bars), { text: newText() })).toMatchObject({ status: 200 });
    const { message, bytes } = await arrived();
    expect(message).toMatchObject({ text: '', media: { kind: 'round', mime: 'video/mp4', width: 384, height: 384 } });
    expect(message.media?.['duration']).toBeCloseTo(2, 0);
    expect(message.media?.['thumbnail']).toMatchObject({ width: 320, height: 320 });
    expect(bytes.toString('latin1', 4, 8)).toBe('ftyp');
    expect(bytes.includes('mp4a')).toBe(true);
    expect(left()).toEqual([]);
  });

  it('[MX1.7] of more than 60 s is refused', async () => {
    const long = await sample('long.mp4', `-f lavfi -i color=s=16x16:r=1:d=62 ${x264}`);
    expect(await send('videoNote', long)).toMatchObject(
      refused(400, 'videoNote must be shorter than or equal to 60 seconds'),
    );
    const exact = await sample('exact.mp4', `-f lavfi -i color=s=16x16:r=1:d=60 ${x264}`);
    expect(await send('videoNote', exact)).toMatchObject({ status: 200 });
    const { media } = (await arrived()).message;
    expect(media).toMatchObject({ kind: 'round' });
    expect(media?.['duration']).toBeCloseTo(60, 0);
  });

  it.each<[string, () => Promise<Buffer>, string]>([
    ['noise', async () => noise(5_000), 'it is of no known format'],
    ['sound', () => sample('sound.wav', '-f lavfi -i sine=d=1'), 'it has no picture'],
  ])('[MX1.8] of %s is refused', async (_what, make, reason) => {
    expect(await send('videoNote', await make())).toMatchObject(refused(500, `error convert videoNote: ${reason}`));
  });
});

describe('an animation', () => {
  it('[MX1.5] that is an MP4 without sound arrives byte for byte, with its caption', async () => {
    const clip = await sample('quiet.mp4', `-f lavfi -i testsrc=s=120x90:d=1 ${x264}`);
    const text = newText();
    expect(await send('animation', clip, { text })).toMatchObject({ status: 200 });
    const { message, bytes } = await arrived();
    expect(message).toMatchObject({
      text,
      media: { kind: 'gif', mime: 'video/mp4', width: 120, height: 90, duration: 1 },
    });
    expect(message.media?.['thumbnail']).toMatchObject({ width: 120, height: 90 });
    expect(bytes.equals(clip)).toBe(true);
  });

  it.each([
    ['a GIF', 'a.gif', '-f lavfi -i testsrc=s=121x91:r=10:d=1', 120, 90],
    ['a WebM', 'a.webm', '-f lavfi -i testsrc=s=64x48:r=10:d=1 -c:v libvpx', 64, 48],
    [
      'an MP4 with sound',
      'loud.mp4',
      `-f lavfi -i testsrc=s=64x48:r=10:d=1 -f lavfi -i sine=d=1 ${x264} -c:a aac`,
      64,
      48,
    ],
  ])('[MX1.5] that is %s becomes an MP4 without sound', async (_what, name, args, width, height) => {
    expect(await send('animation', await sample(name, args))).toMatchObject({ status: 200 });
    const { message, bytes } = await arrived();
    expect(message.media).toMatchObject({ kind: 'gif', mime: 'video/mp4', width, height });
    expect(message.media?.['duration']).toBeCloseTo(1, 0);
    expect(bytes.toString('latin1', 4, 8)).toBe('ftyp');
    expect(bytes.includes('avc1')).toBe(true);
    expect(bytes.includes('mp4a')).toBe(false);
  });

  it('[MX1.8] of a picture that is none is refused', async () => {
    const png = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    expect(await send('animation', png)).toMatchObject(
      refused(500, 'error convert animation: it is of no known format'),
    );
  });
});

describe('a sticker', () => {
  const picture = (width: number, height: number, options: object): Promise<Buffer> =>
    sharp({ create: { width, height, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0.5 } } })
      .webp(options)
      .toBuffer();
  const animation = Buffer.from(
    JSON.stringify({ tgs: 1, v: '5.5.2', fr: 60, ip: 0, op: 60, w: 512, h: 512, layers: [] }),
  );

  it.each<[string, () => Promise<Buffer>, object]>([
    ['a lossy WebP', () => picture(512, 300, { quality: 80 }), { kind: 'sticker', mime: 'image/webp' }],
    ['a lossless WebP', () => picture(200, 512, { lossless: true }), { kind: 'sticker', mime: 'image/webp' }],
    ['a TGS', async () => gzipSync(animation), { kind: 'animatedSticker', mime: 'application/x-tgsticker' }],
    [
      'a WebM',
      () => sample('s.webm', '-f lavfi -i testsrc=s=512x400:r=10:d=1 -c:v libvpx-vp9 -cpu-used 8'),
      { kind: 'animatedSticker', mime: 'video/webm', width: 512, height: 400, duration: 1 },
    ],
  ])('[MX1.5] that is %s arrives byte for byte', async (_what, make, media) => {
    const bytes = await make();
    expect(await send('sticker', bytes, { text: newText() })).toMatchObject({ status: 200 });
    const { message, bytes: downloaded } = await arrived();
    expect(message).toMatchObject({ text: '', media });
    expect(downloaded.equals(bytes)).toBe(true);
  });

  it('[MX1.5] says how large its picture is', async () => {
    for (const [width, height, options] of [
      [512, 300, {}],
      [100, 512, { lossless: true }],
    ] as const) {
      await send('sticker', await picture(width, height, options));
      const [call] = (
        await writing.scene.sandbox.call<{ params: { media: { attributes: object[] } } }[]>(
          'GET',
          '/calls?method=messages.sendMedia',
        )
      ).slice(-1);
      expect(call?.params.media.attributes).toContainEqual(expect.objectContaining({ w: width, h: height }));
    }
  });

  it.each<[string, Buffer]>([
    ['noise', noise(2_000)],
    ['a gzip of something else', gzipSync('{"a":1}')],
    ['a gzip that is broken', gzipSync(animation).subarray(0, 40)],
    ['a WebP that is cut off', Buffer.from('524946460000000057454250', 'hex')],
  ])('[MX1.8] that is %s is refused', async (_what, bytes) => {
    const message = 'error convert sticker: it is not a WebP, TGS or WebM';
    expect(await send('sticker', bytes)).toMatchObject(refused(500, message));
  });
});

it.each<Type>(['voice', 'videoNote', 'animation'])('[MX1.10] %s is made of bytes in the request too', async (type) => {
  const bytes = await sample('both.mkv', `-f lavfi -i testsrc=s=64x64:r=10:d=1 -f lavfi -i sine=d=1 ${x264} -c:a aac`);
  const body = { user: bob, type, [type]: { data: bytes.toString('base64') } };
  expect(await writing.send(body)).toMatchObject({ status: 200 });
  const kinds = { voice: 'voice', videoNote: 'round', animation: 'gif', sticker: '' };
  expect((await arrived()).message.media).toMatchObject({ kind: kinds[type] });
});

it.each<Type>(['voice', 'videoNote', 'animation', 'sticker'])(
  '[MX1.8] %s without its file is refused',
  async (type) => {
    expect(await writing.send({ user: bob, type })).toMatchObject(refused(400, `${type} should not be empty`));
    expect(await writing.send({ user: bob, type, [type]: {} })).toMatchObject(
      refused(400, `${type}.url should not be empty`),
    );
  },
);
