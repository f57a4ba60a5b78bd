import type { Scene } from '../e2e/scene.ts';

/** The gateway's time stands still until the work is done, but what is due at once happens. */
export async function meanwhile<T>(scene: Scene, work: Promise<T>): Promise<T> {
  const done = new AbortController();
  const settle = (): void => done.abort();
  work.then(settle, settle);
  while (!done.signal.aborted) {
    await scene.clock.advance(0);
    await scene.sandbox.call('GET', '/stats');
  }
  return work;
}
