import type { Scene } from '../e2e/scene.ts';

/** Runs what is due now, again and again, until `work` settles. The gateway's clock does not move forward. */
export async function pumpTime<T>(scene: Scene, work: Promise<T>): Promise<T> {
  const settled = new AbortController();
  const settle = (): void => settled.abort();
  work.then(settle, settle);
  while (!settled.signal.aborted) {
    await scene.clock.advance(0);
    await scene.sandbox.call('GET', '/stats');
  }
  return work;
}
