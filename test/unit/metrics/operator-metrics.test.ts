import { describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../../actors/ports/event-store.ts';
import { createSessionCommands } from '../../../actors/runtime/session-commands.ts';
import { createProjectionRunner } from '../../../projections/projection-runner.ts';
import { labelLimit } from '../../../src/metrics/label-limit.ts';
import { meterStore } from '../../../src/metrics/meter-store.ts';
import { createMetrics } from '../../../src/metrics/operator-metrics.ts';
import { ViewLag } from '../../../src/metrics/view-lag.ts';
import { createPlainSealer } from '../../support/actors/plain-sealer.ts';
import { createScriptedLinks, linkFact } from '../../support/actors/scripted-link.ts';
import { createDrivenClock, createSeededRandomness } from '../../support/kit/clock.ts';
import { metricSamples } from '../../support/metrics/metric-samples.ts';
import { allReadable } from '../../support/store/all-readable.ts';
import { createMemoryStore } from '../../support/store/memory-store.ts';
import { createMemoryViewDatabase } from '../../support/store/memory-view-database.ts';

const silent = {
  sessions: () => ({}),
  isReady: () => true,
  isStoreAway: () => false,
  viewLagMs: () => 0,
  mediaCacheBytes: () => 0,
  unreadableEvents: () => new Map<string, number>(),
  now: () => 1_000_000,
};

it('[OP5.1] counts what happens to sessions where it is recorded: scans, disconnects, losses', async () => {
  const clock = createDrivenClock();
  const random = createSeededRandomness(1, clock);
  const store = createMemoryStore(clock);
  const views = createProjectionRunner({
    store,
    database: createMemoryViewDatabase(),
    clock,
    onError: () => {},
    reportUnreadable: allReadable,
  });
  await views.start();
  const metrics = createMetrics();
  const metered = meterStore(store, {
    metrics: metrics.counts,
    viewOf: (id) => views.get(id),
    onSessionEvent: () => {},
  });
  const links = createScriptedLinks();
  const sessions = createSessionCommands({
    store: metered,
    sealer: createPlainSealer(),
    clock,
    random,
    createTelegramSession: links.create,
    node: 'test',
    reportUnreadable: allReadable,
  });
  await sessions.start();
  const { id } = await sessions.create({});
  await clock.advance(25_000);
  const link = links.of(id);
  await link.report(linkFact('LoggedIn', 1));
  await link.report({ type: 'ConnectionLost', login: 1, reason: 'no-answer' });
  await clock.advance(40_000);
  await link.report({ type: 'ConnectionRestored', login: 1 });
  await link.report({ type: 'LoginLost', login: 1, reason: 'SESSION_REVOKED' });
  const found = metricSamples(await metrics.read());
  expect(found.get('gateway_session_facts_total{fact="SessionCreated"}')).toBe(1);
  expect(found.get('gateway_logins_total{by="qr"}')).toBe(1);
  expect([
    found.get('gateway_login_scan_seconds_bucket{le="20"}'),
    found.get('gateway_login_scan_seconds_bucket{le="30"}'),
  ]).toEqual([0, 1]);
  expect(found.get('gateway_disconnects_total{reason="no-answer"}')).toBe(1);
  expect([
    found.get('gateway_reconnect_seconds_bucket{le="30"}'),
    found.get('gateway_reconnect_seconds_bucket{le="60"}'),
  ]).toEqual([0, 1]);
  expect(found.get('gateway_logins_lost_total{reason="SESSION_REVOKED"}')).toBe(1);
  expect(found.get('gateway_store_append_seconds_count{outcome="recorded"}')).toBe(5);
  await sessions.stop();
  await views.stop();
});

it('[OP5.1] tells appends that fail by how they do, and passes the failure on', async () => {
  const store = createMemoryStore(createDrivenClock());
  const metrics = createMetrics();
  const metered = meterStore(store, { metrics: metrics.counts, viewOf: () => undefined, onSessionEvent: () => {} });
  const event = { id: crypto.randomUUID(), type: 'Noted', data: {}, metadata: {} };
  await metered.append('notes', 'no-stream', [event]);
  await expect(metered.append('notes', 7, [{ ...event, id: crypto.randomUUID() }])).rejects.toThrow('expected 7');
  const away = createMemoryStore(createDrivenClock());
  away.append = async () => Promise.reject(new StoreUnavailableError('away'));
  const meteredAway = meterStore(away, { metrics: metrics.counts, viewOf: () => undefined, onSessionEvent: () => {} });
  await expect(meteredAway.append('notes', 'any', [event])).rejects.toThrow('away');
  const found = metricSamples(await metrics.read());
  const outcomes = ['recorded', 'wrong-revision', 'unavailable'];
  expect(outcomes.map((outcome) => found.get(`gateway_store_append_seconds_count{outcome="${outcome}"}`))).toEqual([
    1, 1, 1,
  ]);
});

it('[OP5.1] measures the appends of the wrapper only, and leaves the given store as it is', async () => {
  const store = createMemoryStore(createDrivenClock());
  const metrics = createMetrics();
  const metered = meterStore(store, { metrics: metrics.counts, viewOf: () => undefined, onSessionEvent: () => {} });
  const note = () => ({ id: crypto.randomUUID(), type: 'Noted', data: {}, metadata: {} });
  await store.append('notes', 'no-stream', [note()]);
  await metered.append('notes', 0, [note()]);
  expect(await store.last('notes')).toEqual(await metered.last('notes'));
  const found = metricSamples(await metrics.read());
  expect(found.get('gateway_store_append_seconds_count{outcome="recorded"}')).toBe(1);
});

it('[OP5.1] has webhooks, where they are delivered', async () => {
  const without = createMetrics();
  without.addReadings(silent);
  expect(await without.read()).not.toContain('gateway_webhook_pending');
  const reading = { pending: 4, oldestAt: undefined as number | undefined, delivered: 7, failed: 3, parked: 2 };
  const metrics = createMetrics();
  metrics.addReadings({ ...silent, webhooks: () => reading });
  expect(metricSamples(await metrics.read()).get('gateway_webhook_oldest_seconds')).toBe(0);
  reading.oldestAt = silent.now() - 90_000;
  const found = metricSamples(await metrics.read());
  expect(found.get('gateway_webhook_pending')).toBe(4);
  expect(found.get('gateway_webhook_oldest_seconds')).toBe(90);
  const outcomes = ['delivered', 'failed', 'parked'];
  expect(outcomes.map((outcome) => found.get(`gateway_webhook_deliveries_total{outcome="${outcome}"}`))).toEqual([
    7, 3, 2,
  ]);
});

it('[EV2.10] has operators’ webhooks under names of their own', async () => {
  const reading = { pending: 4, oldestAt: silent.now() - 90_000, delivered: 7, failed: 3, parked: 2 };
  const metrics = createMetrics();
  metrics.addReadings({ ...silent, operatorWebhooks: () => reading });
  const found = metricSamples(await metrics.read());
  const of = (name: string): number | undefined => found.get(`gateway_operator_webhook_${name}`);
  expect([of('pending'), of('oldest_seconds'), of('deliveries_total{outcome="parked"}')]).toEqual([4, 90, 2]);
  expect(found.has('gateway_webhook_pending')).toBe(false);
});

describe('names from outside', () => {
  it('[OP5.1] lose their numbers, and are `other` where they are none', () => {
    const nameOf = labelLimit();
    expect(['FLOOD_WAIT_120', 'no-answer', 'phone +49 170 123', '', 'x'.repeat(61)].map(nameOf)).toEqual([
      'FLOOD_WAIT',
      'no-answer',
      'other',
      'other',
      'other',
    ]);
  });

  it('[OP5.1] are `other` after so many, but for those that are known', () => {
    const nameOf = labelLimit(2);
    expect(['A', 'B', 'C', 'A'].map(nameOf)).toEqual(['A', 'B', 'other', 'A']);
  });
});

describe('the lag of the views', () => {
  it('[OP5.1] is how long ago the first event was recorded that they have not seen', () => {
    const lag = new ViewLag();
    expect(lag.ms(0n, 100)).toBe(0);
    lag.recorded(1n, 100, 0n);
    lag.recorded(2n, 150, 0n);
    expect(lag.ms(0n, 200)).toBe(100);
    expect(lag.ms(1n, 200)).toBe(50);
    expect(lag.ms(2n, 200)).toBe(0);
    lag.recorded(3n, 300, 2n);
    expect(lag.ms(2n, 310)).toBe(10);
  });
});
