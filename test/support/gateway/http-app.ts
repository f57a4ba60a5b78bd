import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { InjectOptions } from 'fastify';
import { pino } from 'pino';
import type { EventStore } from '../../../actors/ports/event-store.ts';
import { type Ownership, soleOwner } from '../../../actors/ports/ownership.ts';
import { UnreadableEvents } from '../../../actors/ports/unreadable-events.ts';
import { createSessionCommands } from '../../../actors/runtime/session-commands.ts';
import type { Sessions } from '../../../actors/runtime/sessions.ts';
import { SessionActivity } from '../../../projections/activity/activity.ts';
import { createProjectionRunner, type ProjectionRunner } from '../../../projections/projection-runner.ts';
import { UsageDays } from '../../../projections/usage/usage-days.ts';
import { ChatCache } from '../../../src/chats/chat-cache.ts';
import { holdUnreadable } from '../../../src/compose/unreadable-sessions.ts';
import { type AppOptions, buildApp } from '../../../src/http/app.ts';
import type { App } from '../../../src/http/shared/app-types.ts';
import { KeyRegistry } from '../../../src/keys/key-registry.ts';
import { KeySendLimits } from '../../../src/keys/limits/send-limits.ts';
import { KeySessionLimits } from '../../../src/keys/limits/session-limits.ts';
import { LinkBook } from '../../../src/links/link-book.ts';
import { LinkSessions } from '../../../src/links/link-sessions.ts';
import { DiskCache } from '../../../src/media/links/disk-cache.ts';
import { MediaCache } from '../../../src/media/links/media-cache.ts';
import { MediaFiles } from '../../../src/media/links/media-files.ts';
import { createMediaLinks } from '../../../src/media/links/media-link.ts';
import { createMediaPreparations } from '../../../src/media/outgoing/prepare.ts';
import { TemporarySpace } from '../../../src/media/outgoing/temporary-space.ts';
import { KeptFiles } from '../../../src/media/uploads/kept-files.ts';
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
import { createScriptedLinks, linkFact, type ScriptedLinks } from '../actors/scripted-link.ts';
import { createDrivenClock, createSeededRandomness, type DrivenClock } from '../kit/clock.ts';
import { createMemoryStore } from '../store/memory-store.ts';
import { DocumentedAnswers } from './documented-answers.ts';

export interface TestApp {
  app: App;
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
  /** `statusCode` and the parsed body. @throws where the answer is not as the API document has it */
  call(method: InjectOptions['method'], url: string, options?: CallOptions): Promise<Called>;
  /** Creates a session; its headers. */
  session(body?: object): Promise<SessionHeaders>;
  /** The session's link reports the login of Ada, and it is recorded. */
  connect(headers: SessionHeaders, account?: Partial<TelegramAccount>): Promise<void>;
  close(): Promise<void>;
}

/** Made of the first app's document: they all have the same. */
let documented: DocumentedAnswers | undefined;

interface CallOptions {
  headers?: Record<string, string>;
  /** Sent as JSON; a string as it is. */
  body?: unknown;
}

interface Called {
  status: number;
  body: Record<string, unknown>;
  headers: Record<string, unknown>;
}

export type SessionHeaders = { id: string; 'session-id': string };

/** What several apps have in common, if they are nodes of one store. */
export interface SharedWorld {
  clock?: DrivenClock;
  store?: EventStore;
  sealer?: PlainSealer;
  /** Of the randomness. */
  seed?: number;
  ownership?: Ownership;
}

/** HTTP over real sessions and real views; only Telegram is played by the test. */
export async function startTestApp(options: Partial<AppOptions> = {}, shared: SharedWorld = {}): Promise<TestApp> {
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
    externalIds: {
      holderOf: (key) => views.byExternalKey(key)?.id,
      waitFor: (position) => views.waitFor(position),
    },
  });
  unreadable.listen(holdUnreadable(sessions));
  await sessions.start();
  const mediaCache = await DiskCache.open({
    folder: join(folder, 'media-cache'),
    maxBytes: 1024 * 1024 * 1024,
    clock,
    log: { warn: (_fields, message) => logLines.push(message) },
  });
  const metrics = createMetrics();
  metrics.addReadings({
    sessions: () => views.countByState(),
    isReady: () => status.reasonsAgainstReady.length === 0,
    isStoreAway: () => false,
    viewLagMs: () => 0,
    mediaCacheBytes: () => mediaCache.bytes,
    unreadableEvents: () => unreadable.counts,
    now: () => clock.now(),
  });
  const outbound = createOutbound({ clock, allowPrivate: true });
  const space = new TemporarySpace({ folder, maxBytes: 1024 ** 3 });
  const uploads = new KeptFiles({ folder: join(folder, 'uploads'), space, clock, randomness });
  const mediaLinks = createMediaLinks({ keys: [Buffer.alloc(32, 1)], publicUrl: () => 'http://media.test' });
  const say = (_fields: object, message: string): void => void logLines.push(message);
  const deliveries = new Dispatcher({
    store,
    sealer,
    views,
    outbound,
    mediaLinks,
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
  const app = await buildApp({
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
    media: createMediaPreparations({
      outbound,
      clock,
      folder,
      space,
      uploads,
      maxBytes: 1024 * 1024,
      programs: () => Promise.resolve({ ffmpeg: undefined, ffprobe: undefined }),
      onUnreadable: (error) => logLines.push(String(error)),
    }),
    uploads,
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
    mediaLinks,
    mediaFiles: new MediaFiles({
      filesOf: (id) => (sessions.state(id) === 'connected' ? accounts.get(id)?.files : undefined),
      cache: new MediaCache(mediaCache),
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
    ...options,
  });

  const call: TestApp['call'] = async (method, url, { headers = {}, body } = {}) => {
    const response = await app.inject({
      ...(method === undefined ? {} : { method }),
      url,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    documented ??= new DocumentedAnswers(app.swagger());
    const problem = documented.problemOf(String(method), url, {
      status: response.statusCode,
      headers: (name) => response.headers[name],
      body: response.json(),
    });
    if (problem !== undefined) throw new Error(problem);
    return { status: response.statusCode, body: response.json(), headers: response.headers };
  };
  return {
    app,
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
    call,
    session: async (body) => {
      const created = await call('POST', '/session', body === undefined ? {} : { body });
      return { id: String(created.body['id']), 'session-id': String(created.body['sessionId']) };
    },
    connect: async ({ id }, account = {}) => {
      await links.of(id).report(linkFact('LoggedIn', 1));
      accounts.set(id, account as TelegramAccount);
      await clock.settle();
    },
    close: async () => {
      await app.close();
      customerLinks.stop();
      linkBook.stop();
      await keys.stop();
      uploads.close();
      deliveries.crash();
      usage.crash();
      await mediaCache.close();
      await outbound.close();
      await sessions.stop();
      await views.stop();
      database.close();
      rmSync(folder, { recursive: true });
    },
  };
}
