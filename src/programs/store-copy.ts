import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock, systemRandomness } from '../config/clock.ts';
import { nameOfStore, parseStoreUrl, StoreUrlError } from '../config/store-url.ts';
import { DataDirInUseError, type DataDirLock, lockDataDir } from '../store/data-dir-lock.ts';
import { NewerDatabaseError, UnsuitableDatabaseError } from '../store/database.ts';
import { openStore, openStoreForReading } from '../store/events/open-store.ts';
import { copyStore } from '../store/tools/copy-store.ts';
import { createProgress, formatCount } from '../store/tools/progress.ts';
import { CommandError, exitCodes, runCommand } from './run-command.ts';

const usage = 'npm run store:copy -- --from sqlite:data/events.db --to kurrentdb://host:2113';

/** The embedded store takes all of a moment in one commit; a server has this many on the wire. */
const appendsAtOnce = { sqlite: 1000, kurrentdb: 200 };

/** Whoever works with an embedded store holds the lock of the directory it lies in. */
function lockPlaces(urls: readonly string[]): DataDirLock[] {
  const folders = urls
    .map((url) => parseStoreUrl(url))
    .flatMap((place) => (place.kind === 'sqlite' ? [dirname(place.file)] : []))
    .filter((folder) => existsSync(join(folder, 'lock.db')));
  return [...new Set(folders)].map((folder) =>
    lockDataDir(folder, `store:copy, process ${process.pid} on ${hostname()}`),
  );
}

async function copy(from: string, to: string): Promise<number> {
  const startedAt = systemClock.now();
  const names = { from: nameOfStore(from), to: nameOfStore(to) };
  if (names.from === names.to) throw new CommandError('the source and the target are the same store');
  const locks = lockPlaces([from, to]);
  const source = await openStoreForReading(from, { clock: systemClock, randomness: systemRandomness });
  const progress = createProgress(process.stderr, systemClock);
  try {
    const target = await openStore(to, { clock: systemClock, randomness: systemRandomness });
    try {
      const { streams, events, copied, sameOrder } = await copyStore({
        from: source,
        to: target,
        names,
        appendsAtOnce: appendsAtOnce[parseStoreUrl(to).kind],
        randomness: systemRandomness,
        progress,
      });
      progress.end();
      const seconds = ((systemClock.now() - startedAt) / 1000).toFixed(1);
      process.stdout.write(
        `${names.from} → ${names.to}: ${formatCount(events)} events in ${formatCount(streams)} streams, ` +
          `${formatCount(copied)} copied now, every stream compared and the same` +
          `${sameOrder ? '' : ', though not between one another as they were'} (${seconds} s)\n`,
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

const urls = new Map<string, string>();

/** `npm run store:copy`: moves a gateway from one event store to another, while it is stopped. */
await runCommand({
  run: () => {
    const { from, to } = parseArgs({ options: { from: { type: 'string' }, to: { type: 'string' } } }).values;
    if (from === undefined || to === undefined) throw new CommandError(`both are wanted: ${usage}`);
    for (const url of [from, to]) urls.set(url, nameOfStore(url));
    return copy(from, to);
  },
  isPlain: (error) =>
    [StoreUrlError, UnsuitableDatabaseError, NewerDatabaseError, DataDirInUseError].some(
      (kind) => error instanceof kind,
    ) || (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS') === true,
  secrets: () => urls,
});
