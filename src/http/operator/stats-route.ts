import { sessionStates } from '../../../actors/session/events.ts';
import { loginName, lossPrefix } from '../../../projections/activity/activity.ts';
import { type CountedBucket, connectedChange } from '../../../projections/activity/activity-buckets.ts';
import type { UsageCount } from '../../../projections/usage/usage-events.ts';
import { iso } from '../session/session-object.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import { type SessionStats, StatsQuery } from './stats-schemas.ts';

type Deps = Pick<AppDeps, 'views' | 'activity' | 'deliveries' | 'about' | 'hops'>;

/** `GET /sessions/stats` (OS3), inside the authentication of `sessions:read`; each key sees its tenant alone. */
export function statsRoute(app: App, { views, activity, deliveries, about, hops }: Deps): void {
  app.get(
    '/sessions/stats',
    { schema: { querystring: StatsQuery } },
    async ({ query, caller }): Promise<SessionStats> => {
      const { window = '1h', history } = query;
      const { tenant } = caller.powers;
      const { since, counts } = activity.counted(window, tenant);
      const inStates = views.countByState(tenant);
      const of = (name: UsageCount | typeof loginName): number => counts.get(name) ?? 0;
      const losses = [...counts]
        .filter(([name]) => name.startsWith(lossPrefix))
        .map(([name, count]) => ({ reason: name.slice(lossPrefix.length), count }))
        .toSorted((one, other) => other.count - one.count);
      const own = deliveries.backlogOf(tenant);
      const { pending, oldestAt } = hops === undefined ? own : await hops.backlogOf(own, tenant);
      return {
        window,
        since: iso(since),
        version: about.version,
        startedAt: iso(about.startedAt),
        store: about.store,
        states: Object.fromEntries(
          sessionStates.map((state) => [state, inStates[state] ?? 0]),
        ) as SessionStats['states'],
        logins: of(loginName),
        losses,
        lastLosses: activity.lastLosses(tenant, since).map(({ id, reason, at }) => {
          const { externalId = '', label = '' } = views.get(id) ?? {};
          return { id, externalId, label, reason, at: iso(at) };
        }),
        sends: { ok: of('sent'), failed: of('notSent') },
        deliveries: { ok: of('delivered'), failed: of('notDelivered'), parked: of('parked') },
        backlog: { pending, oldest: iso(oldestAt) },
        waits: of('waits'),
        ...(history === 'true' && { history: historyOf(activity.series(window, tenant), inStates.connected ?? 0) }),
      };
    },
  );
}

/** From what is connected now, back through the changes. */
function historyOf(buckets: readonly CountedBucket[], connectedNow: number): SessionStats['history'] {
  let connected = connectedNow;
  const newestFirst = buckets.toReversed().map(({ at, counts }) => {
    // The logs of deleted sessions may have been removed since, and their changes with them.
    const moment = {
      at: iso(at),
      connected: Math.max(0, connected),
      logins: counts.get(loginName) ?? 0,
      lost: lostIn(counts),
    };
    connected -= counts.get(connectedChange) ?? 0;
    return moment;
  });
  return newestFirst.toReversed();
}

const lostIn = (counts: CountedBucket['counts']): number =>
  [...counts].reduce((sum, [name, count]) => (name.startsWith(lossPrefix) ? sum + count : sum), 0);
