import type { NodeReport } from '../../cluster/cluster.ts';
import { partitionCount } from '../../cluster/partitions.ts';
import { iso } from '../session/session-object.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import type { Nodes } from './schemas.ts';

/** `GET /nodes` (CL6), inside the authentication of `sessions:read`. */
export function nodesRoute(app: App, { cluster, about, clock }: Pick<AppDeps, 'cluster' | 'about' | 'clock'>): void {
  const alone = (): NodeReport => ({
    name: about.node,
    url: '',
    version: about.version,
    startedAt: about.startedAt,
    isSelf: true,
    partitions: Array.from({ length: partitionCount }, (_, partition) => partition),
    heardOfMsAgo: 0,
  });
  app.get('/nodes', ({ caller }): Nodes => {
    const nodes = cluster?.nodes() ?? [alone()];
    const docs = nodes.map(({ name, url, version, startedAt, isSelf, partitions, heardOfMsAgo }) => ({
      name,
      self: isSelf,
      // It is no address of theirs.
      url: caller.powers.tenant === undefined ? url : '',
      version,
      started: iso(startedAt),
      heard: iso(clock.now() - Math.round(heardOfMsAgo)),
      partitions: [...partitions],
    }));
    return { docs: docs.toSorted((one, other) => (one.name < other.name ? -1 : 1)) };
  });
}
