import type { Clock } from '../ports/clock.ts';
import { LightAbort, type LightAbortSignal } from './light-abort.ts';

/**
 * Work that must end in time. Its signal is aborted, with the error as the reason, when the time is up, and what is
 * returned rejects with that error at once, whether or not the work listens to the signal.
 * @param until ends the work likewise, with its own reason
 */
export function withTimeout<T>(
  clock: Clock,
  delayMs: number,
  late: () => Error,
  work: (signal: LightAbortSignal) => Promise<T>,
  until?: LightAbortSignal,
): Promise<T> {
  const stop = new LightAbort();
  return new Promise((resolve, reject) => {
    until?.throwIfAborted();
    const settle = (): void => {
      clock.clearTimeout(timer);
      until?.removeEventListener('abort', follow);
    };
    const end = (error: Error): void => {
      settle();
      reject(error);
      stop.abort(error);
    };
    const follow = (): void => end(until?.reason as Error);
    const timer = clock.setTimeout(() => end(late()), delayMs);
    until?.addEventListener('abort', follow, { once: true });
    work(stop).then(
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
