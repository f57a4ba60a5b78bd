import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LightAbort } from '../../../../actors/kit/light-abort.ts';
import type { PreparedMedia } from '../../../../src/media/outgoing/prepare.ts';
import { type MediaScene, makeSample, startMediaScene } from '../../../support/media/scene.ts';

const given = { mimetype: 'video/mp4', duration: 99 };

let scene: MediaScene;

beforeAll(async () => {
  scene = await startMediaScene();
});

afterAll(() => scene.close());

interface SentVideo {
  media: PreparedMedia['video'];
  bytes: Buffer;
  /** Size and colour, of what is one colour. */
  thumbnail: { width: number; height: number; format: string; colour: { r: number; g: number; b: number } } | undefined;
}

function sent(url: string, thumbnail?: string): Promise<SentVideo> {
  return scene.media.withPrepared({ type: 'video', url, ...given, thumbnail }, new LightAbort(), async (media) => {
    const { path, size } = media.thumbnail ?? { path: '', size: 0 };
    const bytes = readFileSync(media.file.path);
    expect(media.file.size).toBe(bytes.length);
    if (path === '') return { media, bytes, thumbnail: undefined };
    const { width, height, format } = await sharp(path).metadata();
    const { dominant: colour } = await sharp(path).stats();
    expect(readFileSync(path)).toHaveLength(size);
    return { media, bytes, thumbnail: { width, height, format, colour } };
  });
}

const isRed = expect.toSatisfy(({ r, g, b }: { r: number; g: number; b: number }) => r > 200 && g < 60 && b < 60);

/** Red for its first fifth of a second, then blue. */
const redThenBlue = (size: string): string[] => [
  ...`-f lavfi -i color=red:s=${size}:r=10:d=0.2 -f lavfi -i color=blue:s=${size}:r=10:d=1.8`.split(' '),
  ...'-filter_complex [0:v][1:v]concat=n=2:v=1'.split(' '),
];
const h264 = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p'.split(' ');

describe('videos', () => {
  it.each([
    ['a.mp4', '640x360', h264, 640, 360, 320, 180],
    ['a.mov', '360x640', h264, 360, 640, 180, 320],
    ['a.webm', '640x480', ['-c:v', 'libvpx'], 640, 480, 320, 240],
    ['a.mkv', '200x100', h264, 200, 100, 200, 100],
    ['a.avi', '320x320', ['-c:v', 'mpeg4'], 320, 320, 320, 320],
    ['fast.mp4', '1920x1080', [...h264, '-movflags', 'faststart'], 1920, 1080, 320, 180],
  ])(
    '[MS4.1] [MS4.2] %s of %s: size and length are read, the thumbnail is its first frame',
    async (name, size, codec, ...sizes) => {
      const bytes = await makeSample(scene.file(name), ...redThenBlue(size), ...codec);
      const [width, height, thumbnailWidth, thumbnailHeight] = sizes;
      const video = await sent(scene.serve(name, bytes));
      expect(video.media).toMatchObject({ kind: 'video', width, height, file: { name, mimetype: 'video/mp4' } });
      expect(video.media.duration).toBeCloseTo(2, 0);
      expect(video.thumbnail).toEqual({
        width: thumbnailWidth,
        height: thumbnailHeight,
        format: 'jpeg',
        colour: isRed,
      });
      expect(video.bytes.equals(bytes)).toBe(true);
    },
  );

  it('[MS4.1] a video that lies on its side is told, and shown, upright', async () => {
    await makeSample(scene.file('flat.mp4'), ...redThenBlue('640x360'), ...h264);
    const turned = ['-i', scene.file('flat.mp4'), '-c', 'copy', '-metadata:s:v:0', 'rotate=90'];
    const video = await sent(scene.serve('turned.mp4', await makeSample(scene.file('turned.mp4'), ...turned)));
    expect(video.media).toMatchObject({ width: 360, height: 640 });
    expect(video.thumbnail).toMatchObject({ width: 180, height: 320 });
  });

  it('[MS4.1] pixels that are not square are told, and shown, as they are seen', async () => {
    const args = [...'-f lavfi -i color=red:s=360x288:d=1 -vf setsar=2/1'.split(' '), ...h264];
    const video = await sent(scene.serve('wide.mp4', await makeSample(scene.file('wide.mp4'), ...args)));
    expect(video.media).toMatchObject({ width: 720, height: 288 });
    expect(video.thumbnail).toMatchObject({ width: 320, height: 128 });
  });

  it('[MS4.1] pixels that are wider than anything are taken for square ones', async () => {
    const args = [...'-f lavfi -i color=red:s=360x288:d=1 -vf setsar=2/1'.split(' '), ...h264];
    const bytes = await makeSample(scene.file('odd.mp4'), ...args);
    bytes.writeUInt32BE(0x7fffffff, bytes.indexOf('pasp') + 'pasp'.length);
    const video = await sent(scene.serve('odd.mp4', bytes));
    expect(video.media).toMatchObject({ width: 360, height: 288 });
  });

  it('[MS4.1] the given duration stands where the file does not tell', async () => {
    const video = await sent(scene.serve('page', '<html>not a video</html>'));
    expect(video.media).toMatchObject({ duration: 99, width: 0, height: 0, file: { name: 'video.mp4' } });
    expect(video.thumbnail).toBeUndefined();
    const sample = await makeSample(scene.file('cut.mp4'), ...redThenBlue('320x240'), ...h264);
    const cut = await sent(scene.serve('cut.mp4', sample.subarray(0, 500)));
    expect(cut.media.duration).toBe(99);
    expect(cut.thumbnail).toBeUndefined();
  });

  it('[MS4.1] [MS4.2] music in a video’s place has a length and no picture, not even its cover', async () => {
    await makeSample(scene.file('cover.png'), ...'-f lavfi -i color=green:s=64x64 -frames:v 1'.split(' '));
    const args = `-f lavfi -i sine=d=3 -i ${scene.file('cover.png')} -map 0 -map 1 -c:v copy -disposition:v attached_pic`;
    const video = await sent(scene.serve('a.m4a', await makeSample(scene.file('a.mp4'), ...args.split(' '))));
    expect(video.media).toMatchObject({ width: 0, height: 0 });
    expect(video.media.duration).toBeCloseTo(3, 0);
    expect(video.thumbnail).toBeUndefined();
  });

  it('[MS4.1] [MS4.2] a given thumbnail is used in place of the first frame', async () => {
    const bytes = await makeSample(scene.file('b.mp4'), ...redThenBlue('320x240'), ...h264);
    const cover = await sharp({ create: { width: 1000, height: 500, channels: 3, background: '#0f0' } })
      .png()
      .toBuffer();
    const video = await sent(scene.serve('b.mp4', bytes), scene.serve('cover.png', cover));
    expect(video.thumbnail).toMatchObject({ width: 320, height: 160, format: 'jpeg' });
    expect(video.thumbnail?.colour.g).toBeGreaterThan(200);
  });

  it('[MS4.1] [MS4.2] a thumbnail that is not there, or no picture, is told', async () => {
    const url = scene.serve('b.mp4', 'x');
    await expect(sent(url, `${scene.server.url}/missing`)).rejects.toThrow(
      `error parser file from url ${scene.server.url}: it answered with status 404`,
    );
    await expect(sent(url, scene.serve('page.png', '<html>'))).rejects.toThrow(
      'error compress image: it is not a JPG, PNG or WebP',
    );
    await expect(sent(`${scene.server.url}/missing.mp4?token=secret`)).rejects.toThrow(
      /^error parser file from url http:\/\/127\.0\.0\.1:\d+: it answered with status 404$/,
    );
  });

  it('[MS4.1] [MS4.2] frames beyond any screen are not decoded', async () => {
    const args = '-f lavfi -i color=red:s=9000x5000:d=0.04 -frames:v 1 -c:v png'.split(' ');
    const video = await sent(scene.serve('huge.mov', await makeSample(scene.file('huge.mov'), ...args)));
    expect(video.thumbnail).toBeUndefined();
    expect(video.bytes.length).toBeGreaterThan(0);
  });
});

