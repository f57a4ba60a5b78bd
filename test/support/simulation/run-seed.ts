import { notConnected } from './simulated-telegram.ts';
import { stepsOf } from './steps.ts';
import type { Variant } from './variant.ts';
import { logOutKeptMs, World } from './world.ts';

export const stepsPerSeed = 200;

export interface Coverage {
  edges: Map<string, number>;
  happened: Map<string, number>;
}

/** A seed that broke a rule: add it to `pinned-seeds.ts` with a name. */
class SimulationFailure extends Error {
  override name = 'SimulationFailure';

  constructor(seed: number, trace: readonly string[], cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`seed ${seed}, step ${trace.length}: ${reason}\n  after: ${trace.slice(-25).join(', ')}`, { cause });
  }
}

/** Lives through one seed, step by step, and adds what happened to the coverage. */
export async function runSeed(seed: number, coverage: Coverage, variant: Variant = 'usual'): Promise<void> {
  const world = new World(seed, variant);
  const steps = stepsOf(variant);
  const trace: string[] = [];
  try {
    await world.clock.settle();
    while (trace.length < stepsPerSeed) {
      const { name, take } = world.chance.weighted(steps);
      if (!(await take(world))) continue;
      trace.push(name);
      await world.clock.settle();
      world.check();
    }
    trace.push('calm');
    await comeToRest(world);
    await world.checkEnd();
  } catch (error) {
    throw new SimulationFailure(seed, trace, error);
  }
  add(coverage.edges, world.witness.edges);
  add(coverage.happened, world.happened);
}

/** No faults and no news any more, and more time than any state may last. */
export async function comeToRest(world: World): Promise<void> {
  world.trouble.outage = undefined;
  world.trouble.calm = true;
  for (let round = 0; round < 4; round += 1) {
    const { store, telegram } = world.life;
    for (const link of telegram.open()) {
      for (const answer of [...link.passwords.splice(0), ...link.codes.splice(0)]) answer('rejected');
      for (const answer of [...link.firstLogins.splice(0), ...link.codeRequests.splice(0)]) answer(notConnected());
    }
    store.release('all');
    await world.clock.advance(60_000);
    while (telegram.posts.length > 0) telegram.deliver(0, false);
    await world.clock.settle();
    world.check();
  }
  await world.clock.advance(31 * 60_000 + world.setWallClockRight());
  // The sessions that have ended last may still be logged out.
  await world.clock.advance(logOutKeptMs);
}

function add(total: Map<string, number>, more: ReadonlyMap<string, number>): void {
  for (const [name, count] of more) total.set(name, (total.get(name) ?? 0) + count);
}
