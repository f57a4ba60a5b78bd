import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import { GatewayError } from '../../errors/gateway-error.ts';

/** What `picture-program.ts` is told. */
export interface PictureTask {
  source: string;
  target: string;
  /** Pixels. */
  maxSide: number;
}

/** What it says: the JPEG's size in bytes, or why there is none, and what else it knows of that, for the log. */
export type MadePicture = { size: number } | { refused: string; cause: string };

/** See `makeJpeg`. Stopped, its process is killed. @throws also the signal's reason */
export type MakePicture = (task: PictureTask, signal: LightAbortSignal) => Promise<number>;

/**
 * Where the C library takes memory of this size and more from the system, and gives it back (mallopt(3)). By itself it
 * raises that limit to 32 MB as soon as it has met such pieces, and keeps what is smaller in one heap a thread: with
 * every other picture some more, until there are hundreds of megabytes.
 */
const returnedBytes = 1024 * 1024;
/** Once more for a process that had ended just then; a picture that ends two is no picture. */
const mostTries = 2;

/**
 * Has pictures made in processes of their own, which are kept for the next ones: whatever a file does to its decoder, the
 * gateway's memory and life are not in it. As many run as pictures are made at a time.
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
      if (made === undefined && tries < mostTries) continue;
      if (made === undefined) throw new GatewayError(500, 'error compress image: it is damaged');
      idle.add(child);
      if ('size' in made) return made.size;
      throw new GatewayError(500, made.refused, undefined, { cause: made.cause });
    }
  };
}

/** @returns undefined where the process has ended without an answer. @throws the signal's reason, it could not start */
function ask(child: ChildProcess, task: PictureTask, signal: LightAbortSignal): Promise<MadePicture | undefined> {
  return new Promise((resolve, reject) => {
    const kill = (): void => void child.kill('SIGKILL');
    const answered = (made: unknown): void => settle(() => resolve(made as MadePicture));
    // Not before it is gone: what it writes to is about to be removed.
    const ended = (): void => settle(() => (signal.aborted ? reject(signal.reason) : resolve(undefined)));
    const failed = (error: Error): void => settle(() => reject(error));
    const settle = (act: () => void): void => {
      signal.removeEventListener('abort', kill);
      child.off('message', answered).off('exit', ended).off('error', failed);
      // Waiting for more work, it keeps nobody from ending.
      child.unref();
      child.channel?.unref();
      act();
    };
    signal.addEventListener('abort', kill, { once: true });
    child.on('message', answered).on('exit', ended).on('error', failed);
    child.ref();
    child.channel?.ref();
    // Where it can't be told any more, it has ended, or is about to.
    child.send(task, () => undefined);
  });
}

function startProgram(): ChildProcess {
  const isSource = import.meta.url.endsWith('.ts');
  const program = new URL(`./picture-program${isSource ? '.ts' : '.js'}`, import.meta.url);
  return fork(fileURLToPath(program), {
    execArgv: isSource ? ['--import', 'tsx'] : [],
    // Nothing of our own environment: it holds our secrets.
    env: { MALLOC_MMAP_THRESHOLD_: String(returnedBytes) },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}
