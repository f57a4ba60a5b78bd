import type { Cluster, ClusterNode } from '../cluster/cluster.ts';
import type { NodeCalls } from './node-calls.ts';

export const heldSessionsPath = '/nodes/held-sessions';

/** `POST /nodes/held-sessions`: those of the sessions that were asked for which the node holds (FA7.2). */
export type HeldSessionsAnswer = { ids: string[] };

export interface HeldElsewhereDeps {
  cluster: Pick<Cluster, 'placeOf'>;
  calls: Pick<NodeCalls, 'call'>;
}

/** Of a node that takes longer, no session is known to be held. */
const maxMs = 1_000;

/** Which of these sessions are held by other nodes. Each of their owners is asked once. */
export async function heldElsewhere(
  { cluster, calls }: HeldElsewhereDeps,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const asked = new Map<string, { node: ClusterNode; ids: string[] }>();
  for (const id of ids) {
    const place = cluster.placeOf(id);
    if (place.kind !== 'there') continue;
    const { node } = place;
    const question = asked.get(node.name) ?? { node, ids: [] };
    question.ids.push(id);
    asked.set(node.name, question);
  }
  const answers = await Promise.all(
    Array.from(asked.values(), ({ node, ids: wanted }) =>
      calls.call<HeldSessionsAnswer>(node, heldSessionsPath, { ids: wanted }, maxMs).catch(() => ({ ids: [] })),
    ),
  );
  return new Set(answers.flatMap(({ ids: held }) => held));
}
