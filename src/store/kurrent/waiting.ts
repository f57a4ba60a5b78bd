import type { Clock, TimerHandle } from '../../../actors/clock.ts';

/** Nothing came for as long as one is willing to wait. */
export class NoAnswerError extends Error {
  override name = 'NoAnswerError';
}

/**
 * What the work comes to, unless it takes longer. The work itself goes on: it cannot be called back.
 * @throws {NoAnswerError} it took longer.
 */
export function withDeadline<T>(clock: Clock, deadlineMs: number, work: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const timer = clock.setTimeout(() => reject(new NoAnswerError(`no answer within ${deadlineMs} ms`)), deadlineMs);
    work.then(
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

/** Resolves after a time, or at once when the signal is given. */
export function pause(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) {
      resolve();
      return;
    }
    const handles: { timer?: TimerHandle } = {};
    const end = (): void => {
      if (handles.timer !== undefined) clock.clearTimeout(handles.timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    handles.timer = clock.setTimeout(end, delayMs);
    signal?.addEventListener('abort', end);
  });
}
