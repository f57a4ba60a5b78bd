import { SessionsStartingError } from '../../actors/runtime/sessions.ts';
import type { Cluster, NodeReport } from '../cluster/cluster.ts';
import type { NodeCalls } from './node-calls.ts';

export const loginsPath = '/nodes/logins';

/** `POST /nodes/logins`. */
export interface KeyAnswer {
  isUsed: boolean;
}

export interface LoginElsewhereDeps {
  cluster: Pick<Cluster, 'nodes'>;
  calls: Pick<NodeCalls, 'call'>;
}

const maxMs = 5_000;

/**
 * Whether a session of another node has a login's key (LG2): Telegram ends a login that is used in two places.
 * @param hash of the key
 * @throws {SessionsStartingError} a node does not answer
 */
export async function isLoginElsewhere({ cluster, calls }: LoginElsewhereDeps, hash: string): Promise<boolean> {
  const ask = (node: NodeReport): Promise<KeyAnswer> =>
    calls.call<{ isUsed: boolean }>(node, loginsPath, { hash }, maxMs).catch((cause: unknown) => {
      throw new SessionsStartingError('another node does not answer', { cause });
    });
  const others = cluster.nodes().filter(({ isSelf }) => !isSelf);
  const answers = await Promise.all(others.map(ask));
  return answers.some(({ isUsed }) => isUsed);
}
