import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Clock, Randomness } from '../actors/clock.ts';
import { createSessions } from '../actors/session-supervisor.ts';
import type { Sessions } from '../actors/sessions.ts';
import type { SessionViews } from '../projections/session-view.ts';
import { buildApp } from './app.ts';
import type { Config } from './config.ts';
import type { App } from './http/app-types.ts';
import { mustBePrograms, programSearch } from './media/ffmpeg-programs.ts';
import { createMediaPreparation } from './media/prepare.ts';
import { emptyTemporaryRoot } from './media/temporary-folder.ts';
import { DiskCache } from './media-links/disk-cache.ts';
import { MediaCache } from './media-links/media-cache.ts';
import { MediaFiles } from './media-links/media-files.ts';
import { createMediaLinks } from './media-links/media-link.ts';
import { KeyedSends } from './messaging/keyed-sends.ts';
import { TypingIndicators } from './messaging/typing.ts';
import { drain } from './ops/drain.ts';
import { eraseWith } from './ops/erase-with.ts';
import { followedViews } from './ops/followed-views.ts';
import { keptKey } from './ops/kept-keys.ts';
import { meterStore } from './ops/meter-store.ts';
import { createMetrics } from './ops/metrics.ts';
import { createRetention } from './ops/retention.ts';
import { createStoreWait } from './ops/store-wait.ts';
import { ViewLag } from './ops/view-lag.ts';
import { createOutbound } from './outbound/outbound.ts';
import { lockDataDir } from './store/data-dir-lock.ts';
import { openStore } from './store/open-store.ts';
import { openVault } from './store/vault.ts';
import { openViewDatabase } from './store/view-database.ts';
import { mustBeWhole } from './store-tools/must-be-whole.ts';
import { createTelegram } from './telegram/gramjs/telegram.ts';
import type { TelegramNetwork } from './telegram/network.ts';
import { openTracer } from './telemetry/open-tracer.ts';
import { traceOutbound } from './telemetry/trace-outbound.ts';
import { traceStore } from './telemetry/trace-store.ts';
import { traceCalls, watchFacts } from './telemetry/trace-work.ts';
import { Dispatcher } from './webhook/dispatcher.ts';
import { createWebhookRecording } from './webhook/record-updates.ts';

/** What Telegram shows in the account's list of devices. */
const device = { model: 'Session gateway', systemVersion: `Node ${process.versions.node}`, appVersion: '0.1' };

export interface GatewayParts {
  config: Config;
  clock: Clock;
  randomness: Randomness;
  log: Logger;
  /** Called once the data directory is ours: a sandbox may live in it. */
  telegram: () => Promise<TelegramSide>;
  /** See `AppOptions.maxLagMs`. */
  maxLagMs: number;
}

/** Which Telegram stands on the other side. */
export interface TelegramSide {
  network: TelegramNetwork;
  /** A sandbox's phone page. */
  sandboxUrl?: string;
  stop?: () => Promise<void>;
}

/** The whole service, in one process. */
export interface Gateway {
  /** Where HTTP answers. */
  url: string;
  sandboxUrl: string | undefined;
  sessions: Sessions;
  views: SessionViews;
  /** Resolves when every stored session is active; HTTP answers before that. Rejects where that can never be. */
  started: Promise<void>;
  /** OP2: no new requests, open ones finished, appends flushed, connections closed, the data directory let go. */
  close(): Promise<void>;
  /** Lets go of everything as a dead process would, without the courtesies; for tests. */
  crash(): Promise<void>;
}

/**
 * Puts the parts together and listens. Views are caught up before the first request, unless the event store is away:
 * then requests are told so. Sessions come up behind it.
 * @throws {DataDirInUseError} and whatever keeps a part from starting: nothing is left running then.
 */
