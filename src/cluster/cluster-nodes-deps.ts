import type { Clock, Randomness } from '../../actors/ports/clock.ts';
import type { ReportUnreadable } from '../../actors/ports/event-codec.ts';
import type { EventStore } from '../../actors/ports/event-store.ts';
import type { Log } from '../../actors/ports/log.ts';
import type { ClusterNode } from './cluster.ts';
import type { ClusterMeter } from './cluster-meter.ts';

export interface ClusterNodesDeps {
  store: Pick<EventStore, 'append' | 'last' | 'truncate' | 'erase' | 'subscribeAll'>;
  clock: Clock;
  random: Randomness;
  log: Log;
  reportUnreadable: ReportUnreadable;
  meter: ClusterMeter;
}

export interface ClusterNodesOptions {
  self: ClusterNode;
  /** Life of a lease, in milliseconds. Default: 15 seconds. */
  leaseMs?: number;
  /** How many partitions have a lease; the others have no owner. For tests. Default: all. */
  partitions?: number;
}
