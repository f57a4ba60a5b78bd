import { Counter, Gauge, type Registry } from 'prom-client';
import { type SessionState, sessionStates } from '../../actors/session/events.ts';

/** Values that are read at a scrape and cost nothing otherwise. */
export interface Readings {
  sessions: () => Partial<Record<SessionState, number>>;
  isReady: () => boolean;
  isStoreAway: () => boolean;
  /** The lag of the views behind this process's appends. */
  viewLagMs: () => number;
  mediaCacheBytes: () => number;
  /** Since the start, by the kind of their stream. */
  unreadableEvents: () => ReadonlyMap<string, number>;
  webhooks?: () => WebhookReading;
  /** Operators' webhooks, of all keys. */
  operatorWebhooks?: () => WebhookReading;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** Of all webhooks of a kind. */
interface WebhookReading {
  /** Events to be delivered, and when the oldest was recorded, milliseconds since 1970. */
  pending: number;
  oldestAt: number | undefined;
  /** Since the start: accepted and failed attempts, and parked events. */
  delivered: number;
  failed: number;
  parked: number;
}

export function addReadings(registry: Registry, readings: Readings): void {
  const gauge = (name: string, help: string, read: () => number): void => {
    void new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  };
  void new Gauge({
    name: 'gateway_sessions',
    help: 'Sessions by state; deleted ones until their log is removed',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const counts = readings.sessions();
      for (const state of sessionStates) this.set({ state }, counts[state] ?? 0);
    },
  });
  gauge('gateway_ready', '1 while requests are served', () => Number(readings.isReady()));
  gauge('gateway_store_away', '1 while the event store does not answer, or cannot write', () =>
    Number(readings.isStoreAway()),
  );
  gauge('gateway_view_lag_seconds', 'How far the views are behind what this process has recorded', () =>
    inSeconds(readings.viewLagMs()),
  );
  gauge('gateway_media_cache_bytes', 'Files kept on this machine', () => readings.mediaCacheBytes());
  void new Counter({
    name: 'gateway_unreadable_events_total',
    help: 'Events that could not be read, by the kind of their stream',
    labelNames: ['stream'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [stream, count] of readings.unreadableEvents()) this.inc({ stream }, count);
    },
  });
  const { webhooks, operatorWebhooks, now } = readings;
  if (webhooks !== undefined) addWebhooks(registry, gauge, ['gateway_webhook', 'Events'], webhooks, now);
  if (operatorWebhooks !== undefined) {
    const names = ['gateway_operator_webhook', 'Events of operators’ webhooks'] as const;
    addWebhooks(registry, gauge, names, operatorWebhooks, now);
  }
}

function addWebhooks(
  registry: Registry,
  gauge: (name: string, help: string, read: () => number) => void,
  [prefix, events]: readonly [prefix: string, events: string],
  webhooks: () => WebhookReading,
  now: () => number,
): void {
  gauge(`${prefix}_pending`, `${events} that are to be delivered`, () => webhooks().pending);
  gauge(`${prefix}_oldest_seconds`, `${events} that are to be delivered: the age of the oldest`, () => {
    const { oldestAt } = webhooks();
    return oldestAt === undefined ? 0 : Math.max(0, inSeconds(now() - oldestAt));
  });
  void new Counter({
    name: `${prefix}_deliveries_total`,
    help: `${events}: tries that were taken and not, and those that were given up`,
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      const { delivered, failed, parked } = webhooks();
      this.reset();
      for (const [outcome, count] of Object.entries({ delivered, failed, parked })) this.inc({ outcome }, count);
    },
  });
}

const inSeconds = (ms: number): number => ms / 1000;
