import type { Cluster, ClusterNode } from '../cluster/cluster.ts';
import type { NodeCalls } from './node-calls.ts';

export const webhookStatusPath = '/nodes/webhooks';

/** How the deliveries of an operators' webhook go, as `GET /webhooks` shows it. */
export type ShownStatus = {
  pending: number;
  lastDelivered: string;
  lastError: string;
  lastFailed: string;
  nextAttempt: string;
  parked: number;
};

/** `POST /nodes/webhooks`: of those webhooks that were asked for and are the node's. */
export type WebhookStatusAnswer = { docs: { id: string; status: ShownStatus }[] };

export interface WebhookStatusesDeps {
  cluster: Pick<Cluster, 'placeOf'>;
  calls: Pick<NodeCalls, 'call'>;
}

/** A node that takes longer is left out. */
const maxMs = 1_000;

/** A webhook that has no owner for a moment, or whose owner does not answer. */
const unknown: ShownStatus = {
  pending: 0,
  lastDelivered: '',
  lastError: 'its node does not answer: nothing is known',
  lastFailed: '',
  nextAttempt: '',
  parked: 0,
};

/** The state of those operators' webhooks that other nodes deliver to, by their IDs. */
export async function webhookStatuses(
  { cluster, calls }: WebhookStatusesDeps,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ShownStatus>> {
  const statuses = new Map<string, ShownStatus>();
  const asked = new Map<string, { node: ClusterNode; ids: string[] }>();
  for (const id of ids) {
    const place = cluster.placeOf(id);
    if (place.kind === 'here') continue;
    statuses.set(id, unknown);
    if (place.kind !== 'there') continue;
    const { node } = place;
    const question = asked.get(node.name) ?? { node, ids: [] };
    question.ids.push(id);
    asked.set(node.name, question);
  }
  const ask = async ({ node, ids: wanted }: { node: ClusterNode; ids: string[] }): Promise<void> => {
    const answer = await calls
      .call<WebhookStatusAnswer>(node, webhookStatusPath, { ids: wanted }, maxMs)
      .catch(() => ({ docs: [] }));
    for (const { id, status } of answer.docs) statuses.set(id, status);
  };
  await Promise.all(Array.from(asked.values(), ask));
  return statuses;
}
