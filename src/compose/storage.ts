import { join } from 'node:path';
import type { EventStore } from '../../actors/ports/event-store.ts';
import type { MasterSealer } from '../../actors/ports/sealer.ts';
import { SessionActivity } from '../../projections/activity/activity.ts';
import type { ProjectionRunner } from '../../projections/projection-runner.ts';
import { UsageDays } from '../../projections/usage/usage-days.ts';
import { findLiveNode } from '../cluster/members/live-node.ts';
import { hasKey, readOrCreateKey } from '../config/key-file.ts';
import { nameOfStore, parseStoreUrl } from '../config/store-url.ts';
import { StartError } from '../errors/gateway-error.ts';
import { KeyRegistry } from '../keys/key-registry.ts';
import { KeySendLimits } from '../keys/limits/send-limits.ts';
import { KeySessionLimits } from '../keys/limits/session-limits.ts';
import { LinkBook } from '../links/link-book.ts';
import { meterStore } from '../metrics/meter-store.ts';
import type { OperatorMetrics } from '../metrics/operator-metrics.ts';
import { ViewLag } from '../metrics/view-lag.ts';
import { openStore } from '../store/events/open-store.ts';
import type { Outage } from '../store/events/opened-store.ts';
import { mustBeWhole } from '../store/tools/must-be-whole.ts';
import { SeenStore } from '../store/tools/seen-store.ts';
import { createMasterSealer } from '../store/vault/master-sealer.ts';
import { openVault, type Vault } from '../store/vault/vault.ts';
import type { StoredVaults } from '../store/vault/vault-records.ts';
import { openViewDatabase } from '../store/views/view-database.ts';
import { loginForLogOut } from '../telegram/login/login-state.ts';
import { traceStore } from '../telemetry/trace-store.ts';
import { UsageRecorder } from '../usage/usage-recorder.ts';
import { OperatorWebhookBook } from '../webhook/operators/operator-webhook-book.ts';
import { createMembership, type Membership } from './cluster/membership.ts';
import type { ComposeContext } from './context.ts';
import { noteAppends } from './note-appends.ts';
import { restartingProjection } from './restarting-projection.ts';
import type { StartSteps } from './start-steps.ts';
import { createStoreWait, type StoreWait } from './wait-for-store.ts';

/** The stores and the views of them. */
export interface Storage extends Membership {
  /** Its appends are measured, and traced if traces are configured. */
  store: EventStore;
  /** Knows whether it is the store of this data directory. */
  seen: SeenStore;
  isStoreAway: () => boolean;
  /** Why nothing can be recorded, for people; undefined if it can. */
  storeFault: () => string | undefined;
  vault: Vault;
  /** Not started. */
  views: ProjectionRunner;
  /** What happened in the last hour, day and week, from the log. */
  activity: SessionActivity;
  /** What sessions have used, day by day, from the log. */
  usageDays: UsageDays;
  /** Records what sessions use. */
  usage: UsageRecorder;
  /** Not started. */
  keys: KeyRegistry;
  sessionLimits: KeySessionLimits;
  sendLimits: KeySendLimits;
  /** Not started. */
  linkBook: LinkBook;
  operatorWebhookBook: OperatorWebhookBook;
  masterSealer: MasterSealer;
  /** The lag of the views behind this process's appends, in milliseconds. */
  viewLagMs: () => number;
  storeWait: StoreWait;
  /** At least one; the first signs. */
  mediaLinkKeys: readonly Buffer[];
  /** The key of media links was made by this start: no link of before opens. */
  areLinksNew: boolean;
}

