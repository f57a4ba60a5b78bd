import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LightAbort } from '../../../../actors/kit/light-abort.ts';
import type { ConvertedType } from '../../../../src/media/outgoing/convert/conversion.ts';
import { type FfmpegPrograms, mustBePrograms } from '../../../../src/media/outgoing/ffmpeg-programs.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../../support/kit/temporary-folder.ts';
import { type MediaScene, makeSample, startMediaScene } from '../../../support/media/scene.ts';

let scene: MediaScene;
let folder: TemporaryFolder;

beforeEach(async () => {
  folder = await createTemporaryFolder();
});

afterEach(async () => {
  const left = scene.left();
  await scene.close();
  await folder.remove();
  if (left.length > 0) throw new Error(`left behind: ${left.join()}`);
});

/** A program that never ends, and leaves a file named after its process. */
function sleeper(): string {
  const path = join(folder.path, 'sleeper');
  writeFileSync(path, `#!/bin/sh\n: > "${folder.path}/$$.pid"\nexec sleep 1000\n`);
  chmodSync(path, 0o755);
  return path;
}

const pids = (): number[] =>
  readdirSync(folder.path)
    .filter((name) => name.endsWith('.pid'))
    .map((name) => Number.parseInt(name, 10));

function isAlive(pid: number): boolean {
  if (!existsSync(`/proc/${pid}/stat`)) return false;
  // One that was killed stays as a zombie until its end has been noted.
  return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}

const video = (): { type: 'video'; url: string; mimetype: string; duration: number } => ({
  type: 'video',
  url: scene.serve('a.mp4', Buffer.from('0000001866747970', 'hex')),
  mimetype: 'video/mp4',
  duration: 9,
});

it('[MS6.1] a probe is killed when the send stops', async () => {
  scene = await startMediaScene({ ffprobePath: sleeper() });
  const stop = new LightAbort();
  const outcome = scene.media.withPrepared(video(), stop, () => Promise.reject(new Error('not to be used')));
  outcome.catch(() => {});
  await until(() => pids().length === 1);
  stop.abort(new Error('no longer wanted'));
  await expect(outcome).rejects.toThrow(/^no longer wanted$/);
  expect(pids().filter(isAlive)).toEqual([]);
});

it('[MS6.1] so is FFmpeg, at its first frame', async () => {
  scene = await startMediaScene({ ffmpegPath: sleeper() });
  const sample = await makeSample(
    join(folder.path, 'a.mp4'),
    ...'-f lavfi -i color=red:s=64x64:d=1 -c:v libx264 -pix_fmt yuv420p'.split(' '),
  );
  const stop = new LightAbort();
  const request = { ...video(), url: scene.serve('real.mp4', sample) };
  const outcome = scene.media.withPrepared(request, stop, () => Promise.reject(new Error('not to be used')));
  outcome.catch(() => {});
  await until(() => pids().length === 1);
  stop.abort(new Error('no longer wanted'));
  await expect(outcome).rejects.toThrow(/^no longer wanted$/);
  expect(pids().filter(isAlive)).toEqual([]);
});

it('[MS4.1] a probe that does not end is killed after 30 s, and the given duration stands', async () => {
  scene = await startMediaScene({ ffprobePath: sleeper() });
  const outcome = scene.media.withPrepared(video(), new LightAbort(), ({ duration }) => Promise.resolve(duration));
  await until(() => pids().length === 1);
  await scene.clock.advance(30_000);
  expect(await outcome).toBe(9);
  expect(pids().filter(isAlive)).toEqual([]);
});

it('[MS4.1] as many programs run at a time as there are cores; who stops waiting leaves the row', async () => {
  scene = await startMediaScene({ ffprobePath: sleeper() });
  const cores = availableParallelism();
  const stops: LightAbort[] = [];
  const outcomes: Promise<string>[] = [];
  const start = (): void => {
    const stop = new LightAbort();
    const outcome = scene.media.withPrepared(video(), stop, () => Promise.resolve('sent'));
    outcome.catch(() => {});
    stops.push(stop);
    outcomes.push(outcome);
  };
  for (let running = 1; running <= cores; running += 1) {
    start();
    await until(() => pids().length === running);
  }
  start();
  start();
  await until(() => scene.left().length === cores + 2);
  await scene.clock.settle();
  expect(pids()).toHaveLength(cores);
  stops.at(-1)?.abort(new Error('left'));
  await expect(outcomes.at(-1)).rejects.toThrow(/^left$/);
  stops[0]?.abort(new Error('first'));
  await until(() => pids().length === cores + 1);
  for (const stop of stops) stop.abort(new Error('end'));
  await Promise.allSettled(outcomes);
  expect(pids()).toHaveLength(cores + 1);
  expect(pids().filter(isAlive)).toEqual([]);
});

