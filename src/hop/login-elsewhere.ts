import { SessionsStartingError } from '../../actors/runtime/sessions.ts';
import type { Cluster, NodeReport } from '../cluster/cluster.ts';
import { partitionCount } from '../cluster/partitions.ts';
import type { NodeCalls } from './node-calls.ts';

export const loginsPath = '/nodes/logins';

/** `POST /nodes/logins`: what a node knows of a login. */
export type LoginUse = {
  /** A session of the node has the login. */
  isUsed: boolean;
  /** The partitions whose sessions' logins the node knows. */
  partitions: number[];
};

/** The logins of this process's sessions. */
export interface OwnLogins {
  /** The session of this process that has the login key of this hash. */
  ownerOf(hash: string): string | undefined;
  /** Resolves when no stored login is being read. */
  loaded(): Promise<void>;
}

interface LoginHereDeps {
  cluster: Pick<Cluster, 'served'>;
  logins: OwnLogins;
  /** Whether every session of this process has begun to read its login. */
  haveAllStarted: () => boolean;
}

export interface LoginElsewhereDeps extends LoginHereDeps {
  cluster: Pick<Cluster, 'nodes' | 'served'>;
  calls: Pick<NodeCalls, 'call'>;
}

const maxMs = 5_000;

/**
 * Whether a session of another node has a login (LG2): Telegram ends a login that is used in two places. The owners of all
 * partitions have to answer: the logins of a partition that changes hands are known to none.
 * @param hash of the login's key
 * @throws {SessionsStartingError} a node does not answer, or a partition has no owner that knows its logins
 */
export async function isLoginElsewhere(deps: LoginElsewhereDeps, hash: string): Promise<boolean> {
  const { cluster, calls } = deps;
  const ask = (node: NodeReport): Promise<LoginUse> =>
    calls.call<LoginUse>(node, loginsPath, { hash }, maxMs).catch((cause: unknown) => {
      throw new SessionsStartingError('another node does not answer', { cause });
    });
  const others = cluster.nodes().filter(({ isSelf }) => !isSelf);
  const [own, ...answers] = await Promise.all([loginHere(deps, hash), ...others.map(ask)]);
  if (answers.some(({ isUsed }) => isUsed)) return true;
  const known = new Set([own, ...answers].flatMap(({ partitions }) => partitions));
  if (known.size < partitionCount) throw new SessionsStartingError('sessions are still starting at another node');
  return false;
}

/** What this node answers. */
export async function loginHere({ cluster, logins, haveAllStarted }: LoginHereDeps, hash: string): Promise<LoginUse> {
  await logins.loaded();
  const isUsed = logins.ownerOf(hash) !== undefined;
  return { isUsed, partitions: haveAllStarted() ? [...cluster.served()] : [] };
}
