import { hostname } from 'node:os';
import { UnreadableEvents } from '../../actors/ports/unreadable-events.ts';
import type { Sessions } from '../../actors/runtime/sessions.ts';
import type { SessionViews } from '../../projections/session-view.ts';
import { mustBeActive } from '../backup/inactive-copy.ts';
import { parseStoreUrl } from '../config/store-url.ts';
import { buildApp } from '../http/app.ts';
import { gatewayVersion } from '../http/openapi/version.ts';
import { type DrainOptions, drain } from '../http/shared/drain.ts';
import { LinkSessions } from '../links/link-sessions.ts';
import { createMediaLinks } from '../media/links/media-link.ts';
import { mustBePrograms } from '../media/outgoing/ffmpeg-programs.ts';
import { setEarlyFreeing } from '../memory/early-freeing.ts';
import { countFaults } from '../metrics/count-faults.ts';
import { createMetrics } from '../metrics/operator-metrics.ts';
import { allowedHosts } from '../outbound/allowed-hosts.ts';
import { createOutbound } from '../outbound/outbound.ts';
import { createRetention } from '../retention/retention.ts';
import { lockDataDir } from '../store/data-dir-lock.ts';
import type { TelegramNetwork } from '../telegram/connection/network.ts';
import { LoginRefusals } from '../telegram/login/login-refusals.ts';
import { openTracer } from '../telemetry/open-tracer.ts';
import { traceLines } from '../telemetry/trace-lines.ts';
import { traceOutbound } from '../telemetry/trace-outbound.ts';
import { traceUpdates } from '../telemetry/trace-updates.ts';
import { sumUsage } from '../usage/sum-days.ts';
import { dropWebhook } from '../webhook/deliver/drop-webhook.ts';
import { openAccounts } from './accounts.ts';
import { forgetFilesOfDeleted } from './cluster/deleted-sessions.ts';
import { joinOthers, leaveOthers, nodeNameOf, openNodeHops } from './cluster/membership.ts';
import { registerParts } from './cluster/owned-parts.ts';
import { tellOfShown } from './cluster/tell-of-shown.ts';
import type { ComposeContext } from './context.ts';
import { warnOfFewDescriptors } from './descriptor-limit.ts';
import { createFailure } from './failure.ts';
import { createFeatures } from './features.ts';
import { ListenAddress } from './listen-address.ts';
import { liveSessions, ownAddresses } from './own-state.ts';
import { Readiness } from './readiness.ts';
import { StartSteps } from './start-steps.ts';
import { openStorage, restoreViews } from './storage.ts';
import { openTemporaryFiles } from './temporary-files.ts';
import { holdUnreadable, reportingSealer } from './unreadable-sessions.ts';
import { createWebhooks } from './webhooks.ts';

export interface GatewayDeps extends Pick<ComposeContext, 'config' | 'clock' | 'randomness' | 'log'> {
  /** Called once the data directory is locked: a sandbox may store its data in it. */
  telegram: () => Promise<TelegramSide>;
  /** See `AppOptions.maxLagMs`. */
  maxLagMs: number;
}

/** The Telegram network to use. */
export interface TelegramSide {
  network: TelegramNetwork;
  /** A sandbox's phone page. */
  sandboxUrl?: string;
  stop?: () => Promise<void>;
}

/** The whole gateway in one process. */
export interface Gateway {
  /** The address that HTTP listens on. */
  url: string;
  sandboxUrl: string | undefined;
  network: TelegramNetwork;
  loginRefusals: LoginRefusals;
  sessions: Sessions;
  views: SessionViews;
  /** Resolves when every stored session is active; HTTP responds before that. Rejects if that can never be. */
  started: Promise<void>;
  /** Rejects when the gateway cannot go on, for example because its store is damaged. Never resolves. */
  failed: Promise<never>;
  /**
   * OP2: refuses new requests, finishes open ones, flushes appends, closes connections, releases the data directory.
   * @param options how long that may take
   */
  close(options?: DrainOptions): Promise<void>;
  /** Releases everything abruptly, as a dead process would. */
  crash(): Promise<void>;
}