export async function startGateway(parts: GatewayParts): Promise<Gateway> {
  const { config, clock, randomness, log } = parts;
  const undo: (() => unknown)[] = [];
  const undoAll = async (): Promise<void> => {
    for (const step of undo.splice(0).toReversed()) await step();
  };
  try {
    const lock = lockDataDir(config.dataDir, `process ${process.pid} on ${hostname()}`);
    undo.push(() => lock.release());
    mustBePrograms(config);
    const tracer = config.traces && (await openTracer({ ...config.traces, clock, log }));
    undo.push(() => tracer?.close());
    const { network, sandboxUrl, stop } = await parts.telegram();
    if (stop !== undefined) undo.push(stop);
    const store = await openStore(config.eventStoreUrl, { clock, randomness, log });
    undo.push(() => store.close());
    const masterKeys = config.masterKeys ?? [keptKey(config.dataDir, 'master.key', randomness)];
    const mediaLinkKeys = config.mediaLinkKeys ?? [keptKey(config.dataDir, 'media-link.key', randomness)];
    if (tracer !== undefined) traceStore(store, tracer);
    const vault = openVault({ store, masterKeys, randomness });
    const database = openViewDatabase(join(config.dataDir, 'views.db'));
    undo.push(() => database.close());
    const storeWait = createStoreWait(clock);
    const views = followedViews({ store, clock, log, storeWait }, database);
    undo.push(() => views.stop());
    const viewLag = new ViewLag();
    const metrics = createMetrics({
      sessions: () => views.countByState(),
      isReady: () => reasonsAgainstReady().length === 0,
      isStoreAway: () => store.outage !== undefined,
      viewLagMs: () => viewLag.ms(views.position, clock.now()),
      mediaCacheBytes: () => mediaCache.bytes,
      webhooks: () => deliveries.backlog,
      now: () => clock.now(),
    });
    meterStore(store, {
      metrics: metrics.counts,
      viewOf: (sessionId) => views.get(sessionId),
      onSessionEvent: (position) => viewLag.recorded(position, clock.now(), views.position),
    });
    undo.push(() => storeWait.end());
    const restored = (async () => {
      // With a wrong master key no session could connect, and each would be deleted when its time is up.
      const vaultIds = await storeWait.until(() => vault.listVaults());
      await storeWait.until(() => views.start());
      await storeWait.until(() => mustBeWhole(store));
      return vaultIds;
    })();
    // A store that is away must not keep `/health/ready` from saying so.
    await Promise.race([restored, storeWait.away]);
    const guarded = createOutbound({ clock, allowPrivate: config.allowPrivateUrls });
    const outbound = tracer === undefined ? guarded : traceOutbound(guarded, tracer);
    undo.push(() => outbound.close());
    // Asking a socket for its address is a call into the kernel, and a page of messages has a hundred links.
    const own = { url: '' };
    const mediaLinks = createMediaLinks({ keys: mediaLinkKeys, publicUrl: () => config.publicUrl ?? own.url });
    const deliveries: Dispatcher = new Dispatcher({
      store,
      sealer: vault,
      views,
      outbound,
      mediaLinks,
      clock,
      random: randomness,
      log,
      receiverGone: async (sessionId) => void (await sessions.setWebhook(sessionId, null, 'receiver-gone')),
    });
    const recording = createWebhookRecording({
      store,
      sealer: vault,
      clock,
      random: randomness,
      log,
      webhookSince: (sessionId) => views.get(sessionId)?.webhookSince,
      onRecorded: (sessionId, events) => deliveries.recorded(sessionId, events),
    });
    const telegram = createTelegram({
      network,
      recording,
      loginStore: vault,
      clock,
      random: randomness,
      device,
      log: (level, message, fields) => log[level]({ ...fields }, message),
      onWait: (_sessionId, asked) => metrics.counts.waitAsked(asked),
      trace: tracer && traceCalls(tracer),
    });
    undo.push(() => telegram.close());
    const mediaCache = await DiskCache.open({
      folder: join(config.dataDir, 'media-cache'),
      maxBytes: config.mediaCacheBytes,
      clock,
      log,
    });
    undo.push(() => mediaCache.close());
    const sessions = createSessions({
      store,
      sealer: eraseWith(vault, (sessionId) => mediaCache.forget(sessionId)),
      clock,
      random: randomness,
      createLink: telegram.createLink,
      node: hostname(),
      log,
      watch: tracer && watchFacts(tracer),
      async *unfinishedErasures() {
        yield* await restored;
      },
    });
    undo.push(() => sessions.stop());
    const status = { isClosing: false, hasViews: false, isStarted: false };
    const reasonsAgainstReady = (): string[] => [
      ...(status.isClosing ? ['service is shutting down'] : []),
      ...(status.isStarted ? [] : ['sessions are being restored']),
      ...(store.outage === undefined ? [] : ['event store does not answer']),
      ...(views.caughtUp ? [] : ['views do not follow the event store']),
    ];
    const typing = new TypingIndicators(telegram.accounts, clock);
    undo.push(() => (status.isClosing ? typing.end() : undefined));
    undo.push(() => (status.isClosing ? deliveries.stop() : deliveries.crash()));
    const retention = createRetention({
      store,
      views,
      clock,
      days: config.sessionRetentionDays,
      trimDeliveries: (sessionId, recordedBy) => deliveries.trim(sessionId, recordedBy),
      log,
    });
    undo.push(() => retention.stop());
    const media = createMediaPreparation({
      outbound,
      clock,
      folder: emptyTemporaryRoot(config.dataDir),
      maxBytes: config.mediaMaxBytes,
      programs: programSearch(config, (missing) =>
        log.warn({ missing }, 'videos and music are sent as they were described: programs are missing'),
      ),
      onUnreadable: (err, what) => log.info({ err, what }, 'a file that is to be sent could not be read'),
    });
    const viewed = restored.then(() => {
      status.hasViews = true;
    });
    const app: App = await buildApp({
      sessions,
      store,
      views,
      sealer: vault,
      accounts: telegram.accounts,
      media,
      recording,
      deliveries,
      keyedSends: new KeyedSends({
        store,
        clock,
        randomness,
        fingerprint: (sessionId, text) => vault.fingerprint(sessionId, text),
        log,
      }),
      typing,
      metrics: metrics.counts,
      readMetrics: () => metrics.read(),
      mediaLinks,
      mediaFiles: new MediaFiles({
        filesOf: (id) => (sessions.state(id) === 'connected' ? telegram.accounts.get(id)?.files : undefined),
        cache: new MediaCache(mediaCache),
        clock,
        metrics: metrics.counts,
      }),
      clock,
      randomness,
      log,
      apiKey: config.apiKey,
      tracer,
      sandboxUrl,
      maxLagMs: parts.maxLagMs,
      hasViews: () => status.hasViews,
      isClosing: () => status.isClosing,
      reasonsAgainstReady,
    });
    await app.listen({ host: config.host, port: config.port });
    own.url = addressOf(config.host, app.server.address());
    undo.push(() => drain(app, clock));
    const started = viewed
      .then(() => sessions.start())
      .then(() => {
        status.isStarted = true;
        void deliveries.start();
        retention.start();
      });
    started.catch((err: unknown) => log.error({ err }, 'sessions could not be restored'));
    return {
      url: own.url,
      sandboxUrl,
      sessions,
      views,
      started,
      close: () => {
        status.isClosing = true;
        return undoAll();
      },
      crash: () => {
        app.server.closeAllConnections();
        return undoAll();
      },
    };
  } catch (error) {
    await undoAll();
    throw error;
  }
}

function addressOf(host: string, address: AddressInfo | string | null): string {
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
