import { hostname } from 'node:os';
import { Command } from 'commander';
import { activate } from '../../backup/inactive-copy.ts';
import { restoreBackup } from '../../backup/restore-backup.ts';
import { readEnvironment } from '../../config/config.ts';
import { type DataPlace, readDataPlace } from '../../config/data-place.ts';
import { CommandError } from '../../errors/command-error.ts';
import { lockDataDir } from '../../store/data-dir-lock.ts';
import { printResult } from '../print-result.ts';
import { exitCodes } from '../run-command.ts';
import { megabytes, runStoreCommand } from '../store-command.ts';

interface RestoreOptions {
  activate?: boolean;
  json?: boolean;
}

export function restoreCommand(): Command {
  return new Command('restore')
    .description('put a backup where nothing is; its sessions stay inactive until --activate')
    .argument('[folder]', 'that `backup` made; left out: only activate what was restored before')
    .option('--activate', 'no other gateway uses these logins, and none will')
    .option('--json', 'print what was restored as JSON')
    .action((folder: string | undefined, options: RestoreOptions) =>
      runStoreCommand(
        () => readDataPlace(readEnvironment()),
        (place) => restore(folder, place, options),
      ),
    );
}

async function restore(folder: string | undefined, place: DataPlace, options: RestoreOptions): Promise<number> {
  if (folder === undefined && options.activate !== true) {
    throw new CommandError('name the folder of a backup, or --activate what was restored before');
  }
  const lock = lockDataDir(place.dataDir, `restore, process ${process.pid} on ${hostname()}`);
  try {
    const manifest = folder === undefined ? undefined : await restoreBackup(folder, place);
    const isActivated = options.activate === true;
    if (isActivated && !activate(place.dataDir)) throw new CommandError(`${place.dataDir} is not inactive`);
    const lines = [
      ...(manifest === undefined
        ? []
        : [
            `${folder} → ${place.dataDir}: as it was at ${manifest.at} (${megabytes(manifest.files)}), compared with the backup`,
          ]),
      isActivated
        ? `${place.dataDir} is active: the gateway may start`
        : 'It is inactive. Once the gateway of the backup is stopped for good: telegram-gateway restore --activate',
    ];
    printResult(
      options.json === true,
      { dataDir: place.dataDir, ...manifest, isActive: isActivated },
      lines.join('\n'),
    );
    return exitCodes.fine;
  } finally {
    lock.release();
  }
}