export async function openStorage(
  context: ComposeContext,
  { counts, addCluster }: Pick<OperatorMetrics, 'counts' | 'addCluster'>,
): Promise<Storage> {
  const { config, clock, randomness, log, tracer, unreadable, fail, onEnd } = context;
  const { eventStoreUrl, streamPrefix } = config;
  const opened = await openStore(eventStoreUrl, { clock, randomness, log, streamPrefix, onDamaged: fail });
  onEnd(() => opened.close());
  const membership = await createMembership(context, addCluster);
  const { ownership } = membership;
  const masterKeys = config.masterKeys ?? [readOrCreateKey(config.dataDir, 'master.key', randomness)];
  const areLinksNew = config.mediaLinkKeys === undefined && !hasKey(config.dataDir, 'media-link.key');
  const mediaLinkKeys = config.mediaLinkKeys ?? [readOrCreateKey(config.dataDir, 'media-link.key', randomness)];
  const database = openViewDatabase(join(config.dataDir, 'views.db'));
  onEnd(() => database.close());
  const seen = new SeenStore(
    { store: opened, clock, randomness, log },
    {
      file: join(config.dataDir, 'store.json'),
      name: nameOfStore(eventStoreUrl),
      acceptOlder: config.acceptOlderStore,
    },
  );
  onEnd(() => seen.save());
  const storeWait = createStoreWait({ clock, random: randomness, log });
  const { kind } = parseStoreUrl(eventStoreUrl);
  const viewLag = new ViewLag();
  const noted = noteAppends(opened, seen, () => storeWait.until(() => seen.check()).catch(fail));
  const store = meterStore(tracer === undefined ? noted : traceStore(noted, tracer, kind), {
    metrics: counts,
    viewOf: (sessionId) => views.get(sessionId),
    onSessionEvent: (position) => viewLag.recorded(position, clock.elapsed(), views.position),
  });
  const linkBook = new LinkBook({ store, clock, random: randomness, log, reportUnreadable: unreadable.report });
  // The embedded store has an index of them.
  const keepsEnds = kind !== 'sqlite';
  const activity = new SessionActivity({ clock, reportUnreadable: unreadable.report });
  const usageDays = new UsageDays({ reportUnreadable: unreadable.report });
  const masterSealer = createMasterSealer(masterKeys, randomness);
  const operatorWebhookBook = new OperatorWebhookBook({
    store,
    clock,
    random: randomness,
    sealer: masterSealer,
    reportUnreadable: unreadable.report,
  });
  const sides = [activity, usageDays, linkBook, operatorWebhookBook];
  const views = restartingProjection(
    { store: opened, clock, log, storeWait, reportUnreadable: unreadable.report, keepsEnds, sides },
    database,
  );
  onEnd(() => views.stop());
  const usage = new UsageRecorder({
    store,
    clock,
    random: randomness,
    node: context.nodeName,
    ownersOf: (sessionId) => {
      const { tenant, key } = views.get(sessionId) ?? {};
      return { ...(tenant !== undefined && { tenant }), ...(key !== undefined && { key }) };
    },
    log,
  });
  const vault = openVault({
    store,
    ownership,
    masterKeys,
    clock,
    randomness,
    reportUnreadable: unreadable.report,
    forLogOut: loginForLogOut,
    isDeleted: (sessionId) => views.get(sessionId)?.ended === true,
  });
  const keys = new KeyRegistry({
    store,
    clock,
    random: randomness,
    reportUnreadable: unreadable.report,
    onError: (error) => fail(error instanceof Error ? error : new Error('the keys do not follow the event store')),
  });
  onEnd(() => keys.stop());
  const sessionLimits = new KeySessionLimits({ keys, views });
  const sendLimits = new KeySendLimits({ store, clock, random: randomness, reportUnreadable: unreadable.report, keys });
  onEnd(() => linkBook.stop());
  return {
    ...membership,
    store,
    seen,
    isStoreAway: () => opened.outage !== undefined,
    storeFault: () => opened.outage && faultOf(eventStoreUrl, opened.outage),
    vault,
    views,
    activity,
    usage,
    usageDays,
    keys,
    sessionLimits,
    sendLimits,
    linkBook,
    operatorWebhookBook,
    masterSealer,
    viewLagMs: () => viewLag.ms(views.position, clock.elapsed()),
    storeWait,
    mediaLinkKeys,
    areLinksNew,
  };
}

const faultOf = (url: string, { reason }: Outage): string =>
  parseStoreUrl(url).kind === 'sqlite' ? `event store cannot write: ${reason}` : 'event store does not answer';

/**
 * Brings the views up to date, however long the store is away.
 * @returns the vaults
 * @throws the keys do not fit, or the stored data is incomplete or lost
 */
export async function restoreViews(
  { nodes, store, seen, vault, views, keys, linkBook, storeWait }: Storage,
  steps: Pick<StartSteps, 'run'>,
  { config, clock }: Pick<ComposeContext, 'config' | 'clock'>,
): Promise<StoredVaults> {
  await steps.run('the event store is being checked', async () => {
    await storeWait.until(() => mustBeWhole(store));
    await storeWait.until(() => seen.check());
  });
  const { eventStoreUrl } = config;
  if (nodes === undefined && parseStoreUrl(eventStoreUrl).kind === 'kurrentdb') {
    await steps.run('other gateways are being looked for', async () => {
      const node = await storeWait.until(() => findLiveNode(store, clock, storeWait.ended));
      if (node === undefined) return;
      throw new StartError(
        `the event store ${nameOfStore(eventStoreUrl)} belongs to several gateways, and ${node} is running: set NODE_URL and CLUSTER_KEY, or stop them`,
      );
    });
  }
  // With a wrong master key no session could connect, and each would be deleted at its deadline.
  const vaults = await steps.run('the keys of the sessions are being read', () =>
    storeWait.until(() => vault.listVaults()),
  );
  await steps.run('the views are being brought up to date', async () => {
    await storeWait.until(() => views.start());
    // What was recorded before that position is read from the stream itself.
    await storeWait.until(() => keys.start(views.position));
    await storeWait.until(() => linkBook.start());
  });
  return vaults;
}
