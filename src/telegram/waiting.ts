import type { Clock } from '../../actors/clock.ts';

/** Resolves after `delayMs` of the clock. @throws the signal's reason when aborted; no timer is left behind. */
export function wait(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(reasonOf(signal));
      return;
    }
    const timer = clock.setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, delayMs);
    const onAbort = (): void => {
      clock.clearTimeout(timer);
      reject(reasonOf(signal));
    };
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** What the promise gives, unless the clock or the signal is faster. The promise itself goes on unobserved. */
export function within<T>(
  clock: Clock,
  limitMs: number,
  promise: Promise<T>,
  onLate: () => Error,
  signal?: AbortSignal,
): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      promise.catch(() => undefined);
      reject(reasonOf(signal));
      return;
    }
    const settle = (act: () => void): void => {
      clock.clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      act();
    };
    const timer = clock.setTimeout(() => settle(() => reject(onLate())), limitMs);
    const onAbort = (): void => settle(() => reject(reasonOf(signal)));
    signal?.addEventListener('abort', onAbort, { once: true });
    promise.then(
      (value) => settle(() => resolve(value)),
      (error: unknown) => settle(() => reject(error)),
    );
  });
}

function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new Error('aborted', { cause: reason });
}
