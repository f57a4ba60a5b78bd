import { join } from 'node:path';
import { createSessionCommands } from '../../actors/runtime/session-commands.ts';
import type { Sessions } from '../../actors/runtime/sessions.ts';
import { externalIdsIn } from '../../projections/external-ids-in.ts';
import { partitionOf } from '../cluster/partitions.ts';
import { DiskCache } from '../media/links/disk-cache.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Outbound } from '../outbound/outbound.ts';
import type { StoredVaults } from '../store/vault/vault-records.ts';
import { addressFile } from '../telegram/connection/address-file.ts';
import { ConnectionGate } from '../telegram/connection/connection-gate.ts';
import { DcAddresses } from '../telegram/connection/dc-addresses.ts';
import { Dialler } from '../telegram/connection/dialler.ts';
import type { TelegramNetwork } from '../telegram/connection/network.ts';
import { createTelegram } from '../telegram/gramjs/telegram.ts';
import type { KeysInUse } from '../telegram/login/keys-in-use.ts';
import type { LoginRefusals } from '../telegram/login/login-refusals.ts';
import type { TelegramAccounts, TelegramConnections } from '../telegram/port/account.ts';
import type { AccountSends, UpdateRecording } from '../telegram/port/updates.ts';
import { traceCalls, watchFacts } from '../telemetry/trace-work.ts';
import type { CountUsage } from '../usage/usage-recorder.ts';
import { unfinishedErasures } from './cluster/unfinished-erasures.ts';
import type { ComposeContext } from './context.ts';
import { erasingSealer } from './erasing-sealer.ts';
import type { Storage } from './storage.ts';
import type { TemporaryFiles } from './temporary-files.ts';

/** The names that Telegram shows in the account's list of devices. */
export const device = { model: 'Session gateway', systemVersion: `Node ${process.versions.node}`, appVersion: '0.1' };

/** The sessions and their accounts at Telegram. */
export interface Accounts {
  /** Not started. */
  sessions: Sessions;
  accounts: TelegramAccounts;
  connections: TelegramConnections;
  keysInUse: KeysInUse;
  sends: AccountSends;
  mediaCache: DiskCache;
  /** Removes the files that are kept for a session. Never rejects. */
  forgetFiles: (sessionId: string) => Promise<void>;
  /** Position of the newest event with which a session was taken from another owner. */
  takenUpTo: () => bigint;
  /** Among several nodes: an external ID stays reserved until the other nodes show, too, who has it. */
  namesShownBy: (awaitOthers: (position: bigint) => Promise<void>) => void;
}

interface AccountsDeps
  extends Pick<Storage, 'store' | 'vault' | 'views' | 'nodes' | 'ownership'>,
    Pick<TemporaryFiles, 'uploads'> {
  network: TelegramNetwork;
  outbound: Outbound;
  recording: UpdateRecording;
  counts: Metrics;
  usage: CountUsage;
  loginRefusals: LoginRefusals;
  /** A session that has a vault and no events was deleted, or never recorded: it is erased. */
  vaults: Promise<StoredVaults>;
}

export async function openAccounts(
  { config, clock, randomness, log, tracer, unreadable, nodeName, onEnd }: ComposeContext,
  {
    nodes,
    ownership,
    store,
    vault,
    views,
    network,
    outbound,
    recording,
    counts,
    usage,
    vaults,
    loginRefusals,
    uploads,
  }: AccountsDeps,
): Promise<Accounts> {
  const telegram = createTelegram({
    network,
    dialler: new Dialler(
      new DcAddresses(clock, network.dcs, addressFile(join(config.dataDir, 'dc-addresses.json'), network.dcs)),
      new ConnectionGate(clock, config.telegramConnectionsPerSecond),
    ),
    recording,
    loginStore: vault,
    ownership,
    localAddress: config.localAddress,
    dialProxy: (host, port, options) => outbound.connect(host, port, options),
    loginRefusals,
    clock,
    random: randomness,
    device,
    log: (level, message, fields) => log[level]({ ...fields }, message),
    onWait: (sessionId, asked) => {
      counts.waitAsked(asked);
      usage.count(sessionId, undefined, 'waits');
    },
    trace: tracer && traceCalls(tracer),
  });
  onEnd(() => telegram.close());
  const mediaCache = await DiskCache.open({
    folder: join(config.dataDir, 'media-cache'),
    maxBytes: config.mediaCacheBytes,
    clock,
    log,
  });
  onEnd(() => mediaCache.close());
  const eraseFiles = async (sessionId: string): Promise<void> => {
    await uploads.forget(sessionId);
    await mediaCache.forget(sessionId);
  };
  const forgetFiles = (session: string): Promise<void> =>
    eraseFiles(session).catch((err: unknown) => log.warn({ session, err }, 'files of a deleted session were left'));
  let takenUpTo = 0n;
  const isKnown = (position: bigint): Promise<void> => {
    if (position > takenUpTo) takenUpTo = position;
    return views.waitFor(position);
  };
  let awaitOthers = (_position: bigint): Promise<void> => Promise.resolve();
  const sessions = createSessionCommands({
    store,
    sealer: erasingSealer(vault, eraseFiles),
    clock,
    random: randomness,
    createTelegramSession: telegram.createTelegramSession,
    node: nodeName,
    ownership,
    partitionOf: nodes === undefined ? undefined : partitionOf,
    isKnown: nodes === undefined ? undefined : isKnown,
    log,
    reportUnreadable: unreadable.report,
    watch: tracer && watchFacts(tracer),
    unfinishedErasures: (partitions) => unfinishedErasures({ store, views, clock, vaults }, partitions),
    knownEnds: () => views.ends(),
    externalIds: {
      ...externalIdsIn(views),
      waitFor: async (position) => {
        await views.waitFor(position);
        await awaitOthers(position);
      },
    },
    unreadableVaults: async () => (await vaults).unreadable,
  });
  onEnd(() => sessions.stop());
  const namesShownBy: Accounts['namesShownBy'] = (wait) => {
    awaitOthers = wait;
  };
  const { accounts, connections, keysInUse, sends } = telegram;
  return {
    sessions,
    accounts,
    connections,
    keysInUse,
    sends,
    mediaCache,
    forgetFiles,
    takenUpTo: () => takenUpTo,
    namesShownBy,
  };
}
