import type { Cluster, NodeReport } from '../cluster/cluster.ts';
import type { NodeCalls } from './node-calls.ts';

export const sessionCountPath = '/nodes/sessions';

/** `POST /nodes/sessions`: the live sessions that a node acts for. */
export interface SessionCountAnswer {
  sessions: number;
}

/** A node that takes longer is left out. */
const maxMs = 1_000;

/** How many sessions each of the other nodes acts for, by its name. One that does not answer is not in it. */
export async function sessionCounts({
  cluster,
  calls,
}: {
  cluster: Pick<Cluster, 'nodes'>;
  calls: Pick<NodeCalls, 'call'>;
}): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  const ask = async (node: NodeReport): Promise<void> => {
    const answer = await calls.call<{ sessions: number }>(node, sessionCountPath, {}, maxMs).catch(() => undefined);
    if (answer !== undefined) counts.set(node.name, answer.sessions);
  };
  await Promise.all(
    cluster
      .nodes()
      .filter(({ isSelf }) => !isSelf)
      .map(ask),
  );
  return counts;
}
