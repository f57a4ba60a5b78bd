import type { Clock, Randomness } from '../../actors/ports/clock.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { isLoginElsewhere } from './login-elsewhere.ts';
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
  logins: LoginKeys;
}

/** The login keys of this process's sessions, by their hashes. */
interface LoginKeys {
  ownerOf(hash: string): string | undefined;
  asksElsewhere(ask: (hash: string) => Promise<boolean>): void;
}

/** Requests from this node to the others. */
export interface Hops {
  calls: NodeCalls;
  forwarder: RequestForwarder;
  seen: SeenEverywhere;
  /** See {@link wholeBacklog}. */
  backlogOf: (own: PendingDeliveries, tenant: string | undefined) => Promise<PendingDeliveries>;
  /** Whether a session of this node has the login key of this hash. See {@link isLoginElsewhere}. */
  hasLogin: (hash: string) => boolean;
  close: () => Promise<void>;
}

export function openHops(deps: HopsDeps): Hops {
  const connections = new NodeConnections();
  const calls = new NodeCalls({ ...deps, connections });
  const { cluster, logins } = deps;
  logins.asksElsewhere((hash) => isLoginElsewhere({ cluster, calls }, hash));
  return {
    calls,
    forwarder: new RequestForwarder({ ...deps, connections }),
    seen: new SeenEverywhere({ ...deps, calls }),
    backlogOf: (own, tenant) => wholeBacklog({ ...deps, calls }, own, tenant),
    hasLogin: (hash) => {
      const owner = logins.ownerOf(hash);
      // It may have had the session once.
      return owner !== undefined && cluster.owns(owner);
    },
    close: () => connections.close(),
  };
}