it('[MS4.1] without programs a video is sent as it was described', async () => {
  scene = await startMediaScene({ ffprobePath: join(folder.path, 'none'), ffmpegPath: join(folder.path, 'none') });
  const sent = await scene.media.withPrepared(video(), new LightAbort(), (media) => Promise.resolve(media));
  expect(sent).toMatchObject({ duration: 9, width: 0, height: 0 });
});

describe('a conversion', () => {
  const sound = (type: ConvertedType): { type: ConvertedType; url: string } => {
    const head = Buffer.from('52494646000000005741564566', 'hex');
    return { type, url: scene.serve('a.wav', head) };
  };

  it('[MX1.9] is killed when the send stops', async () => {
    scene = await startMediaScene({ ffmpegPath: sleeper() });
    const stop = new LightAbort();
    const outcome = scene.media.withPrepared(sound('voice'), stop, () => Promise.reject(new Error('not to be used')));
    outcome.catch(() => {});
    await until(() => pids().length === 1);
    stop.abort(new Error('no longer wanted'));
    await expect(outcome).rejects.toThrow(/^no longer wanted$/);
    await until(() => pids().filter(isAlive).length === 0);
  });

  it('[MX1.9] that takes longer than 120 s is killed, and says so', async () => {
    scene = await startMediaScene({ ffmpegPath: sleeper() });
    const outcome = scene.media.withPrepared(sound('voice'), new LightAbort(), () => Promise.resolve('sent'));
    outcome.catch(() => {});
    await until(() => pids().length === 1);
    await scene.clock.advance(119_999);
    expect(pids().filter(isAlive)).toHaveLength(1);
    await scene.clock.advance(1);
    await expect(outcome).rejects.toThrow(/^error convert voice: it takes longer than 120 s$/);
    await until(() => pids().filter(isAlive).length === 0);
  });

  it('[MX1.9] of one session leaves a place for other sessions', async () => {
    scene = await startMediaScene({ ffmpegPath: sleeper() });
    const places = Math.max(2, availableParallelism());
    const stop = new LightAbort();
    const begin = (sessionId: string): Promise<unknown> =>
      scene.preparations
        .of({ sessionId })
        .withPrepared(sound('voice'), stop, () => Promise.resolve('sent'))
        .catch(() => undefined);
    const outcomes = Array.from({ length: places }, () => begin('one'));
    await until(() => pids().length === places - 1);
    await scene.clock.settle();
    expect(pids()).toHaveLength(places - 1);
    outcomes.push(begin('two'));
    await until(() => pids().length === places);
    stop.abort(new Error('end'));
    await Promise.all(outcomes);
    await until(() => pids().filter(isAlive).length === 0);
  });

  it.each<[ConvertedType, string, FfmpegPrograms]>([
    ['voice', 'ffmpeg', { ffmpeg: undefined, ffprobe: 'ffprobe' }],
    ['videoNote', 'ffmpeg', { ffmpeg: undefined, ffprobe: undefined }],
    ['videoNote', 'ffprobe', { ffmpeg: 'ffmpeg', ffprobe: undefined }],
    ['animation', 'ffprobe', { ffmpeg: 'ffmpeg', ffprobe: undefined }],
  ])('[MX1.9] to %s without %s is refused before anything is fetched', async (type, name, programs) => {
    scene = await startMediaScene({ programs });
    let fetched = 0;
    const url = scene.serve('never', (response) => {
      fetched += 1;
      response.end();
    });
    const outcome = scene.media.withPrepared({ type, url }, new LightAbort(), () => Promise.resolve('sent'));
    await expect(outcome).rejects.toThrow(`error convert ${type}: ${name} is not installed`);
    expect(fetched).toBe(0);
  });
});

it('[OP1.1] a path that was given and is no program keeps the service from starting, by name', async () => {
  scene = await startMediaScene();
  const missing = join(folder.path, 'secret');
  expect(() => mustBePrograms({ ffmpegPath: missing, ffprobePath: undefined })).toThrow(
    /^FFMPEG_PATH is not a program that can be run$/,
  );
  expect(() => mustBePrograms({ ffmpegPath: undefined, ffprobePath: missing })).toThrow(/^FFPROBE_PATH is not/);
  expect(() => mustBePrograms({ ffmpegPath: sleeper(), ffprobePath: undefined })).not.toThrow();
});
