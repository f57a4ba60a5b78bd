import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LightAbort } from '../../../../actors/kit/light-abort.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../../support/kit/temporary-folder.ts';
import { type MediaScene, makeSample, startMediaScene } from '../../../support/media/scene.ts';

let folder: TemporaryFolder;
let scene: MediaScene;

beforeEach(async () => {
  folder = await createTemporaryFolder();
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await scene.close();
  await folder.remove();
});

/** The bundled pair, whatever the system has. */
async function bundled(): Promise<{ ffmpegPath: string; ffprobePath: string }> {
  const [{ default: ffmpeg }, { default: ffprobe }] = await Promise.all([
    import('@ffmpeg-installer/ffmpeg'),
    import('@ffprobe-installer/ffprobe'),
  ]);
  for (const { path } of [ffmpeg, ffprobe]) chmodSync(path, 0o755);
  return { ffmpegPath: ffmpeg.path, ffprobePath: ffprobe.path };
}

/** A program that notes what it was started with, and then is the real one. */
function spy(name: string, program: string): string {
  const path = join(folder.path, name);
  const note = (what: string): string => `cat /proc/self/${what} > "${folder.path}/${name}.${what}"`;
  writeFileSync(path, `#!/bin/sh\n${note('environ')}\n${note('limits')}\nexec "${program}" "$@"\n`);
  chmodSync(path, 0o755);
  return path;
}
const noted = (file: string): string => readFileSync(join(folder.path, file), 'latin1');

const colours = (...output: string[]): string[] => ['-f', 'lavfi', '-i', 'testsrc=s=96x64:d=1', ...output];

/** What is sent for a file of this name, which FFmpeg makes. */
async function sent(name: string, ...args: string[]): Promise<unknown> {
  const url = scene.serve(name, await makeSample(join(folder.path, name), ...args));
  const request = { type: 'video', url, mimetype: 'video/mp4', duration: 9 } as const;
  return scene.media.withPrepared(request, new LightAbort(), ({ duration, width, height, thumbnail }) =>
    Promise.resolve({ duration, width, height, hasThumbnail: thumbnail !== undefined }),
  );
}

it('[NB5.1] FFmpeg and ffprobe get nothing of the environment, and limits', async () => {
  vi.stubEnv('MASTER_KEY', 'a-master-key');
  vi.stubEnv('API_KEY', 'an-api-key');
  const { ffmpegPath, ffprobePath } = await bundled();
  scene = await startMediaScene({ ffmpegPath: spy('ffmpeg', ffmpegPath), ffprobePath: spy('ffprobe', ffprobePath) });
  await expect(sent('a.mp4', ...colours('-c:v', 'libx264', '-pix_fmt', 'yuv420p'))).resolves.toEqual({
    duration: 1,
    width: 96,
    height: 64,
    hasThumbnail: true,
  });
  for (const name of ['ffmpeg', 'ffprobe']) {
    const variables = noted(`${name}.environ`)
      .split('\0')
      .filter((variable) => variable !== '');
    // A shell sets PWD for itself.
    const names = variables.map((variable) => variable.replace(/=.*/s, '')).filter((variable) => variable !== 'PWD');
    expect({ name, names: names.toSorted() }).toEqual({ name, names: ['GCONV_PATH', 'PATH'] });
    const limits = noted(`${name}.limits`);
    expect(limits).toMatch(/^Max data size +1073741824 +1073741824 /m);
    expect(limits).toMatch(/^Max cpu time +30 +30 /m);
    expect(limits).toMatch(/^Max core file size +0 +0 /m);
  }
});

it('[NB5.2] [MS4.1] an MPEG transport stream is read by the bundled pair', async () => {
  scene = await startMediaScene(await bundled());
  const expected = { duration: 1, width: 96, height: 64, hasThumbnail: true };
  await expect(sent('a.ts', ...colours('-c:v', 'mpeg2video'))).resolves.toEqual(expected);
  expect(scene.unreadable).toEqual([]);
});

it('[NB5.1] a stream that needs a decoder of the past is not decoded', async () => {
  scene = await startMediaScene(await bundled());
  await expect(sent('a.avi', ...colours('-c:v', 'cinepak'))).resolves.toEqual({
    duration: 9,
    width: 0,
    height: 0,
    hasThumbnail: false,
  });
  expect(String(scene.unreadable)).toContain('not on whitelist');
});
