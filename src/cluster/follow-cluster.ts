import type { EventStore, RecordedEvent, Subscription } from '../../actors/ports/event-store.ts';
import type { Log } from '../../actors/ports/log.ts';
import { type LeaseEventContent, leasePrefix } from './leases/lease-codec.ts';
import { type NodeEventContent, nodePrefix } from './members/node-codec.ts';

/** All but renewals: heartbeats tell of those, see `LeaseNews`. */
const types: (LeaseEventContent | NodeEventContent)['type'][] = ['LeaseTaken', 'LeaseReleased', 'NodeSeen', 'NodeLeft'];

/** Hears what becomes of leases and nodes, in one subscription, so that no node polls. */
export function followCluster(
  { store, log }: { store: Pick<EventStore, 'subscribeAll'>; log: Pick<Log, 'error'> },
  after: bigint,
  onEvent: (recorded: RecordedEvent) => void,
): Subscription {
  return store.subscribeAll({
    after,
    prefixes: [leasePrefix, nodePrefix],
    types,
    onEvent,
    onError: (err) => log.error({ where: 'store', err }, 'the other nodes cannot be followed'),
  });
}
