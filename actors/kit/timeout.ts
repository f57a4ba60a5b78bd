import type { Clock, TimerHandle } from '../ports/clock.ts';
import { LightAbort, type LightAbortSignal, onFirstAbort, throwIfAborted } from './light-abort.ts';

/** No answer in time. A retry may get one. */
export class TimeoutError extends Error {
  override name = 'TimeoutError';
  readonly retryable = true;
}

/** Stops the time until the returned function is called. Not to be called again before that. */
export type PauseTimeout = () => () => void;

/** Work that listens to a signal, or may ignore it. */
export type AbortableWork<T> = (signal: LightAbortSignal, pause: PauseTimeout) => Promise<T>;

/**
 * Runs work that has to end within `delayMs` milliseconds. When the time is up, or when one of the signals is aborted, the
 * work's signal is aborted and the returned promise rejects at once, whether or not the work has ended. Work that ignores
 * its signal continues unobserved.
 * @param late makes the error for a time-out
 * @throws what `late` returns, the reason of a signal, or what the work throws
 */
export function withTimeout<T>(
  clock: Clock,
  delayMs: number,
  late: () => Error,
  work: AbortableWork<T>,
  ...signals: readonly (LightAbortSignal | undefined)[]
): Promise<T> {
  return new Promise((resolve, reject) => {
    throwIfAborted(signals);
    const stop = new LightAbort();
    const end = (reason: Error): void => {
      settle();
      reject(reason);
      stop.abort(reason);
    };
    let isSettled = false;
    let leftMs = delayMs;
    let since = clock.elapsed();
    const arm = (): TimerHandle => clock.setTimeout(() => end(late()), leftMs);
    let timer = arm();
    const pause: PauseTimeout = () => {
      clock.clearTimeout(timer);
      leftMs -= clock.elapsed() - since;
      return () => {
        since = clock.elapsed();
        if (!isSettled) timer = arm();
      };
    };
    const stopListening = onFirstAbort(signals, end);
    const settle = (): void => {
      isSettled = true;
      clock.clearTimeout(timer);
      stopListening();
    };
    started(work, stop, pause).then(
      (value) => {
        settle();
        resolve(value);
      },
      (error: unknown) => {
        settle();
        reject(error);
      },
    );
  });
}

/**
 * Like {@link withTimeout}, but settles only when the work has ended: for work that holds a process, a file or a place in
 * a semaphore until then. The work has to listen to its signal.
 * @throws what the work throws: the reason of its signal, as a rule
 */
export async function abortAfter<T>(
  clock: Clock,
  delayMs: number,
  late: () => Error,
  work: (signal: LightAbortSignal) => Promise<T>,
  ...signals: readonly (LightAbortSignal | undefined)[]
): Promise<T> {
  throwIfAborted(signals);
  const stop = new LightAbort();
  const timer = clock.setTimeout(() => stop.abort(late()), delayMs);
  const stopListening = onFirstAbort(signals, (reason) => stop.abort(reason));
  try {
    return await work(stop);
  } finally {
    clock.clearTimeout(timer);
    stopListening();
  }
}

/** A throw before the first promise is a rejection too. */
async function started<T>(work: AbortableWork<T>, signal: LightAbortSignal, pause: PauseTimeout): Promise<T> {
  return await work(signal, pause);
}
