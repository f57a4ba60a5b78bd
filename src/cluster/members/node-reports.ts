import type { NodeReport } from '../cluster.ts';
import type { LeaseKeeper } from '../leases/lease-keeper.ts';
import type { Members } from './members.ts';

/** Other nodes, each with the partitions that it holds. */
export const reportsOf = (
  members: ReturnType<Members['live']>,
  keeper: Pick<LeaseKeeper, 'which' | 'holderOf'>,
): NodeReport[] =>
  members.map(({ node, heardOfMsAgo }) => ({
    ...node,
    isSelf: false,
    partitions: keeper.which((partition) => keeper.holderOf(partition) === node.name),
    heardOfMsAgo,
  }));
