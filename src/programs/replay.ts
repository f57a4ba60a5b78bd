import { parseArgs } from 'node:util';
import { systemClock, systemRandomness } from '../config/clock.ts';
import { ConfigError, readEnvironment, readStoreUrl } from '../config/config.ts';
import { nameOfStore, StoreUrlError } from '../config/store-url.ts';
import { NewerDatabaseError, UnsuitableDatabaseError } from '../store/database.ts';
import { openStoreForReading } from '../store/events/open-store.ts';
import { createProgress, formatCount } from '../store/tools/progress.ts';
import { replayStore } from '../store/tools/replay-store.ts';
import { exitCodes, runCommand } from './run-command.ts';

/** Beyond so many the rest is only counted: a chart that was changed by mistake differs everywhere. */
const shownDrift = 100;

/**
 * `npm run replay [-- --store url]`: recomputes every transition of every session (AD6). It only reads, and may run
 * beside a gateway. Exit code 1 where anything differs, 2 where it could not look.
 */
async function replay(url: string): Promise<number> {
  const startedAt = systemClock.now();
  const progress = createProgress(process.stderr, systemClock);
  const store = await openStoreForReading(url, { clock: systemClock, randomness: systemRandomness });
  try {
    let shown = 0;
    const { sessions, events, drift } = await replayStore({
      store,
      onDrift: ({ stream, revision, type, problem }) => {
        shown += 1;
        if (shown <= shownDrift) progress.say(`${stream} ${revision} ${type}: ${problem}`);
        else if (shown === shownDrift + 1) progress.say('… more of it is only counted');
      },
      onProgress: progress.begin('replayed'),
    });
    progress.end();
    const seconds = ((systemClock.now() - startedAt) / 1000).toFixed(1);
    const verdict = drift === 0 ? 'no drift' : `${formatCount(drift)} events differ`;
    process.stdout.write(
      `${nameOfStore(url)}: ${formatCount(events)} events of ${formatCount(sessions)} sessions, ${verdict} (${seconds} s)\n`,
    );
    return drift === 0 ? exitCodes.fine : exitCodes.found;
  } finally {
    await store.close();
  }
}

const urls = new Map<string, string>();

await runCommand({
  run: () => {
    const { store } = parseArgs({ options: { store: { type: 'string' } } }).values;
    const url = store ?? readStoreUrl(readEnvironment());
    urls.set(url, nameOfStore(url));
    return replay(url);
  },
  isPlain: (error) =>
    [ConfigError, StoreUrlError, UnsuitableDatabaseError, NewerDatabaseError].some((kind) => error instanceof kind) ||
    (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS') === true,
  secrets: () => urls,
});