describe('music', () => {
  const audio = (url: string): Promise<PreparedMedia['audio']> =>
    scene.media.withPrepared({ type: 'audio', url, mimetype: 'audio/mpeg', duration: 99 }, new LightAbort(), (media) =>
      Promise.resolve(media),
    );

  it.each(['mp3', 'm4a', 'ogg', 'flac', 'wav', 'webm', 'aac'])(
    '[MS5.1] %s: its tags are read, and its length is the given one',
    async (kind) => {
      const tags = ['-metadata', 'title=Песня', '-metadata', 'artist=Ann'];
      const bytes = await makeSample(scene.file(`song.${kind}`), ...'-f lavfi -i sine=d=3'.split(' '), ...tags);
      const media = await audio(scene.serve(`song.${kind}`, bytes));
      expect(media).toMatchObject({ kind: 'audio', duration: 99, file: { name: `song.${kind}`, size: bytes.length } });
      // Raw AAC has no place for tags, and FFmpeg writes none into WAV that it reads again.
      if (!['aac', 'wav'].includes(kind)) expect(media).toMatchObject({ title: 'Песня', performer: 'Ann' });
    },
  );

  it('[MS5.1] what is no music is sent with the given duration', async () => {
    expect(await audio(scene.serve('x', 'not music'))).toMatchObject({ duration: 99, file: { name: 'audio.mp3' } });
    expect(scene.unreadable.length).toBeGreaterThan(0);
  });
});

describe('documents', () => {
  it.each([
    ['отчёт за год.pdf', 'application/pdf'],
    ['報告書.txt', 'text/plain'],
    ['🎉 party.zip', 'application/zip'],
    ['no extension', 'application/x-any'],
    ['a"b\'c;d=é.txt', 'text/plain'],
  ])('[MS5.1] %s keeps its name and every byte, and has the type %s', async (name, mimetype) => {
    const bytes = Buffer.from(`of ${name}`);
    const request = { type: 'document', url: scene.serve('d', bytes), name, mimetype: 'application/x-any' } as const;
    await scene.media.withPrepared(request, new LightAbort(), async (media) => {
      expect(media).toMatchObject({
        kind: 'document',
        file: { name, size: bytes.length, mimetype },
      });
      await media.file.reach?.(bytes.length, new LightAbort());
      expect(readFileSync(media.file.path).equals(bytes)).toBe(true);
    });
  });
});
