import { Command } from 'commander';
import { createBackup, restOfBackup } from '../../backup/create-backup.ts';
import { systemClock } from '../../config/clock.ts';
import { readEnvironment } from '../../config/config.ts';
import { type DataPlace, readDataPlace } from '../../config/data-place.ts';
import { nameOfStore } from '../../config/store-url.ts';
import { gatewayVersion } from '../../http/openapi/version.ts';
import { copyDatabase } from '../../store/database.ts';
import { printResult } from '../print-result.ts';
import { exitCodes } from '../run-command.ts';
import { megabytes, runStoreCommand } from '../store-command.ts';

export function backupCommand(): Command {
  return new Command('backup')
    .description('copy the stored data of a gateway, which may be running, into a new folder, and check the copy')
    .argument('<folder>', 'does not exist yet, or is empty')
    .option('--json', 'print what the backup holds as JSON')
    .action((folder: string, { json = false }: { json?: boolean }) =>
      runStoreCommand(
        () => readDataPlace(readEnvironment()),
        (place) => backUp(folder, place, json),
      ),
    );
}

async function backUp(folder: string, place: DataPlace, isJson: boolean): Promise<number> {
  const { dataDir, eventStoreUrl } = place;
  const manifest = await createBackup(
    { dataDir, eventStoreUrl, version: gatewayVersion, now: () => systemClock.now(), copyDatabase },
    folder,
  );
  const todo = restOfBackup(manifest, place);
  const names = manifest.files.map(({ name }) => name).join(', ');
  const copied = `${dataDir} and ${nameOfStore(eventStoreUrl)} → ${folder}: ${names} (${megabytes(manifest.files)}), checked`;
  printResult(isJson, { folder, ...manifest, todo }, [copied, ...todo].join('\n'));
  return exitCodes.fine;
}
