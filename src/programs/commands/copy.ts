import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { systemClock, systemRandomness } from '../../config/clock.ts';
import { ConfigError, readEnvironment, readStreamPrefix } from '../../config/config.ts';
import { nameOfStore, parseStoreUrl, StoreUrlError } from '../../config/store-url.ts';
import { CommandError } from '../../errors/command-error.ts';
import { DataDirInUseError, type DataDirLock, lockDataDir } from '../../store/data-dir-lock.ts';
import { NewerDatabaseError, UnsuitableDatabaseError } from '../../store/database.ts';
import { openStore, openStoreForReading } from '../../store/events/open-store.ts';
import { copyStore } from '../../store/tools/copy-store.ts';
import { createProgress, groupDigits } from '../../store/tools/progress.ts';
import { printResult } from '../print-result.ts';
import { exitCodes, runCommand } from '../run-command.ts';

/** The embedded store takes concurrent appends in one commit; a server gets this many requests at a time. */
const appendsAtOnce = { sqlite: 1000, kurrentdb: 200 };

const own = { clock: systemClock, randomness: systemRandomness };

interface CopyOptions {
  from: string;
  to: string;
  fromPrefix?: string;
  toPrefix?: string;
  json?: boolean;
}

export function copyCommand(): Command {
  return new Command('copy')
    .description('move a stopped gateway from one event store to another')
    .requiredOption('--from <url>', 'for example sqlite:data/events.db')
    .requiredOption('--to <url>', 'for example kurrentdb://host:2113')
    .option('--from-prefix <text>', 'what the names of the streams to copy begin with (default: STREAM_PREFIX)')
    .option('--to-prefix <text>', 'what the names of their copies begin with (default: STREAM_PREFIX)')
    .option('--json', 'print what was copied as JSON')
    .action(({ from, to, fromPrefix, toPrefix, json = false }: CopyOptions) => {
      const urls = new Map<string, string>();
      return runCommand({
        run: () => {
          for (const url of [from, to]) urls.set(url, nameOfStore(url));
          const prefixOf = (given: string | undefined): string => given ?? readStreamPrefix(readEnvironment());
          return copy(
            { url: from, streamPrefix: prefixOf(fromPrefix) },
            { url: to, streamPrefix: prefixOf(toPrefix) },
            json,
          );
        },
        isPlain: (error) =>
          [ConfigError, StoreUrlError, UnsuitableDatabaseError, NewerDatabaseError, DataDirInUseError].some(
            (kind) => error instanceof kind,
          ),
        secrets: () => urls,
      });
    });
}

/** A process that works with an embedded store holds the lock of its directory. */
function lockPlaces(urls: readonly string[]): DataDirLock[] {
  const folders = urls
    .map((url) => parseStoreUrl(url))
    .flatMap((place) => (place.kind === 'sqlite' ? [dirname(place.file)] : []))
    .filter((folder) => existsSync(join(folder, 'lock.db')));
  return [...new Set(folders)].map((folder) => lockDataDir(folder, `copy, process ${process.pid} on ${hostname()}`));
}

/** One of the two stores, and what the names of the streams begin with that are copied, or that they get. */
interface Side {
  url: string;
  streamPrefix: string;
}

/** How a side is called in what people read. */
const nameOf = ({ url, streamPrefix }: Side): string =>
  streamPrefix === '' ? nameOfStore(url) : `${nameOfStore(url)} (${streamPrefix}…)`;

async function copy(from: Side, to: Side, isJson: boolean): Promise<number> {
  const startedAt = systemClock.elapsed();
  const names = { from: nameOf(from), to: nameOf(to) };
  if (names.from === names.to) throw new CommandError('the source and the target are the same store');
  const locks = lockPlaces([from.url, to.url]);
  const source = await openStoreForReading(from.url, { ...own, streamPrefix: from.streamPrefix });
  const progress = createProgress(process.stderr, systemClock);
  try {
    const target = await openStore(to.url, { ...own, streamPrefix: to.streamPrefix });
    try {
      const { streams, events, copied, sameOrder } = await copyStore({
        from: source,
        to: target,
        names,
        appendsAtOnce: appendsAtOnce[parseStoreUrl(to.url).kind],
        randomness: systemRandomness,
        progress,
        onDamaged: ({ stream, revision, damage }) => {
          progress.say(`${from.streamPrefix}${stream} ${revision}: copied without its content (${damage})`);
        },
      });
      progress.end();
      const seconds = ((systemClock.elapsed() - startedAt) / 1000).toFixed(1);
      printResult(
        isJson,
        { ...names, events, streams, copied, sameOrder },
        `${names.from} → ${names.to}: ${groupDigits(events)} events in ${groupDigits(streams)} streams, ` +
          `${groupDigits(copied)} copied now, every stream compared and the same` +
          `${sameOrder ? '' : ', though not between one another as they were'} (${seconds} s)`,
      );
      return exitCodes.fine;
    } finally {
      progress.end();
      await target.close();
    }
  } finally {
    await source.close();
    for (const lock of locks) lock.release();
  }
}
