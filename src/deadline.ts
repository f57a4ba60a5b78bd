import type { Clock } from '../actors/clock.ts';

/**
 * Work that must end in time. Its signal is aborted, with the error as the reason, when the time is up, and what is
 * returned rejects with that error at once, whether or not the work listens to the signal.
 */
export async function withDeadline<T>(
  clock: Clock,
  delayMs: number,
  late: () => Error,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const running = work(controller.signal);
  let timer: ReturnType<Clock['setTimeout']> | undefined;
  try {
    return await Promise.race([
      running,
      new Promise<never>((_resolve, reject) => {
        timer = clock.setTimeout(() => {
          const error = late();
          reject(error);
          controller.abort(error);
        }, delayMs);
      }),
    ]);
  } finally {
    if (timer !== undefined) clock.clearTimeout(timer);
  }
}
