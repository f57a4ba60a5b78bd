import { hostname } from 'node:os';
import { TimeoutError, withTimeout } from '../../../actors/kit/timeout.ts';
import type { Clock } from '../../../actors/ports/clock.ts';
import { type Ownership, soleOwner } from '../../../actors/ports/ownership.ts';
import type { Sessions } from '../../../actors/runtime/sessions.ts';
import { ClusterNodes } from '../../cluster/cluster-nodes.ts';
import { type Hops, type HopsDeps, openHops } from '../../hop/hops.ts';
import { gatewayVersion } from '../../http/openapi/version.ts';
import type { OperatorMetrics } from '../../metrics/operator-metrics.ts';
import { openStore } from '../../store/events/open-store.ts';
import type { ComposeContext } from '../context.ts';

/** Characters of the end of an ID: they tell one start of a machine's gateway from the others. */
const nameLength = 8;

/** The rest of the time that a stop may take is for open requests. */
const leaveMs = 5_000;

/** A name for this start of the gateway. Among several nodes it is unique. */
export const nodeNameOf = ({ config, randomness }: Pick<ComposeContext, 'config' | 'randomness'>): string =>
  config.cluster === undefined ? hostname() : `${hostname()}-${randomness.uuid().slice(-nameLength)}`;

/** How this process shares its store with others. */
export interface Membership {
  /** Undefined: it is alone. */
  nodes: ClusterNodes | undefined;
  ownership: Ownership;
}

/**
 * The leases have connections to the store of their own: a renewal must not wait behind thousands of appends, those of the sessions
 * that were just taken for example. What is written there is neither measured nor remembered.
 * @throws {StoreUrlError}
 */
export async function createMembership(
  { config, clock, randomness, log, unreadable, nodeName, onEnd }: ComposeContext,
  addMeter: OperatorMetrics['addCluster'],
): Promise<Membership> {
  const { cluster, eventStoreUrl, streamPrefix } = config;
  if (cluster === undefined) return { nodes: undefined, ownership: soleOwner };
  // The other connections say in the log when the store is away.
  const store = await openStore(eventStoreUrl, { clock, randomness, streamPrefix });
  onEnd(() => store.close());
  const meter = addMeter(() => nodes.nodes().find(({ isSelf }) => isSelf)?.partitions.length ?? 0);
  const nodes: ClusterNodes = new ClusterNodes(
    { store, clock, random: randomness, log, reportUnreadable: unreadable.report, meter },
    {
      self: { name: nodeName, url: cluster.url, version: gatewayVersion, startedAt: clock.now() },
      leaseMs: cluster.leaseMs,
    },
  );
  return { nodes, ownership: nodes };
}

/** What the nodes ask each other for. */
interface AskedOfOthers {
  /** An external ID stays reserved until this has resolved too. */
  namesShownBy: (awaitOthers: (position: bigint) => Promise<void>) => void;
  sessions: Pick<Sessions, 'haveAllStarted'>;
  keysInUse: HopsDeps['logins'];
  sends: HopsDeps['sends'];
}

/** Requests from this node to the others; undefined: it is alone. */
export function openNodeHops(
  { config, clock, randomness, onEnd }: ComposeContext,
  nodes: ClusterNodes | undefined,
  { counts }: Pick<OperatorMetrics, 'counts'>,
  { sessions, keysInUse: logins, sends, namesShownBy }: AskedOfOthers,
): Hops | undefined {
  if (nodes === undefined || config.cluster === undefined) return undefined;
  const { key: clusterKey } = config.cluster;
  const onForwarded: HopsDeps['onForwarded'] = (outcome) => counts.forwarded(outcome);
  const haveAllStarted = (): boolean => sessions.haveAllStarted();
  const asked = { logins, haveAllStarted, sends };
  const hops = openHops({ cluster: nodes, clusterKey, clock, random: randomness, onForwarded, ...asked });
  namesShownBy((position) => hops.seen.waitFor(position));
  nodes.register(hops.requests);
  // Until then requests are passed on.
  onEnd(() => nodes.end());
  onEnd(() => hops.close());
  return hops;
}

/** Joins the others. Resolves when this node takes its share, and serves what it has; never if it is stopped before. */
export async function joinOthers(nodes: ClusterNodes): Promise<void> {
  await nodes.start().catch(() => new Promise<never>(() => {}));
  const never = new AbortController();
  while (!nodes.isSettled) await nodes.changed(never.signal);
}

/** Gives everything up. If the store is away the leases end by themselves, and nothing is waited for. */
export async function leaveOthers(nodes: ClusterNodes, clock: Clock): Promise<void> {
  const late = (): Error => new TimeoutError('the node did not give everything up in time');
  try {
    await withTimeout(clock, leaveMs, late, () => nodes.leave());
  } catch {
    nodes.abandon();
  }
}
