import type { Clock, Randomness } from '../../actors/ports/clock.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { AccountMessage, AccountSends } from '../telegram/port/updates.ts';
import { ExternalIdsElsewhere } from './external-ids.ts';
import { isLoginElsewhere } from './login-elsewhere.ts';
import { NodeCalls } from './node-calls.ts';
import { NodeConnections } from './node-connections.ts';
import type { PassOutcome } from './passed-request.ts';
import { RequestForwarder } from './request-forwarder.ts';
import { SeenEverywhere } from './seen-everywhere.ts';
import { type SentAnswer, SentElsewhere, sentHere } from './sent-elsewhere.ts';
import { sessionCounts } from './session-counts.ts';
import { type ShownStatus, webhookStatuses } from './webhook-statuses.ts';
import { type PendingDeliveries, wholeBacklog } from './whole-backlog.ts';

export interface HopsDeps {
  cluster: Cluster;
  /** `CLUSTER_KEY` */
  clusterKey: string;
  clock: Clock;
  random: Pick<Randomness, 'uuid'>;
  onForwarded: (outcome: PassOutcome) => void;
  logins: LoginKeys;
  sends: AccountSends;
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
  externalIds: ExternalIdsElsewhere;
  /** See {@link sessionCounts}. */
  sessionCounts: () => Promise<ReadonlyMap<string, number>>;
  /** See {@link webhookStatuses}. */
  webhookStatuses: (ids: readonly string[]) => Promise<ReadonlyMap<string, ShownStatus>>;
  /** Whether a session of this node has the login key of this hash. See {@link isLoginElsewhere}. */
  hasLogin: (hash: string) => boolean;
  /** See {@link sentHere}. */
  hasSent: (message: AccountMessage) => Promise<SentAnswer>;
  close: () => Promise<void>;
}

export function openHops(deps: HopsDeps): Hops {
  const connections = new NodeConnections();
  const calls = new NodeCalls({ ...deps, connections });
  const { cluster, logins, sends } = deps;
  logins.asksElsewhere((hash) => isLoginElsewhere({ cluster, calls }, hash));
  const sentElsewhere = new SentElsewhere({ ...deps, calls });
  sends.asksElsewhere((message, signal) => sentElsewhere.isSent(message, signal));
  return {
    calls,
    forwarder: new RequestForwarder({ ...deps, connections }),
    seen: new SeenEverywhere({ ...deps, calls }),
    backlogOf: (own, tenant) => wholeBacklog({ ...deps, calls }, own, tenant),
    externalIds: new ExternalIdsElsewhere({ ...deps, calls }),
    sessionCounts: () => sessionCounts({ cluster, calls }),
    webhookStatuses: (ids) => webhookStatuses({ cluster, calls }, ids),
    hasLogin: (hash) => {
      const owner = logins.ownerOf(hash);
      // It may have had the session once.
      return owner !== undefined && cluster.owns(owner);
    },
    hasSent: (message) => sentHere(deps, message),
    close: () => connections.close(),
  };
}
