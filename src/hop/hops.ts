import type { Clock, Randomness } from '../../actors/ports/clock.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { AccountMessage, AccountSends } from '../telegram/port/updates.ts';
import { NodeChannels } from './channel/node-channels.ts';
import { heldElsewhere } from './held-elsewhere.ts';
import { externalIdHolds, HoldsElsewhere, sessionLimitHolds } from './holds-elsewhere.ts';
import { isLoginElsewhere, type LoginUse, loginHere, type OwnLogins } from './login-elsewhere.ts';
import { NodeCalls } from './node-calls.ts';
import { NodeConnections } from './node-connections.ts';
import type { PassOutcome } from './passed-request.ts';
import { RequestForwarder } from './request-forwarder.ts';
import { RequestsUnderWay } from './requests-under-way.ts';
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
  logins: AskingLogins;
  /** Whether every session of this process has begun to read its login. */
  haveAllStarted: () => boolean;
  sends: AccountSends;
}

interface AskingLogins extends OwnLogins {
  /**
   * @param ask whether another process has a session with the login key of this hash
   * @param owns whether this process acts for a session
   */
  asksElsewhere(ask: (hash: string) => Promise<boolean>, owns: (sessionId: string) => boolean): void;
}

/** Requests from this node to the others. */
export interface Hops {
  calls: NodeCalls;
  forwarder: RequestForwarder;
  /** A part of the node: see {@link RequestsUnderWay}. */
  requests: RequestsUnderWay;
  seen: SeenEverywhere;
  /** See {@link wholeBacklog}. */
  backlogOf: (own: PendingDeliveries, tenant: string | undefined) => Promise<PendingDeliveries>;
  externalIds: HoldsElsewhere;
  sessionLimits: HoldsElsewhere;
  /** See {@link sessionCounts}. */
  sessionCounts: () => Promise<ReadonlyMap<string, number>>;
  /** See {@link heldElsewhere}. */
  heldElsewhere: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
  /** See {@link webhookStatuses}. */
  webhookStatuses: (ids: readonly string[]) => Promise<ReadonlyMap<string, ShownStatus>>;
  /** See {@link loginHere}. */
  loginHere: (hash: string) => Promise<LoginUse>;
  /** See {@link sentHere}. */
  hasSent: (message: AccountMessage) => Promise<SentAnswer>;
  close: () => Promise<void>;
}

export function openHops(deps: HopsDeps): Hops {
  const connections = new NodeConnections();
  const channels = new NodeChannels(deps);
  const calls = new NodeCalls({ ...deps, connections });
  const { cluster, logins, sends } = deps;
  const isElsewhere = (hash: string): Promise<boolean> => isLoginElsewhere({ ...deps, calls }, hash);
  logins.asksElsewhere(isElsewhere, (sessionId) => cluster.owns(sessionId));
  const sentElsewhere = new SentElsewhere({ ...deps, calls });
  sends.asksElsewhere((message, signal) => sentElsewhere.isSent(message, signal));
  return {
    calls,
    forwarder: new RequestForwarder({ ...deps, connections, channels }),
    requests: new RequestsUnderWay(),
    seen: new SeenEverywhere({ ...deps, calls }),
    backlogOf: (own, tenant) => wholeBacklog({ ...deps, calls }, own, tenant),
    externalIds: new HoldsElsewhere({ ...deps, calls }, externalIdHolds),
    sessionLimits: new HoldsElsewhere({ ...deps, calls }, sessionLimitHolds),
    sessionCounts: () => sessionCounts({ cluster, calls }),
    heldElsewhere: (ids) => heldElsewhere({ cluster, calls }, ids),
    webhookStatuses: (ids) => webhookStatuses({ cluster, calls }, ids),
    loginHere: (hash) => loginHere(deps, hash),
    hasSent: (message) => sentHere(deps, message),
    close: () => {
      channels.close();
      return connections.close();
    },
  };
}
