import type { NodeReport } from '../../cluster/cluster.ts';
import { partitionCount } from '../../cluster/partitions.ts';
import { iso } from '../session/session-object.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import type { Nodes } from './schemas.ts';

type Deps = Pick<AppDeps, 'cluster' | 'about' | 'clock' | 'hops' | 'sessions'>;

/** `GET /nodes` (CL6), inside the authentication of `sessions:read`. */
export function nodesRoute(app: App, { cluster, about, clock, hops, sessions }: Deps): void {
  const alone = (): NodeReport => ({
    name: about.node,
    url: '',
    version: about.version,
    startedAt: about.startedAt,
    isSelf: true,
    partitions: Array.from({ length: partitionCount }, (_, partition) => partition),
    heardOfMsAgo: 0,
  });
  app.get('/nodes', async ({ caller }): Promise<Nodes> => {
    // Neither the addresses nor the sessions of others are a tenant's.
    const isOperator = caller.powers.tenant === undefined;
    const counts = isOperator ? await hops?.sessionCounts() : undefined;
    const countOf = ({ name, isSelf }: NodeReport): number | null =>
      (isOperator && isSelf ? sessions.liveCount() : counts?.get(name)) ?? null;
    const report = (node: NodeReport, live: boolean): Nodes['docs'][number] => ({
      name: node.name,
      self: node.isSelf,
      url: isOperator ? node.url : '',
      version: node.version,
      started: iso(node.startedAt),
      heard: iso(clock.now() - Math.round(node.heardOfMsAgo)),
      live,
      sessions: live ? countOf(node) : null,
      partitions: [...node.partitions],
    });
    const live = (cluster?.nodes() ?? [alone()]).map((node) => report(node, true));
    const silent = (cluster?.silentNodes() ?? []).map((node) => report(node, false));
    return { docs: [...live, ...silent].toSorted((one, other) => (one.name < other.name ? -1 : 1)) };
  });
}
