import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { limitedCommand } from './limited-program.ts';

/** The request to `picture-program.ts`. */
export interface PictureTask {
  source: string;
  target: string;
  /** Pixels. */
  maxSide: number;
  /** See `makeJpeg`. */
  isPhoto?: boolean;
}

/** The answer: the JPEG's size in bytes, or why there is none, with details for the log. */
export type MadePicture = { size: number } | { refused: string; cause: string };

/** See `makeJpeg`. When it is aborted, its process is killed. @throws also the signal's reason */
export type MakePicture = (task: PictureTask, signal: LightAbortSignal) => Promise<number>;

/**
 * The C library takes blocks of this size and more directly from the system, and returns them (mallopt(3)). By default
 * it raises that limit to 32 MB once it has seen such blocks, and keeps smaller ones in a heap for each thread, which
 * grows with every image to hundreds of megabytes.
 */
const returnedBytes = 1024 * 1024;
/** Of a process: Node needs 250 MB of it, a picture up to 250 more (NB4.1). The second line: the first is the estimate. */
const maxProgramBytes = 640 * 1024 * 1024 + reservedBytes();
/** One retry, for a process that had just ended. An image that ends two processes is invalid. */
const maxAttempts = 2;

/**
 * Converts images in separate processes that are kept for the next ones: a file that harms its decoder affects neither
 * the gateway's memory nor its life. As many run as images are processed at a time.
 */
export function createPictures(): MakePicture {
  const idle = new Set<ChildProcess>();
  const start = (): ChildProcess => {
    const child = startProgram();
    child.once('exit', () => idle.delete(child));
    return child;
  };
  return async (task, signal) => {
    for (let tries = 1; ; tries++) {
      signal.throwIfAborted();
      const [waiting] = idle;
      const child = waiting ?? start();
      idle.delete(child);
      const made = await ask(child, task, signal);
      if (made === undefined && tries < maxAttempts) continue;
      if (made === undefined) throw new GatewayError(500, 'error compress image: it is damaged');
      idle.add(child);
      if ('size' in made) return made.size;
      throw new GatewayError(500, made.refused, undefined, { cause: made.cause });
    }
  };
}

/**
 * @returns undefined if the process ended without an answer
 * @throws the signal's reason, or it could not start
 */
function ask(child: ChildProcess, task: PictureTask, signal: LightAbortSignal): Promise<MadePicture | undefined> {
  return new Promise((resolve, reject) => {
    const kill = (): void => void child.kill('SIGKILL');
    const answered = (made: unknown): void => settle(() => resolve(made as MadePicture));
    // Waits for its end: the folder it writes to is about to be removed.
    const ended = (): void => settle(() => (signal.aborted ? reject(signal.reason) : resolve(undefined)));
    const failed = (error: Error): void => settle(() => reject(error));
    const settle = (act: () => void): void => {
      signal.removeEventListener('abort', kill);
      child.off('message', answered).off('exit', ended).off('error', failed);
      // An idle process does not keep the gateway from ending.
      child.unref();
      child.channel?.unref();
      act();
    };
    signal.addEventListener('abort', kill, { once: true });
    child.on('message', answered).on('exit', ended).on('error', failed);
    child.ref();
    child.channel?.ref();
    // If it cannot be told, it has ended or is about to.
    child.send(task, () => undefined);
  });
}

/**
 * Writable memory that this process has reserved: the limit counts it, touched or not. A process of Node 20 begins with
 * 50 MB, one of Node 24 with 570 MB. 0 where the system does not tell.
 */
function reservedBytes(): number {
  try {
    const [, kilobytes] = /^VmData:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}

function startProgram(): ChildProcess {
  const isSource = import.meta.url.endsWith('.ts');
  const program = new URL(`./picture-program${isSource ? '.ts' : '.js'}`, import.meta.url);
  const { command, args } = limitedCommand(process.execPath, { maxBytes: maxProgramBytes });
  return fork(fileURLToPath(program), {
    execPath: command,
    execArgv: [...args, ...(isSource ? ['--import', 'tsx'] : [])],
    // The gateway's environment is not passed on: it holds secrets.
    env: { MALLOC_MMAP_THRESHOLD_: String(returnedBytes) },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}
