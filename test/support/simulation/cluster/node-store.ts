import { type EventStore, StoreUnavailableError } from '../../../../actors/ports/event-store.ts';
import type { DrivenClock } from '../../kit/clock.ts';
import { layerOver } from '../../store/layer-over.ts';
import type { Chance } from '../chance.ts';
import type { NodeClock } from './node-clock.ts';
import type { Trouble } from './trouble.ts';

/** An adapter gives a call up after this time. */
const timeoutMs = 4_000;
/** An adapter subscribes again so late after the store is back. */
const maxResubscribeMs = 5_000;

/** What the nodes and the store share. */
interface NodeStoreDeps {
  world: DrivenClock;
  clock: NodeClock;
  chance: Chance;
  trouble: Trouble;
  /** Name of the node. */
  node: string;
}

/**
 * The store as one node reaches it, over a network. A request may be lost, be late or arrive twice, and an answer may be lost.
 * What a killed node has sent arrives all the same.
 */
export function nodeStore(store: EventStore, deps: NodeStoreDeps): EventStore {
  const { world, clock, chance, trouble, node } = deps;
  const latencyMs = (): number => chance.between(1, 20);

  const call = <T>(work: () => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const timeout = clock.setTimeout(() => {
        trouble.gaveUp();
        reject(new StoreUnavailableError('no answer'));
      }, timeoutMs);
      const answer = (settle: () => void): void => {
        if (trouble.isAnswerLost(node)) return;
        world.setTimeout(() => {
          clock.run(() => {
            clock.clearTimeout(timeout);
            settle();
          });
        }, latencyMs());
      };
      const arrive = (): void => {
        if (!trouble.reachesStore(node)) return;
        work().then(
          (result) => answer(() => resolve(result)),
          (error: Error) => answer(() => reject(error)),
        );
      };
      for (const delayMs of trouble.fateOf()) world.setTimeout(arrive, delayMs + latencyMs());
    });

  const delivered = async (): Promise<void> => {
    await new Promise<void>((resolve) => void world.setTimeout(resolve, latencyMs()));
    while (trouble.isAway(node)) {
      trouble.deaf += 1;
      await trouble.back(node);
      await new Promise<void>((resolve) => void world.setTimeout(resolve, chance.between(0, maxResubscribeMs)));
      trouble.deaf -= 1;
    }
    await new Promise<void>((resolve) => clock.run(resolve));
  };

  return layerOver(store, {
    append: (...args) => call(() => store.append(...args)),
    last: (stream) => call(() => store.last(stream)),
    truncate: (...args) => call(() => store.truncate(...args)),
    erase: (stream) => call(() => store.erase(stream)),
    subscribeAll: ({ onEvent, ...options }) =>
      store.subscribeAll({
        ...options,
        onEvent: async (event) => {
          await delivered();
          await onEvent(event);
        },
      }),
  });
}
