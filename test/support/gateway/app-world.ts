import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { EventStore } from '../../../actors/ports/event-store.ts';
import { type Ownership, soleOwner } from '../../../actors/ports/ownership.ts';
import { UnreadableEvents } from '../../../actors/ports/unreadable-events.ts';
import { createSessionCommands } from '../../../actors/runtime/session-commands.ts';
import type { Sessions } from '../../../actors/runtime/sessions.ts';
import { SessionActivity } from '../../../projections/activity/activity.ts';
import { externalIdsIn } from '../../../projections/external-ids-in.ts';
import { createProjectionRunner, type ProjectionRunner } from '../../../projections/projection-runner.ts';
import { UsageDays } from '../../../projections/usage/usage-days.ts';
import { ChatCache } from '../../../src/chats/chat-cache.ts';
import { holdUnreadable } from '../../../src/compose/unreadable-sessions.ts';
import type { AppOptions } from '../../../src/http/app.ts';
import { KeyRegistry } from '../../../src/keys/key-registry.ts';
import { KeySendLimits } from '../../../src/keys/limits/send-limits.ts';
import { KeySessionLimits } from '../../../src/keys/limits/session-limits.ts';
import { LinkBook } from '../../../src/links/link-book.ts';
import { LinkSessions } from '../../../src/links/link-sessions.ts';
import { MediaCache } from '../../../src/media/links/media-cache.ts';
import { MediaFiles } from '../../../src/media/links/media-files.ts';
import { IdempotentSends } from '../../../src/messaging/idempotent-sends.ts';
import { Paces } from '../../../src/messaging/pace/paces.ts';
import { TypingIndicators } from '../../../src/messaging/typing.ts';
import { createMetrics } from '../../../src/metrics/operator-metrics.ts';
import { createOutbound } from '../../../src/outbound/outbound.ts';
import { createMasterSealer } from '../../../src/store/vault/master-sealer.ts';
import { openViewDatabase } from '../../../src/store/views/view-database.ts';
import type { Reconnecting, TelegramAccount } from '../../../src/telegram/port/account.ts';
import { UsageRecorder } from '../../../src/usage/usage-recorder.ts';
import { Dispatcher } from '../../../src/webhook/deliver/dispatcher.ts';
import { dropWebhook } from '../../../src/webhook/deliver/drop-webhook.ts';
import { OperatorWebhookBook } from '../../../src/webhook/operators/operator-webhook-book.ts';
import { OperatorWebhooks } from '../../../src/webhook/operators/operator-webhooks.ts';
import { ReaderBook } from '../../../src/webhook/readers/reader-book.ts';
import { createPlainSealer, type PlainSealer } from '../actors/plain-sealer.ts';
import { createScriptedLinks, type ScriptedLinks } from '../actors/scripted-link.ts';
import { createDrivenClock, createSeededRandomness, type DrivenClock } from '../kit/clock.ts';
import { createMemoryStore } from '../store/memory-store.ts';
import { openAppMedia } from './app-media.ts';

/** What the app stands on: real sessions and real views; only Telegram is played by the test. */
export interface AppWorld {
  clock: DrivenClock;
  links: ScriptedLinks;
  sessions: Sessions;
  views: ProjectionRunner;
  store: EventStore;
  usage: UsageRecorder;
  sealer: PlainSealer;
  /** What `accounts.get` answers, by session. */
  accounts: Map<string, TelegramAccount>;
  /** What `connections.reconnecting` answers, by session. */
  reconnecting: Map<string, Reconnecting>;
  logLines: string[];
  status: { isClosing: boolean; isStoreAway: boolean; reasonsAgainstReady: string[] };
  options: AppOptions;
  close(): Promise<void>;
}

/** What several apps have in common, if they are nodes of one store. */
export interface SharedWorld {
  clock?: DrivenClock;
  store?: EventStore;
  sealer?: PlainSealer;
  /** Of the randomness. */
  seed?: number;
  ownership?: Ownership;
}

