import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reachable, useFiles } from '../../support/e2e/file-server.ts';
import { ann, bob } from '../../support/e2e/scene.ts';
import { useWriting } from '../../support/e2e/writing-scene.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/kit/temporary-folder.ts';
import { makeSample } from '../../support/media/scene.ts';

/** Voice notes and video notes of real formats, as FFmpeg makes them. */

const files = useFiles();
const writing = useWriting(reachable);
let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await createTemporaryFolder();
});
afterAll(() => folder.remove());

/** Silent for a second, then loud for two. */
const sound = '-f lavfi -i aevalsrc=gt(t\\,1)*sin(2000*t):d=3:s=44100';
const picture = '-f lavfi -i testsrc=s=176x144:r=15:d=3';
const x264 = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p';

const sounds: [name: string, encoding: string][] = [
  ['a.mp3', '-c:a libmp3lame'],
  ['tagged.mp3', '-c:a libmp3lame -metadata title=Song -id3v2_version 3'],
  ['a.mp2', '-c:a mp2'],
  ['16.wav', '-c:a pcm_s16le'],
  ['24.wav', '-c:a pcm_s24le -ar 96000 -ac 2'],
  ['float.wav', '-c:a pcm_f32le'],
  ['adpcm.wav', '-c:a adpcm_ms'],
  ['a.flac', '-c:a flac'],
  ['vorbis.ogg', '-c:a libvorbis'],
  ['a.opus', '-c:a libopus'],
  ['speex.ogg', '-c:a libspeex -ar 16000 -ac 1'],
  ['a.aac', '-c:a aac'],
  ['a.m4a', '-c:a aac'],
  ['alac.m4a', '-c:a alac'],
  ['a.wma', '-c:a wmav2'],
  ['a.aiff', '-c:a pcm_s16be'],
  ['a.caf', '-c:a pcm_s16be'],
  ['a.amr', '-c:a libopencore_amrnb -ar 8000 -ac 1'],
  ['a.mka', '-c:a ac3'],
  ['sound.webm', '-c:a libopus'],
];
const videos: [name: string, encoding: string][] = [
  ['a.mp4', `${x264} -c:a aac`],
  ['fast.mp4', `${x264} -c:a aac -movflags +faststart`],
  ['hevc.mp4', '-c:v libx265 -preset ultrafast -x265-params log-level=none -c:a aac'],
  ['turned.mp4', `${x264} -metadata:s:v rotate=90 -c:a aac`],
  ['a.mov', '-c:v mpeg4 -c:a pcm_s16le'],
  ['jpeg.mov', '-c:v mjpeg -pix_fmt yuvj420p -c:a aac'],
  ['a.3gp', '-c:v h263 -c:a libopencore_amrnb -ar 8000 -ac 1'],
  ['vp8.webm', '-c:v libvpx -deadline realtime -c:a libvorbis'],
  ['vp9.webm', '-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -c:a libopus'],
  ['a.mkv', `${x264} -c:a libmp3lame`],
  ['flac.mkv', `${x264} -c:a flac`],
  ['a.avi', '-c:v mpeg4 -c:a libmp3lame'],
  ['jpeg.avi', '-c:v mjpeg -pix_fmt yuvj420p -c:a pcm_s16le'],
  ['a.flv', '-c:v flv -c:a libmp3lame'],
  ['h264.flv', `${x264} -c:a aac`],
  ['a.ts', '-c:v mpeg2video -c:a mp2'],
  ['h264.ts', `${x264} -c:a aac`],
  ['a.mpg', '-c:v mpeg1video -r 25 -c:a mp2'],
  ['a.wmv', '-c:v wmv2 -c:a wmav2'],
  ['a.ogv', '-c:v libtheora -c:a libvorbis'],
];

const makeSound = (name: string, encoding: string): Promise<Buffer> =>
  makeSample(join(folder.path, name), ...`${sound} ${encoding}`.split(' '));
const makeVideo = (name: string, encoding: string): Promise<Buffer> =>
  makeSample(join(folder.path, name), ...`${sound} ${picture} ${encoding}`.split(' '));

/** What Bob's phone has of a message that is made of a file, and its bytes. */
async function sent(
  type: 'voice' | 'videoNote',
  bytes: Buffer,
): Promise<{ media: Record<string, unknown>; bytes: Buffer }> {
  const answer = await writing.send({ user: bob, type, [type]: { url: files.serve(bytes) } });
  expect(answer).toMatchObject({ status: 200 });
  const [message] = await writing.seen(ann, bob, 1);
  const path = `/accounts/${bob}/messages/${ann}/${message?.id}/file`;
  const response = await fetch(writing.scene.sandbox.url + path);
  return { media: message?.media ?? {}, bytes: Buffer.from(await response.arrayBuffer()) };
}

/** What a voice note is like: its channels, and where it is quiet and loud. */
function voiceOf({ media, bytes }: Awaited<ReturnType<typeof sent>>): object {
  const { kind, mime, duration } = media;
  const waveform = media['waveform'] as number[];
  const channels = bytes[bytes.indexOf('OpusHead') + 'OpusHead'.length + 1];
  const isQuiet = Math.max(...waveform.slice(0, 28)) < 5;
  const isLoudThen = Math.min(...waveform.slice(40, 90)) > 10;
  return { kind, mime, duration, channels, values: waveform.length, isQuiet, isLoudThen };
}
const voice = {
  kind: 'voice',
  mime: 'audio/ogg',
  duration: 3,
  channels: 1,
  values: 100,
  isQuiet: true,
  isLoudThen: true,
};

describe('a voice note', () => {
  it.each(sounds)('[MX1.6] is made of %s', async (name, encoding) => {
    expect(voiceOf(await sent('voice', await makeSound(name, encoding)))).toEqual(voice);
  });

  it.each(videos)('[MX1.6] is made of the sound of %s', async (name, encoding) => {
    expect(voiceOf(await sent('voice', await makeVideo(name, encoding)))).toEqual(voice);
  });
});

describe('a video note', () => {
  it.each(videos)('[MX1.7] is made of %s', async (name, encoding) => {
    const { media, bytes } = await sent('videoNote', await makeVideo(name, encoding));
    expect(media).toMatchObject({ kind: 'round', mime: 'video/mp4', width: 384, height: 384 });
    expect(media['duration']).toBeGreaterThan(2.6);
    expect(media['duration']).toBeLessThan(3.4);
    expect(media['thumbnail']).toMatchObject({ width: 320, height: 320 });
    expect([bytes.includes('avc1'), bytes.includes('mp4a')]).toEqual([true, true]);
  });
});
