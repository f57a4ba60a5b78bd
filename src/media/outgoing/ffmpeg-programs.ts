import { execFile } from 'node:child_process';
import { accessSync, chmodSync, constants } from 'node:fs';
import { StartError } from '../../errors/gateway-error.ts';
import { programEnvironment } from './input-limits.ts';

/** The commands of both programs; undefined if this machine has none. */
export interface FfmpegPrograms {
  ffmpeg: string | undefined;
  ffprobe: string | undefined;
}

export interface ProgramPaths {
  /** FFMPEG_PATH and FFPROBE_PATH. */
  ffmpegPath: string | undefined;
  ffprobePath: string | undefined;
}

/** @throws {StartError} a given path is no program */
export function mustBePrograms({ ffmpegPath, ffprobePath }: ProgramPaths): void {
  for (const [name, path] of Object.entries({ FFMPEG_PATH: ffmpegPath, FFPROBE_PATH: ffprobePath })) {
    if (path !== undefined && !isProgram(path)) throw new StartError(`${name} is not a program that can be run`);
  }
}

/** Searches both programs once, when they are first needed; `onMissing` gets those that are missing. */
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

/** The configured program, else the system's, else the bundled one: the first that runs. */
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
    const options = { timeout: 10_000, killSignal: 'SIGKILL', env: programEnvironment() } as const;
    execFile(program, ['-version'], options, (error) => resolve(error === null));
  });
}

/** The packages throw on platforms without a program. */
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