/**
 * Assembles the gateway and listens. Views are caught up before the first request, unless that takes long or the event
 * store is away; then requests are 503 until they are. Sessions start in the background.
 * @throws {DataDirInUseError} and any error that keeps a part from starting; nothing is left running then
 */
export async function startGateway(deps: GatewayDeps): Promise<Gateway> {
  const { config, clock } = deps;
  const startedAt = clock.now();
  const metrics = createMetrics();
  const { counts } = metrics;
  const counted = countFaults(deps.log, counts);
  const ends: (() => unknown)[] = [];
  const failure = createFailure();
  const onEnd: ComposeContext['onEnd'] = (end) => void ends.push(end);
  const endAll = async (): Promise<void> => {
    for (const end of ends.splice(0).toReversed()) await end();
  };
  setEarlyFreeing(config.earlyFreeing);
  try {
    const lock = lockDataDir(config.dataDir, `process ${process.pid} on ${hostname()}`);
    onEnd(() => lock.release());
    mustBeActive(config.dataDir);
    mustBePrograms(config);
    const about = () => ({ version: gatewayVersion, instance: deps.randomness.uuid() });
    const tracer = config.traces && (await openTracer({ ...config.traces, ...about(), clock, log: counted }));
    const nodeName = nodeNameOf(deps);
    const named = config.cluster === undefined ? counted : counted.child({ node: nodeName });
    const log = tracer === undefined ? named : traceLines(named, tracer);
    onEnd(() => tracer?.close());
    const { network, sandboxUrl, stop } = await deps.telegram();
    if (stop !== undefined) onEnd(stop);
    const unreadable = new UnreadableEvents(log, config.streamPrefix);
    const context: ComposeContext = { ...deps, log, tracer, unreadable, nodeName, fail: failure.fail, onEnd };

    const storage = await openStorage(context, metrics);
    const { nodes, ownership, store, vault, views, keys, linkBook, masterSealer, storeWait } = storage;
    const steps = new StartSteps(clock, log);
    const readiness = new Readiness(storage, steps);
    const { usage, usageDays, activity, sessionLimits, sendLimits } = storage;
    onEnd(() => (readiness.isClosing ? usage.stop() : usage.crash()));
    onEnd(() => storeWait.end());
    const vaults = restoreViews(storage, steps, context);
    await steps.awaitShortly(vaults, storeWait.away);

    const guarded = createOutbound({
      clock,
      allowPrivate: config.allowPrivateUrls,
      isAllowedHost: allowedHosts(config.allowedPrivateHosts),
    });
    const outbound = tracer === undefined ? guarded : traceOutbound(guarded, tracer);
    onEnd(() => outbound.close());
    const listenAddress = new ListenAddress();
    const publicUrl = (): string => config.publicUrl ?? listenAddress.url;
    const mediaLinks = createMediaLinks({
      keys: storage.mediaLinkKeys,
      publicUrl,
    });
    const webhooks = createWebhooks(context, {
      ...storage,
      outbound,
      mediaLinks,
      endpointGone: (sessionId, slot) => dropWebhook({ sessions, views }, sessionId, slot),
    });
    const { recording, deliveries, readers } = webhooks;
    const loginRefusals = new LoginRefusals(log, clock);
    const files = openTemporaryFiles(context);
    const opened = await openAccounts(context, {
      ...storage,
      ...files,
      network,
      outbound,
      recording: tracer === undefined ? recording : traceUpdates(recording, tracer),
      counts,
      vaults,
      loginRefusals,
    });
    const { sessions, accounts, connections, mediaCache } = opened;
    metrics.addReadings({
      sessions: () => views.countByState(),
      isReady: () => readiness.reasonsAgainst().length === 0,
      isStoreAway: storage.isStoreAway,
      viewLagMs: storage.viewLagMs,
      mediaCacheBytes: () => mediaCache.bytes,
      unreadableEvents: () => unreadable.counts,
      webhooks: () => deliveries.backlog,
      operatorWebhooks: () => webhooks.operatorWebhooks.backlog,
      now: () => clock.now(),
    });
    unreadable.listen(holdUnreadable(sessions));
    tellOfShown({ ...storage, ...opened });
    const features = createFeatures(context, { ...storage, ...opened, ...files, outbound, counts, readiness });
    onEnd(() => (readiness.isClosing ? webhooks.stop() : webhooks.crash()));
    const links = new LinkSessions({
      book: linkBook,
      sessions,
      views,
      sealer: masterSealer,
      limits: sessionLimits,
      clock,
      random: deps.randomness,
    });
    onEnd(() => links.stop());
    const retention = createRetention({
      store,
      views,
      clock,
      days: config.sessionRetentionDays,
      trimDeliveries: (sessionId, recordedBy) => deliveries.trim(sessionId, recordedBy),
      sumUsage: () => sumUsage({ store, usageDays, views, clock, random: deps.randomness, node: nodeName, ownership }),
      ownership,
      log,
    });
    onEnd(() => retention.stop());
    if (nodes !== undefined) registerParts(nodes, { ...opened, vault, features, webhooks, links, views });

    const viewed = vaults.then(() => {
      readiness.hasViews = true;
      forgetFilesOfDeleted({ views, ...opened });
      links.start();
      const live = liveSessions(views);
      warnOfFewDescriptors(live, log);
      if (storage.areLinksNew && live > 0)
        log.warn('media-link.key was missing and is made anew: no media link of before opens');
    });
    const app = await buildApp({
      ...features,
      sessions,
      store,
      views,
      keys,
      linkBook,
      links,
      publicUrl,
      usage,
      usageDays,
      sessionLimits,
      sendLimits,
      activity,
      about: { node: nodeName, version: gatewayVersion, startedAt, store: parseStoreUrl(config.eventStoreUrl).kind },
      cluster: nodes,
      clusterKey: config.cluster?.key,
      hops: openNodeHops(context, nodes, metrics, opened),
      sealer: reportingSealer({ store, reportUnreadable: unreadable.report }, vault),
      accounts,
      connections,
      isStoreAway: storage.isStoreAway,
      recording,
      deliveries,
      readers,
      operatorWebhooks: webhooks.operatorWebhooks,
      mediaLinks,
      metrics: counts,
      readMetrics: () => metrics.read(),
      clock,
      randomness: deps.randomness,
      reportUnreadable: unreadable.report,
      log,
      tracer,
      apiKey: config.apiKey,
      metricsToken: config.metricsToken,
      ownAddresses: ownAddresses(config),
      corsOrigins: config.corsOrigins,
      trustedProxies: config.trustedProxies,
      sandboxUrl,
      maxLagMs: deps.maxLagMs,
      hasViews: () => readiness.hasViews,
      isClosing: () => readiness.isClosing,
      reasonsAgainstReady: () => readiness.reasonsAgainst(),
      warnings: () => loginRefusals.warnings,
    });
    await app.listen({ host: config.host, port: config.port });
    listenAddress.listens(config.host, app.server.address());
    let draining: DrainOptions | undefined;
    onEnd(() => drain(app, clock, draining));
    // What waits for a turn would hold up the others.
    onEnd(() => features.paces.stop());
    const alone = async (): Promise<void> => {
      await webhooks.load();
      await steps.run('sessions are being restored', () => sessions.start());
    };
    const started = viewed
      .then(() => (nodes === undefined ? alone() : steps.run('the node joins the others', () => joinOthers(nodes))))
      .then(() => {
        readiness.isStarted = true;
        if (nodes === undefined) void deliveries.start();
        retention.start();
      });
    started.catch((err: unknown) => log.error({ where: 'sessions', err }, 'sessions could not be restored'));
    return {
      url: listenAddress.url,
      sandboxUrl,
      network,
      loginRefusals,
      sessions,
      views,
      started,
      failed: failure.failed,
      close: (options) => {
        draining = options;
        readiness.isClosing = true;
        if (nodes !== undefined) onEnd(() => leaveOthers(nodes, clock));
        return endAll();
      },
      crash: () => {
        nodes?.crash();
        app.server.closeAllConnections();
        return endAll();
      },
    };
  } catch (error) {
    await endAll();
    throw error;
  }
}
