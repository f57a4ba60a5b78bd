import type { Clock, Randomness } from '../../actors/ports/clock.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { NodeCalls } from './node-calls.ts';
import { NodeConnections } from './node-connections.ts';
import type { PassOutcome } from './passed-request.ts';
import { RequestForwarder } from './request-forwarder.ts';
import { SeenEverywhere } from './seen-everywhere.ts';
import { type PendingDeliveries, wholeBacklog } from './whole-backlog.ts';

export interface HopsDeps {
  cluster: Cluster;
  /** `CLUSTER_KEY` */
  clusterKey: string;
  clock: Clock;
  random: Pick<Randomness, 'uuid'>;
  onForwarded: (outcome: PassOutcome) => void;
}

/** Requests from this node to the others. */
export interface Hops {
  calls: NodeCalls;
  forwarder: RequestForwarder;
  seen: SeenEverywhere;
  /** See {@link wholeBacklog}. */
  backlogOf: (own: PendingDeliveries, tenant: string | undefined) => Promise<PendingDeliveries>;
  close: () => Promise<void>;
}

export function openHops(deps: HopsDeps): Hops {
  const connections = new NodeConnections();
  const calls = new NodeCalls({ ...deps, connections });
  return {
    calls,
    forwarder: new RequestForwarder({ ...deps, connections }),
    seen: new SeenEverywhere({ ...deps, calls }),
    backlogOf: (own, tenant) => wholeBacklog({ ...deps, calls }, own, tenant),
    close: () => connections.close(),
  };
}
