import type { Randomness } from '../../../actors/ports/clock.ts';
import type { EventStore } from '../../../actors/ports/event-store.ts';
import { createProjectionRunner } from '../../../projections/projection-runner.ts';
import { UsageDays } from '../../../projections/usage/usage-days.ts';
import { dayOfUsage, usagePrefix } from '../../../projections/usage/usage-events.ts';
import { KeyRegistry } from '../../../src/keys/key-registry.ts';
import { KeySendLimits } from '../../../src/keys/limits/send-limits.ts';
import { LinkBook } from '../../../src/links/link-book.ts';
import { createMasterSealer } from '../../../src/store/vault/master-sealer.ts';
import { sumUsage } from '../../../src/usage/sum-days.ts';
import { UsageRecorder } from '../../../src/usage/usage-recorder.ts';
import { OperatorWebhookBook } from '../../../src/webhook/operators/operator-webhook-book.ts';
import { PlaceSaver } from '../../../src/webhook/operators/place-saver.ts';
import { startRegistry } from '../keys/registry.ts';
import { createDrivenClock, createSeededRandomness, type DrivenClock } from '../kit/clock.ts';
import { allReadable } from '../store/all-readable.ts';
import { createMemoryViewDatabase } from '../store/memory-view-database.ts';
import type { World } from '../webhook/world.ts';

const dayMs = 24 * 60 * 60_000;
const settings = { key: 'a key', text: 'sealed settings' };
const retryLog = { info: () => {}, warn: () => {}, error: () => {} };
const quiet = { info: () => {}, warn: () => {}, error: () => {} };

/** Keys, links, webhooks, usage and limits: all that is recorded of no session. */
export async function liveAsOperator({ store, clock }: Pick<World, 'store' | 'clock'>): Promise<void> {
  const random = createSeededRandomness(11, clock);
  const { keys } = await startRegistry(store, { clock, seed: 12 });
  const wish = { name: 'desk', scopes: ['sessions:create', 'keys'] as ('sessions:create' | 'keys')[] };
  const limits = { sessions: 20, sendsPerDay: 100 };
  const more = { tenant: 'acme', expires: clock.now() + 900 * dayMs, limits };
  const desk = await keys.issue({ ...wish, ...more }, 'owner', () => {});
  const worker = await keys.issue({ ...wish, name: 'worker', issuer: desk.key.id }, 'desk', () => {});
  await keys.revoke(worker.key.id, 'desk', () => {});

  const sends = new KeySendLimits({ store, clock, random, reportUnreadable: allReadable, keys });
  await sends.take(desk.key.id, 3);
  await sends.take(worker.key.id, 2);
  await keys.stop();

  const book = new LinkBook({ store, clock, random, log: quiet, reportUnreadable: allReadable });
  const make = (): { expires: number; settings: typeof settings; tenant: string; key: string; externalId: string } => ({
    expires: clock.now() + 5 * dayMs,
    settings,
    tenant: 'acme',
    key: desk.key.id,
    externalId: 'customer-1',
  });
  const used = (await book.issue(make, 'desk')).link;
  const withdrawn = (await book.issue(make, 'desk')).link;
  await book.record(used.id, 'link', () => ({ type: 'LinkOpened', data: { sessionId: 's-1', isNew: true } }));
  await book.record(used.id, 'gateway', () => ({ type: 'LinkUsed', data: { sessionId: 's-1' } }));
  await book.record(withdrawn.id, 'desk', () => ({ type: 'LinkWithdrawn', data: {} }));

  const sealer = createMasterSealer([Buffer.alloc(32, 1)], random);
  const webhooks = new OperatorWebhookBook({ store, clock, random, sealer, reportUnreadable: allReadable });
  const endpoint = { url: 'https://ops.example/hook', token: 'token' };
  const wanted = { endpoint, events: ['session.connected'], keyId: desk.key.id };
  const webhook = await webhooks.add(wanted, 'acme', 'desk', () => {});
  await webhooks.change(webhook.id, { ...wanted, events: ['session.deleted'] }, 'desk');
  const place = new PlaceSaver({ store, clock, random, reportUnreadable: allReadable, retryLog }, webhook.id, () => ({
    upTo: '17',
    behind: { 's-1': { from: 1, to: 3, count: 2, failing: { attempts: 1, since: 1, nextAt: 2 } } },
    replay: { 's-2': { ranges: [[1, 2]], count: 2 } },
    parked: [{ session: 's-3', seq: 4, at: 5, error: 'it answered with status 500' }],
    parkedCount: 1,
    lastDelivered: 6,
  }));
  place.saveIn(0);
  await place.flush();
  await webhooks.remove(webhook.id, 'desk');

  const ownersOf = (): { tenant: string; key: string } => ({ tenant: 'acme', key: desk.key.id });
  const usage = new UsageRecorder({ store, clock, random, node: 'node-1', ownersOf, log: quiet });
  for (const name of ['sent', 'notSent', 'delivered', 'notDelivered', 'parked', 'waits', 'mediaBytes'] as const) {
    usage.count('s-1', undefined, name, 2);
  }
  await usage.stop();
  await sumOf({ store, clock, random });
}

/** As it is done 8 days later, and before the seconds are erased. */
async function sumOf({
  store,
  clock,
  random,
}: {
  store: EventStore;
  clock: DrivenClock;
  random: Randomness;
}): Promise<void> {
  const usageDays = new UsageDays({ reportUnreadable: allReadable });
  const views = createProjectionRunner({
    store,
    clock,
    database: createMemoryViewDatabase(),
    onError: fail,
    reportUnreadable: allReadable,
    sides: [usageDays],
  });
  await views.start();
  await sumUsage({
    store: {
      append: (...args) => store.append(...args),
      lastOfEach: (prefix) => store.lastOfEach(prefix),
      erase: () => Promise.resolve(),
    },
    usageDays,
    views,
    clock: { now: () => clock.now() + 9 * dayMs },
    random,
    node: 'node-1',
  });
  await views.stop();
}

/** What today's code makes of it; nothing of a version that had none. */
export async function operatorsHistory(store: EventStore): Promise<object> {
  const clock = createDrivenClock();
  const deps = { store, clock, random: createSeededRandomness(13, clock), reportUnreadable: allReadable };
  const keys = new KeyRegistry({ ...deps, onError: fail });
  const book = new LinkBook({ ...deps, log: quiet });
  const usage = new UsageDays({ reportUnreadable: allReadable });
  const database = createMemoryViewDatabase();
  const views = createProjectionRunner({ ...deps, database, onError: fail, sides: [book, usage] });
  await views.start();
  await keys.start(0n);
  const shown = { keys: keys.list(), links: book.list(), usage: await usedDays(store, usage, clock) };
  await views.stop();
  await keys.stop();
  return Object.fromEntries(Object.entries(shown).filter(([, list]) => list.length > 0));
}

async function usedDays(store: EventStore, usage: UsageDays, clock: DrivenClock): Promise<unknown[]> {
  const none = { get: () => undefined, list: () => [] };
  const days = new Set<string>();
  for await (const { stream } of store.lastOfEach(usagePrefix)) days.add(dayOfUsage(stream));
  const rows: unknown[] = [];
  for (const day of days) {
    const query = { day, after: undefined, limit: 100, tenant: undefined, now: clock.now() };
    rows.push(...usage.ofDay(query, none).filter(({ sent }) => sent !== undefined));
  }
  return rows;
}

function fail(error: unknown): never {
  throw error;
}
