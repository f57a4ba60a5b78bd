import { execFile } from 'node:child_process';
import { accessSync, chmodSync, constants } from 'node:fs';
import { StartError } from '../../errors/gateway-error.ts';

/** How to run the two; undefined where there is none on this machine. */
export interface FfmpegPrograms {
  ffmpeg: string | undefined;
  ffprobe: string | undefined;
}

export interface ProgramPaths {
  /** FFMPEG_PATH and FFPROBE_PATH. */
  ffmpegPath: string | undefined;
  ffprobePath: string | undefined;
}

/** @throws {StartError} where a path that was given is no program. */
export function mustBePrograms({ ffmpegPath, ffprobePath }: ProgramPaths): void {
  for (const [name, path] of Object.entries({ FFMPEG_PATH: ffmpegPath, FFPROBE_PATH: ffprobePath })) {
    if (path !== undefined && !isProgram(path)) throw new StartError(`${name} is not a program that can be run`);
  }
}

/** The search for both, made once, when they are first asked for; `onMissing` hears of those that are not there. */
export function programSearch(
  paths: ProgramPaths,
  onMissing: (names: readonly string[]) => void,
): () => Promise<FfmpegPrograms> {
  let found: Promise<FfmpegPrograms> | undefined;
  const search = async (): Promise<FfmpegPrograms> => {
    const programs = await findPrograms(paths);
    const missing = Object.entries(programs).flatMap(([name, path]) => (path === undefined ? [name] : []));
    if (missing.length > 0) onMissing(missing);
    return programs;
  };
  return () => (found ??= search());
}

/** What was configured, else the system's, else the ones that came along as packages: the first that runs. */
async function findPrograms({ ffmpegPath, ffprobePath }: ProgramPaths): Promise<FfmpegPrograms> {
  const [ffmpeg, ffprobe] = await Promise.all([
    ffmpegPath ?? firstThatRuns(['ffmpeg', await bundled(() => import('@ffmpeg-installer/ffmpeg'))]),
    ffprobePath ?? firstThatRuns(['ffprobe', await bundled(() => import('@ffprobe-installer/ffprobe'))]),
  ]);
  return { ffmpeg, ffprobe };
}

async function firstThatRuns(candidates: readonly (string | undefined)[]): Promise<string | undefined> {
  for (const candidate of candidates) {
    if (candidate !== undefined && (await runs(candidate))) return candidate;
  }
  return undefined;
}

function runs(program: string): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(program, ['-version'], { timeout: 10_000, killSignal: 'SIGKILL' }, (error) => resolve(error === null));
  });
}

/** The packages throw on platforms that they have no program for. */
async function bundled(load: () => Promise<{ default: { path: string } }>): Promise<string | undefined> {
  try {
    const { path } = (await load()).default;
    // One of them leaves it to an install script to make the program one; those are switched off here.
    if (!isProgram(path)) chmodSync(path, 0o755);
    return path;
  } catch {
    return undefined;
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
