import { Command } from 'commander';
import { usageCodec } from '../../../projections/usage/usage-codec.ts';
import { systemClock, systemRandomness } from '../../config/clock.ts';
import { ConfigError, readEnvironment, readStoreUrl, readStreamPrefix } from '../../config/config.ts';
import { nameOfStore, StoreUrlError } from '../../config/store-url.ts';
import { keyCodec } from '../../keys/key-codec.ts';
import { limitCodec } from '../../keys/limits/limit-codec.ts';
import { linkCodec } from '../../links/link-codec.ts';
import { sendCodec } from '../../messaging/send-codec.ts';
import { DamagedDatabaseError, NewerDatabaseError, UnsuitableDatabaseError } from '../../store/database.ts';
import { openStoreForReading } from '../../store/events/open-store.ts';
import { createProgress, groupDigits } from '../../store/tools/progress.ts';
import { replayStore } from '../../store/tools/replay-store.ts';
import { vaultCodec } from '../../store/vault/vault-codec.ts';
import { placeCodec } from '../../webhook/operators/place-codec.ts';
import { webhookCodec } from '../../webhook/operators/webhook-codec.ts';
import { deliveryCodec } from '../../webhook/stream/delivery-codec.ts';
import { followedCodec } from '../../webhook/stream/followed-codec.ts';
import { outboxCodec } from '../../webhook/stream/outbox-codec.ts';
import { printResult } from '../print-result.ts';
import { exitCodes, runCommand } from '../run-command.ts';

/** Lines shown of each kind; the rest is only counted. A chart that was changed by mistake differs everywhere. */
const maxLines = 100;
/** Of the streams beside those of sessions. */
const decoders = [
  vaultCodec,
  deliveryCodec,
  outboxCodec,
  sendCodec,
  keyCodec,
  linkCodec,
  usageCodec,
  limitCodec,
  followedCodec,
  webhookCodec,
  placeCodec,
];

export function replayCommand(): Command {
  return new Command('replay')
    .description(
      'recompute every transition of every session; exit code 1 if one differs, an event cannot be read or the file is damaged, 2 if the store cannot be read',
    )
    .option('--store <url>', 'event store (default: EVENT_STORE_URL, or the one in DATA_DIR)')
    .option('--prefix <text>', 'what the names of its streams begin with (default: STREAM_PREFIX)')
    .option('--json', 'print the result as JSON; what differs goes to standard error')
    .action((options: { store?: string; prefix?: string; json?: boolean }) => {
      const urls = new Map<string, string>();
      return runCommand({
        run: () => {
          const url = options.store ?? readStoreUrl(readEnvironment());
          urls.set(url, nameOfStore(url));
          return replay(url, options.prefix ?? readStreamPrefix(readEnvironment()), options.json === true);
        },
        isPlain: (error) =>
          [ConfigError, StoreUrlError, UnsuitableDatabaseError, NewerDatabaseError, DamagedDatabaseError].some(
            (kind) => error instanceof kind,
          ),
        secrets: () => urls,
      });
    });
}

/**
 * Recomputes every transition of every session (AD6), and names every event that cannot be read (FA7). It only reads, and
 * may run beside a gateway.
 */
async function replay(url: string, streamPrefix: string, isJson: boolean): Promise<number> {
  const startedAt = systemClock.elapsed();
  const progress = createProgress(process.stderr, systemClock);
  const store = await openStoreForReading(url, { clock: systemClock, randomness: systemRandomness, streamPrefix });
  try {
    const fault = store.findFault?.();
    if (fault !== undefined) progress.say(`${nameOfStore(url)} is damaged: ${fault}`);
    const sayDrift = limited((line) => progress.say(line));
    const sayUnreadable = limited((line) => progress.say(line));
    const { sessions, events, drift, unreadable } = await replayStore({
      store,
      decoders,
      onDrift: ({ stream, revision, type, problem }) =>
        sayDrift(`${streamPrefix}${stream} ${revision} ${type}: ${problem}`),
      onUnreadable: ({ stream, revision, reason }) =>
        sayUnreadable(`${streamPrefix}${stream} ${revision}: cannot be read (${reason})`),
      onProgress: progress.begin('replayed'),
    });
    progress.end();
    const seconds = ((systemClock.elapsed() - startedAt) / 1000).toFixed(1);
    const verdicts = [
      drift === 0 ? 'no drift' : `${groupDigits(drift)} events differ`,
      ...(fault === undefined ? [] : ['the file is damaged']),
      ...(unreadable === 0 ? [] : [`${groupDigits(unreadable)} events cannot be read`]),
    ];
    printResult(
      isJson,
      { store: nameOfStore(url), events, sessions, drift, unreadable, fault: fault ?? null },
      `${nameOfStore(url)}: ${groupDigits(events)} events of ${groupDigits(sessions)} sessions, ${verdicts.join(', ')} (${seconds} s)`,
    );
    return drift === 0 && unreadable === 0 && fault === undefined ? exitCodes.fine : exitCodes.found;
  } finally {
    await store.close();
  }
}

/** Writes the first lines, and once that there are more. */
function limited(say: (line: string) => void): (line: string) => void {
  let lines = 0;
  return (line) => {
    lines += 1;
    if (lines <= maxLines) say(line);
    else if (lines === maxLines + 1) say('… more of these are only counted');
  };
}
