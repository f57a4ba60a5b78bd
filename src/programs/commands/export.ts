import { writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import type { ReportUnreadable } from '../../../actors/ports/event-codec.ts';
import { exportSession } from '../../audit/session-export.ts';
import { systemClock, systemRandomness } from '../../config/clock.ts';
import { ConfigError, readEnvironment, readStoreUrl, readStreamPrefix } from '../../config/config.ts';
import { nameOfStore, StoreUrlError } from '../../config/store-url.ts';
import { CommandError } from '../../errors/command-error.ts';
import { openStoreForReading } from '../../store/events/open-store.ts';
import { printResult } from '../print-result.ts';
import { exitCodes, runCommand } from '../run-command.ts';

interface ExportOptions {
  store?: string;
  prefix?: string;
  out?: string;
  json?: boolean;
}

export function exportCommand(): Command {
  return new Command('export')
    .description('write the events of a session to a file, without secrets and personal data')
    .argument('<id>', 'of the session')
    .option('--store <url>', 'event store (default: EVENT_STORE_URL, or the one in DATA_DIR)')
    .option('--prefix <text>', 'what the names of its streams begin with (default: STREAM_PREFIX)')
    .option('--out <file>', 'default: session-ID.json')
    .option('--json', 'print what was written as JSON')
    .action((id: string, options: ExportOptions) => {
      const urls = new Map<string, string>();
      return runCommand({
        run: () => {
          const url = options.store ?? readStoreUrl(readEnvironment());
          urls.set(url, nameOfStore(url));
          const streamPrefix = options.prefix ?? readStreamPrefix(readEnvironment());
          return run(id, { url, streamPrefix }, options);
        },
        isPlain: (error) => error instanceof ConfigError || error instanceof StoreUrlError,
        secrets: () => urls,
      });
    });
}

/** Writes a file that `tell` reads. It only reads the store, and may run beside a gateway. */
async function run(
  id: string,
  { url, streamPrefix }: { url: string; streamPrefix: string },
  { out: file = `session-${id}.json`, json = false }: ExportOptions,
): Promise<number> {
  const store = await openStoreForReading(url, { clock: systemClock, randomness: systemRandomness, streamPrefix });
  const reportUnreadable: ReportUnreadable = ({ stream, revision, reason }) => {
    process.stderr.write(`${streamPrefix}${stream} ${revision}: cannot be read (${reason}), left out\n`);
  };
  try {
    const exported = await exportSession({ store, reportUnreadable }, id, systemClock.now());
    if (exported === undefined) throw new CommandError(`${nameOfStore(url)} has no session ${id}`);
    await writeFile(file, `${JSON.stringify(exported, undefined, 2)}\n`);
    const { length: events } = exported.events;
    printResult(json, { session: id, file, events }, `${file}: ${events} events`);
    return exitCodes.fine;
  } finally {
    await store.close();
  }
}
