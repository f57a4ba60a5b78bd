import type { Clock } from '../../actors/ports/clock.ts';
import type { UnreadableEvents } from '../../actors/ports/unreadable-events.ts';
import { meterStore } from '../metrics/meter-store.ts';
import { createMetrics, type OperatorMetrics } from '../metrics/operator-metrics.ts';
import { ViewLag } from '../metrics/view-lag.ts';
import type { Backlog } from '../webhook/deliver/dispatcher.ts';
import type { Readiness } from './readiness.ts';
import type { Storage } from './storage.ts';

interface Metered extends Pick<Storage, 'store' | 'views'> {
  clock: Clock;
  readiness: Readiness;
  unreadable: Pick<UnreadableEvents, 'counts'>;
  /** Read at a scrape; by then it exists. */
  mediaCacheBytes: () => number;
  webhooks: () => Backlog;
}

/** Creates the metrics, and counts the store's appends in them. */
export function meterGateway(metered: Metered): OperatorMetrics {
  const { store, views, clock, readiness, unreadable, mediaCacheBytes, webhooks } = metered;
  const viewLag = new ViewLag();
  const metrics = createMetrics({
    sessions: () => views.countByState(),
    isReady: () => readiness.reasonsAgainst().length === 0,
    isStoreAway: () => store.outage !== undefined,
    viewLagMs: () => viewLag.ms(views.position, clock.now()),
    mediaCacheBytes,
    unreadableEvents: () => unreadable.counts,
    webhooks,
    now: () => clock.now(),
  });
  meterStore(store, {
    metrics: metrics.counts,
    viewOf: (sessionId) => views.get(sessionId),
    onSessionEvent: (position) => viewLag.recorded(position, clock.now(), views.position),
  });
  return metrics;
}