/** Everything that the app is given. `close` comes after the app's own. */
export async function openAppWorld(shared: SharedWorld = {}): Promise<AppWorld> {
  const { clock = createDrivenClock(), seed = 1, ownership = soleOwner } = shared;
  const randomness = createSeededRandomness(seed, clock);
  const { store = createMemoryStore(clock), sealer = createPlainSealer() } = shared;
  const links = createScriptedLinks();
  const accounts = new Map<string, TelegramAccount>();
  const reconnecting = new Map<string, Reconnecting>();
  const logLines: string[] = [];
  const status = { isClosing: false, isStoreAway: false, reasonsAgainstReady: [] as string[] };
  const folder = mkdtempSync(join(tmpdir(), 'views-'));
  const database = openViewDatabase(join(folder, 'views.db'));
  const log = pino({ level: 'trace' }, { write: (line) => logLines.push(line) });
  const unreadable = new UnreadableEvents(log);
  const { report: reportUnreadable } = unreadable;
  const usageDays = new UsageDays({ reportUnreadable });
  const linkBook = new LinkBook({ store, clock, random: randomness, log, reportUnreadable });
  const masterSealer = createMasterSealer([Buffer.alloc(32, 2)], randomness);
  const operatorWebhookBook = new OperatorWebhookBook({
    store,
    clock,
    random: randomness,
    sealer: masterSealer,
    reportUnreadable,
  });
  const activity = new SessionActivity({ clock, reportUnreadable });
  const views = createProjectionRunner({
    store,
    sides: [activity, usageDays, linkBook, operatorWebhookBook],
    database,
    clock,
    reportUnreadable,
    onError: (error) => logLines.push(String(error)),
  });
  await views.start();
  const sessions = createSessionCommands({
    store,
    sealer,
    clock,
    random: randomness,
    createTelegramSession: links.create,
    node: 'test',
    ownership,
    log,
    reportUnreadable,
    externalIds: externalIdsIn(views),
  });
  unreadable.listen(holdUnreadable(sessions));
  await sessions.start();
  const outbound = createOutbound({ clock, allowPrivate: true });
  const media = await openAppMedia({ folder, clock, randomness, outbound, logLines });
  const metrics = createMetrics();
  metrics.addReadings({
    sessions: () => views.countByState(),
    isReady: () => status.reasonsAgainstReady.length === 0,
    isStoreAway: () => false,
    viewLagMs: () => 0,
    mediaCacheBytes: () => media.cache.bytes,
    unreadableEvents: () => unreadable.counts,
    now: () => clock.now(),
  });
  const say = (_fields: object, message: string): void => void logLines.push(message);
  const deliveries = new Dispatcher({
    store,
    sealer,
    views,
    outbound,
    mediaLinks: media.links,
    clock,
    random: randomness,
    log: { info: say, warn: say, error: say },
    reportUnreadable,
    endpointGone: (id, slot) => dropWebhook({ sessions, views }, id, slot),
  });
  await deliveries.start();
  const usage = new UsageRecorder({
    store,
    clock,
    random: randomness,
    node: 'test',
    ownersOf: (sessionId) => {
      const { tenant, key } = views.get(sessionId) ?? {};
      return { ...(tenant !== undefined && { tenant }), ...(key !== undefined && { key }) };
    },
    log,
  });
  const keys = new KeyRegistry({
    store,
    clock,
    random: randomness,
    reportUnreadable,
    onError: (error) => logLines.push(String(error)),
  });
  await keys.start(0n);
  await linkBook.start();
  const sessionLimits = new KeySessionLimits({ keys, views });
  const customerLinks = new LinkSessions({
    book: linkBook,
    sessions,
    views,
    sealer: masterSealer,
    limits: sessionLimits,
    clock,
    random: randomness,
  });
  const readers = new ReaderBook({
    store,
    sealer,
    views,
    clock,
    random: randomness,
    log: { info: say, warn: say, error: say },
    reportUnreadable,
  });
  await readers.load();
  const options: AppOptions = {
    sessions,
    store,
    views,
    keys,
    linkBook,
    links: customerLinks,
    publicUrl: () => 'http://media.test',
    sealer,
    accounts,
    connections: {
      reconnecting: (id) => reconnecting.get(id),
      // An attempt that is under way has no next one.
      reconnect: (id) => {
        const waiting = reconnecting.get(id);
        if (waiting !== undefined) reconnecting.set(id, { ...waiting, nextAt: undefined });
      },
    },
    reportUnreadable,
    isStoreAway: () => status.isStoreAway,
    media: media.preparations,
    uploads: media.uploads,
    recording: { webhookSet: () => {} },
    readers,
    operatorWebhooks: new OperatorWebhooks({
      book: operatorWebhookBook,
      store,
      views,
      keys,
      outbound,
      clock,
      random: randomness,
      log: { info: say, warn: say, error: say },
      reportUnreadable,
    }),
    deliveries,
    usage,
    usageDays,
    sessionLimits,
    sendLimits: new KeySendLimits({ store, clock, random: randomness, reportUnreadable, keys }),
    activity,
    about: { node: 'test', version: '0.1.0', startedAt: clock.now(), store: 'sqlite' },
    keyedSends: new IdempotentSends({
      store,
      clock,
      randomness,
      fingerprint: async (sessionId, text) => createHash('sha256').update(`${sessionId} ${text}`).digest(),
      log: { warn: (_fields, message) => logLines.push(message) },
      reportUnreadable,
    }),
    paces: new Paces({
      store,
      clock,
      randomness,
      fingerprint: async (sessionId, text) => createHash('sha256').update(`${sessionId} ${text}`).digest(),
      paceOf: (id) => views.get(id)?.pace,
      reportUnreadable,
    }),
    typing: new TypingIndicators(accounts, clock),
    chatCache: new ChatCache(clock),
    metrics: metrics.counts,
    readMetrics: () => metrics.read(),
    mediaLinks: media.links,
    mediaFiles: new MediaFiles({
      filesOf: (id) => (sessions.state(id) === 'connected' ? accounts.get(id)?.files : undefined),
      cache: new MediaCache(media.cache),
      clock,
      metrics: metrics.counts,
    }),
    clock,
    randomness,
    log,
    apiKey: undefined,
    maxLagMs: 0,
    hasViews: () => true,
    isClosing: () => status.isClosing,
    reasonsAgainstReady: () => status.reasonsAgainstReady,
    warnings: () => [],
  };
  return {
    clock,
    links,
    sessions,
    views,
    store,
    usage,
    sealer,
    accounts,
    reconnecting,
    logLines,
    status,
    options,
    close: async () => {
      customerLinks.stop();
      linkBook.stop();
      await keys.stop();
      media.uploads.close();
      deliveries.crash();
      usage.crash();
      await media.cache.close();
      await outbound.close();
      await sessions.stop();
      await views.stop();
      database.close();
      rmSync(folder, { recursive: true });
    },
  };
}
