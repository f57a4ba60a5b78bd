import { clusterSteps, endTrouble } from './steps.ts';
import { ClusterWorld, lifeMs } from './world.ts';

export const stepsPerSeed = 60;

/**
 * Longer than it takes until a killed node's stream is erased, three lives after its last heartbeat, which may arrive two lives
 * late; and until every partition is where it is placed.
 */
const restMs = 6 * lifeMs;

/** A seed that broke a rule: add it to `pinned-seeds.ts` with a name. */
class ClusterSimulationFailure extends Error {
  override name = 'ClusterSimulationFailure';

  constructor(seed: number, trace: readonly string[], cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`seed ${seed}, step ${trace.length}: ${reason}\n  after: ${trace.slice(-25).join(', ')}`, { cause });
  }
}

/** Lives through one seed, step by step, and adds what happened to the coverage. */
export async function runClusterSeed(seed: number, coverage: Map<string, number>): Promise<void> {
  const world = new ClusterWorld(seed);
  const trace: string[] = [];
  try {
    for (let nodes = world.chance.between(2, 3); nodes > 0; nodes -= 1) world.join();
    await world.clock.settle();
    while (trace.length < stepsPerSeed) {
      const { name, take } = world.chance.weighted(clusterSteps);
      if (!(await take(world))) continue;
      trace.push(name);
      await world.clock.settle();
      world.check();
    }
    trace.push('rest');
    endTrouble(world);
    if (world.running.length === 0) world.join();
    await world.pass(restMs);
    await world.checkEnd();
    trace.push('end');
    for (const node of world.running) world.stop(node);
    await world.pass(2 * lifeMs);
    await world.checkStopped();
  } catch (error) {
    throw new ClusterSimulationFailure(seed, trace, error);
  }
  for (const [name, count] of world.happened) coverage.set(name, (coverage.get(name) ?? 0) + count);
}
