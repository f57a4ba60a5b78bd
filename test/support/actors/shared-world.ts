import { allPartitions, type Ownership } from '../../../actors/ports/ownership.ts';
import type { SessionCommandsDeps } from '../../../actors/runtime/session-supervisor-deps.ts';
import { createDrivenClock, type DrivenClock } from '../kit/clock.ts';
import { createMemoryStore } from '../store/memory-store.ts';
import { createPlainSealer } from './plain-sealer.ts';
import { openWorld, type World } from './sessions-world.ts';

/** One of several processes over one store, each of which owns what the test says. */
export interface SharingWorld extends World {
  /** Whether it has the sessions' lease. */
  isOwner: boolean;
  /** How often the lease was taken. */
  epoch: number;
  /** The lease is this process's: it takes the sessions. */
  take(epoch: number): Promise<void>;
  /** It gives the sessions up, while it still has the lease; then it has it no more. */
  release(): Promise<void>;
}

/** Two processes; the sessions' views follow the log in each. The first has taken the sessions. @param options of both */
export async function createSharedWorlds(
  options: Partial<SessionCommandsDeps> = {},
): Promise<{ clock: DrivenClock; one: SharingWorld; two: SharingWorld }> {
  const clock = createDrivenClock();
  const below = createMemoryStore(clock);
  const sealer = createPlainSealer();
  const open = (run: number): SharingWorld => {
    const ownership: Ownership = {
      owns: () => world.isOwner,
      ownsPartition: () => world.isOwner,
      epochOf: () => world.epoch,
      newSessionId: (draw) => (world.isOwner ? draw() : undefined),
    };
    const opened = openWorld(clock, below, sealer, run, { ...options, ownership });
    const world: SharingWorld = Object.assign(opened, {
      isOwner: false,
      epoch: -1,
      async take(epoch: number) {
        Object.assign(world, { isOwner: true, epoch });
        await world.sessions.take(allPartitions);
        await clock.settle();
      },
      async release() {
        await world.sessions.release(allPartitions);
        world.isOwner = false;
      },
    });
    below.subscribeAll({
      prefixes: ['session-'],
      onEvent: ({ stream, revision }) => world.sessions.foundRecorded(stream.slice('session-'.length), revision),
      onError: () => undefined,
    });
    return world;
  };
  const [one, two] = [open(1), open(2)];
  await one.take(0);
  return { clock, one, two };
}
