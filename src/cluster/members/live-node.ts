import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import { sleep } from '../../../actors/kit/sleep.ts';
import type { Clock } from '../../../actors/ports/clock.ts';
import { isUnreadable } from '../../../actors/ports/event-codec.ts';
import type { EventStore } from '../../../actors/ports/event-store.ts';
import { leaseCodec, leaseStream } from '../leases/lease-codec.ts';
import { defaultLeaseMs } from '../leases/lease-times.ts';
import { partitionCount } from '../partitions.ts';

/** Between two looks at a lease that is held. */
const lookMs = 1_000;
/** The number of leases that are watched, evenly spread. Live nodes hold all leases but the one that changes hands. */
const leasesWatched = 4;

interface HeldLease {
  stream: string;
  node: string;
  lifeMs: number;
  revision: number;
}

/**
 * Finds a node that uses the store. Leases that are held are watched for a life: a holder that is alive renews its leases
 * in that time.
 * @returns the name of a live node; undefined if there is none
 * @throws {StoreUnavailableError} and the signal's reason
 */
export async function findLiveNode(
  store: Pick<EventStore, 'last'>,
  clock: Clock,
  signal: LightAbortSignal,
): Promise<string | undefined> {
  const streams = Array.from({ length: leasesWatched }, (_, index) =>
    leaseStream((index * partitionCount) / leasesWatched),
  );
  const from = clock.elapsed();
  let watched = await readHeld(store, streams);
  while (watched.length > 0) {
    await sleep(clock, lookMs, signal);
    const ends = new Map((await readHeld(store, streams)).map((lease) => [lease.stream, lease]));
    const changed = watched.find(({ stream, revision }) => (ends.get(stream)?.revision ?? revision) !== revision);
    if (changed !== undefined) return ends.get(changed.stream)?.node;
    const elapsedMs = clock.elapsed() - from;
    // A lease that is released has no holder any more.
    watched = watched.filter(({ stream, lifeMs }) => ends.has(stream) && elapsedMs < lifeMs);
  }
  return undefined;
}

/** The last events of those leases that are held. */
async function readHeld(store: Pick<EventStore, 'last'>, streams: readonly string[]): Promise<HeldLease[]> {
  const ends = await Promise.all(streams.map((stream) => readEnd(store, stream)));
  return ends.filter((end) => end !== undefined);
}

/** @returns undefined if no node holds the lease */
async function readEnd(store: Pick<EventStore, 'last'>, stream: string): Promise<HeldLease | undefined> {
  const last = await store.last(stream);
  if (last === undefined) return undefined;
  const event = leaseCodec.decode(last);
  const held = { stream, revision: last.revision };
  // A node of another version may have written it: it holds the lease, as far as is known (CL1.4).
  if (isUnreadable(event)) return { ...held, node: 'a node of another version', lifeMs: defaultLeaseMs };
  return event.type === 'LeaseReleased' ? undefined : { ...held, ...event.data };
}
