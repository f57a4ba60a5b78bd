import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import type { Clock } from '../../../actors/ports/clock.ts';

/** Resolves after `delayMs` of the clock. @throws a signal's reason when aborted; no timer is left behind. */
export function wait(clock: Clock, delayMs: number, ...signals: readonly LightAbortSignal[]): Promise<void> {
  return new Promise((resolve, reject) => {
    if (rejectIfAborted(signals, reject)) return;
    const settle = (): void => {
      clock.clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', onAbort);
    };
    const timer = clock.setTimeout(() => {
      settle();
      resolve();
    }, delayMs);
    const onAbort = (): void => {
      settle();
      rejectIfAborted(signals, reject);
    };
    for (const signal of signals) signal.addEventListener('abort', onAbort);
  });
}

/** What the promise gives, unless the clock or a signal is faster. The promise itself goes on unobserved. */
export function within<T>(
  clock: Clock,
  limitMs: number,
  promise: Promise<T>,
  onLate: () => Error,
  ...signals: readonly LightAbortSignal[]
): Promise<T> {
  return new Promise((resolve, reject) => {
    if (rejectIfAborted(signals, reject)) {
      promise.catch(() => undefined);
      return;
    }
    const settle = (): void => {
      clock.clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', onAbort);
    };
    const timer = clock.setTimeout(() => {
      settle();
      reject(onLate());
    }, limitMs);
    const onAbort = (): void => {
      settle();
      rejectIfAborted(signals, reject);
    };
    for (const signal of signals) signal.addEventListener('abort', onAbort);
    promise.then(
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

function rejectIfAborted(signals: readonly LightAbortSignal[], reject: (reason: Error) => void): boolean {
  const aborted = signals.find((signal) => signal.aborted);
  if (aborted === undefined) return false;
  const { reason } = aborted;
  reject(reason instanceof Error ? reason : new Error('aborted', { cause: reason }));
  return true;
}
