import type { EventStore } from '../../../actors/ports/event-store.ts';
import { KeyRegistry, type KeyRegistryDeps } from '../../../src/keys/key-registry.ts';
import { createDrivenClock, createSeededRandomness, type DrivenClock } from '../kit/clock.ts';
import { allReadable } from '../store/all-readable.ts';

/** The keys of one node, started. */
export async function startRegistry(
  store: EventStore,
  more: Partial<KeyRegistryDeps> & { seed?: number } = {},
): Promise<{ keys: KeyRegistry; clock: DrivenClock }> {
  const { seed = 1, ...deps } = more;
  const clock = (deps.clock as DrivenClock | undefined) ?? createDrivenClock();
  const random = createSeededRandomness(seed, clock);
  const onError = (error: unknown): void => {
    throw error;
  };
  const keys = new KeyRegistry({ store, clock, random, reportUnreadable: allReadable, onError, ...deps });
  await keys.start(0n);
  return { keys, clock };
}
