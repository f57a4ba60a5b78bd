import type { Clock } from '../../actors/ports/clock.ts';
import type { Cluster } from '../cluster/cluster.ts';

/** Resolves when something has changed among the nodes, or after that time. */
export async function awaitChange(cluster: Pick<Cluster, 'changed'>, clock: Clock, maxMs: number): Promise<void> {
  const stop = new AbortController();
  const timer = clock.setTimeout(() => stop.abort(), maxMs);
  await cluster.changed(stop.signal);
  clock.clearTimeout(timer);
}
