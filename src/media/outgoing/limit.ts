import { LightAbort, type LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import type { Clock } from '../../../actors/ports/clock.ts';

/** Work whose signal goes off with the caller's, and when the time is up. Ends when the work has ended, not before. */
export async function withLimit<T>(
  clock: Clock,
  limitMs: number,
  caller: LightAbortSignal,
  work: (signal: LightAbortSignal) => Promise<T>,
): Promise<T> {
  caller.throwIfAborted();
  const stop = new LightAbort();
  const follow = (): void => stop.abort(caller.reason as Error);
  const timer = clock.setTimeout(() => stop.abort(new Error(`took longer than ${limitMs} ms`)), limitMs);
  caller.addEventListener('abort', follow, { once: true });
  try {
    return await work(stop);
  } finally {
    clock.clearTimeout(timer);
    caller.removeEventListener('abort', follow);
  }
}
