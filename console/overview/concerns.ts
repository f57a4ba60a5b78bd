import type { SessionStats } from '../api/types.ts';
import { listHref } from '../list/list-query.ts';
import { epochMs, formatCount, formatDuration } from '../parts/format.ts';

/** What an operator should look at, and where. */
export interface Concern {
  text: string;
  href: string;
}

/** Deliveries that wait no longer than this are on their way. */
const oldBacklogMs = 5 * 60_000;

/** What is not as it should be; none if all is well. */
export function concernsOf(stats: SessionStats, now: number): Concern[] {
  const { states, losses, sends, deliveries, backlog } = stats;
  const lost = losses.reduce((sum, { count }) => sum + count, 0);
  const age = backlog.oldest === '' ? 0 : now - epochMs(backlog.oldest);
  const concerns: [isConcern: boolean, text: string, href: string][] = [
    [
      states.disconnected > 0,
      `${formatCount(states.disconnected, 'session')} disconnected`,
      listHref({ state: 'disconnected' }),
    ],
    [lost > 0, `${formatCount(lost, 'login')} lost`, listHref({ state: 'any', sort: '-since' })],
    [sends.failed > 0, `${formatCount(sends.failed, 'send')} failed`, listHref({ state: 'connected' })],
    [deliveries.parked > 0, `${formatCount(deliveries.parked, 'delivery', 'deliveries')} given up`, listHref({})],
    [age > oldBacklogMs, `deliveries wait for ${formatDuration(age)}`, listHref({})],
  ];
  return concerns.filter(([isConcern]) => isConcern).map(([, text, href]) => ({ text, href }));
}
