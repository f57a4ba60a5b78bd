import type { Cluster, NodeReport } from '../cluster/cluster.ts';
import type { NodeCalls } from './node-calls.ts';

export const backlogPath = '/nodes/backlog';

/** `POST /nodes/backlog`: the deliveries that wait at one node. */
export type BacklogAnswer = {
  pending: number;
  /** Milliseconds since 1970; null if none waits. */
  oldestAt: number | null;
};

export interface PendingDeliveries {
  pending: number;
  /** Milliseconds since 1970. */
  oldestAt: number | undefined;
}

export interface WholeBacklogDeps {
  cluster: Pick<Cluster, 'nodes'>;
  calls: Pick<NodeCalls, 'call'>;
}

/** A node that takes longer is left out. */
const maxMs = 1_000;

/** The deliveries that wait at all nodes together, of one tenant or of all. Each node knows those of its own sessions alone. */
export async function wholeBacklog(
  { cluster, calls }: WholeBacklogDeps,
  own: PendingDeliveries,
  tenant: string | undefined,
): Promise<PendingDeliveries> {
  const ask = (node: NodeReport): Promise<BacklogAnswer> =>
    calls
      .call<BacklogAnswer>(node, backlogPath, tenant === undefined ? {} : { tenant }, maxMs)
      .catch(() => ({ pending: 0, oldestAt: null }));
  const others = await Promise.all(
    cluster
      .nodes()
      .filter(({ isSelf }) => !isSelf)
      .map(ask),
  );
  const oldest = Math.min(own.oldestAt ?? Infinity, ...others.map(({ oldestAt }) => oldestAt ?? Infinity));
  return {
    pending: others.reduce((sum, { pending }) => sum + pending, own.pending),
    oldestAt: oldest === Infinity ? undefined : oldest,
  };
}
