import type { Scene } from '../e2e/scene.ts';

/**
 * Runs what is due, again and again, until `work` settles. The gateway's clock stands still, or moves on by `stepMs`
 * between two round trips to the sandbox: a browser is a process of its own and needs real time.
 */
export async function pumpTime<T>(
  scene: Pick<Scene, 'clock'> & { sandbox: Pick<Scene['sandbox'], 'call'> },
  work: Promise<T>,
  stepMs = 0,
): Promise<T> {
  const settled = new AbortController();
  const settle = (): void => settled.abort();
  work.then(settle, settle);
  while (!settled.signal.aborted) {
    await scene.clock.advance(stepMs);
    await scene.sandbox.call('GET', '/stats');
  }
  return work;
}
