import type { LightAbortSignal } from '../../actors/kit/light-abort.ts';
import { sleep } from '../../actors/kit/sleep.ts';
import type { Clock } from '../../actors/ports/clock.ts';
import { isUnreadable } from '../../actors/ports/event-codec.ts';
import type { EventStore } from '../../actors/ports/event-store.ts';
import { leaseCodec, leaseStream } from './lease-codec.ts';
import { partitionCount } from './partitions.ts';

/** Between two looks at a lease that is held. */
const lookMs = 1_000;
/**
 * The number of leases that are read, evenly spread. Live nodes hold every lease but the one that changes hands, so a few are
 * enough.
 */
const leasesRead = 4;

interface HeldLease {
  stream: string;
  node: string;
  lifeMs: number;
  revision: number;
}

/**
 * Finds a node that has the store. A lease that is held is watched for a life: its holder renews it meanwhile, unless it is
 * gone.
 * @returns the name of a node that lives; undefined if there is none
 * @throws {StoreUnavailableError} and the signal's reason
 */
export async function findLiveNode(
  store: Pick<EventStore, 'last'>,
  clock: Clock,
  signal: LightAbortSignal,
): Promise<string | undefined> {
  const partitions = Array.from({ length: leasesRead }, (_, index) => (index * partitionCount) / leasesRead);
  const ends = await Promise.all(partitions.map((partition) => endOf(store, leaseStream(partition))));
  // A node renews all that it has, so that one of its leases tells of it.
  const held = new Map(ends.flatMap((lease) => (lease === undefined ? [] : [[lease.node, lease]])));
  const from = clock.elapsed();
  while (held.size > 0) {
    await sleep(clock, lookMs, signal);
    for (const { stream, node, lifeMs, revision } of held.values()) {
      if ((await store.last(stream))?.revision !== revision) return node;
      if (clock.elapsed() - from >= lifeMs) held.delete(node);
    }
  }
  return undefined;
}

/** @returns undefined if no node holds the lease */
async function endOf(store: Pick<EventStore, 'last'>, stream: string): Promise<HeldLease | undefined> {
  const last = await store.last(stream);
  const event = last && leaseCodec.decode(last);
  if (event === undefined || isUnreadable(event) || event.type === 'LeaseReleased') return undefined;
  return { stream, revision: event.revision, ...event.data };
}
