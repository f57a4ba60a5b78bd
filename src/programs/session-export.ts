import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { ReportUnreadable } from '../../actors/ports/event-codec.ts';
import { exportSession } from '../audit/session-export.ts';
import { systemClock, systemRandomness } from '../config/clock.ts';
import { ConfigError, readEnvironment, readStoreUrl } from '../config/config.ts';
import { nameOfStore, StoreUrlError } from '../config/store-url.ts';
import { openStoreForReading } from '../store/events/open-store.ts';
import { CommandError, exitCodes, runCommand } from './run-command.ts';

/**
 * `npm run session:export -- ID [--store url] [--out file]`: writes one session's log, without secrets and without
 * anything personal, into a file that `npm run session:replay` reads. It only reads, and may run beside a gateway.
 */
async function run(id: string, url: string, file: string): Promise<number> {
  const store = await openStoreForReading(url, { clock: systemClock, randomness: systemRandomness });
  const reportUnreadable: ReportUnreadable = ({ stream, revision, reason }) => {
    process.stderr.write(`${stream} ${revision}: cannot be read (${reason}), left out\n`);
  };
  try {
    const exported = await exportSession({ store, reportUnreadable }, id, systemClock.now());
    if (exported === undefined) throw new CommandError(`${nameOfStore(url)} has no session ${id}`);
    await writeFile(file, `${JSON.stringify(exported, undefined, 2)}\n`);
    process.stdout.write(`${file}: ${exported.events.length} events\n`);
    return exitCodes.fine;
  } finally {
    await store.close();
  }
}

const urls = new Map<string, string>();

await runCommand({
  run: () => {
    const { values, positionals } = parseArgs({
      options: { store: { type: 'string' }, out: { type: 'string' } },
      allowPositionals: true,
    });
    const [id] = positionals;
    if (id === undefined) throw new CommandError('which session? npm run session:export -- ID');
    const url = values.store ?? readStoreUrl(readEnvironment());
    urls.set(url, nameOfStore(url));
    return run(id, url, values.out ?? `session-${id}.json`);
  },
  isPlain: (error) => error instanceof ConfigError || error instanceof StoreUrlError || isAboutArguments(error),
  secrets: () => urls,
});

function isAboutArguments(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS') === true;
}
