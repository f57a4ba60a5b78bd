import type { Clock } from '../actors/clock.ts';
import { Stop, type StopSignal } from './stop-signal.ts';

/**
 * Work that must end in time. Its signal is aborted, with the error as the reason, when the time is up, and what is
 * returned rejects with that error at once, whether or not the work listens to the signal.
 */
export function withDeadline<T>(
  clock: Clock,
  delayMs: number,
  late: () => Error,
  work: (signal: StopSignal) => Promise<T>,
): Promise<T> {
  const stop = new Stop();
  return new Promise((resolve, reject) => {
    const timer = clock.setTimeout(() => {
      const error = late();
      reject(error);
      stop.abort(error);
    }, delayMs);
    work(stop).then(
      (value) => {
        clock.clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clock.clearTimeout(timer);
        reject(error);
      },
    );
  });
}
