import type { Clock } from '../ports/clock.ts';
import { type LightAbortSignal, onFirstAbort, throwIfAborted } from './light-abort.ts';

/**
 * Resolves after `delayMs` milliseconds of the clock.
 * @throws the reason of the first signal that is aborted. No timer is left then.
 */
export async function sleep(clock: Clock, delayMs: number, ...signals: readonly LightAbortSignal[]): Promise<void> {
  throwIfAborted(signals);
  await new Promise<void>((resolve, reject) => {
    const timer = clock.setTimeout(() => {
      stopListening();
      resolve();
    }, delayMs);
    const stopListening = onFirstAbort(signals, (reason) => {
      clock.clearTimeout(timer);
      reject(reason);
    });
  });
}
