import { ConfigError } from '../config/config.ts';
import type { DataPlace } from '../config/data-place.ts';
import { nameOfStore, StoreUrlError } from '../config/store-url.ts';
import { DataDirInUseError, LockFileError } from '../store/data-dir-lock.ts';
import { DamagedDatabaseError, NewerDatabaseError, UnsuitableDatabaseError } from '../store/database.ts';
import { runCommand } from './run-command.ts';

const plainErrors = [
  ConfigError,
  StoreUrlError,
  DamagedDatabaseError,
  NewerDatabaseError,
  UnsuitableDatabaseError,
  DataDirInUseError,
  LockFileError,
];

/** Runs a command on the stored data of the settings. Errors never show the password of a store's URL. */
export function runStoreCommand(
  readPlace: () => DataPlace,
  work: (place: DataPlace) => Promise<number>,
): Promise<void> {
  const urls = new Map<string, string>();
  return runCommand({
    run: () => {
      const place = readPlace();
      urls.set(place.eventStoreUrl, nameOfStore(place.eventStoreUrl));
      return work(place);
    },
    isPlain: (error) =>
      plainErrors.some((kind) => error instanceof kind) || typeof (error as NodeJS.ErrnoException).code === 'string',
    secrets: () => urls,
  });
}

/** The size of files, for people. */
export const megabytes = (files: readonly { bytes: number }[]): string =>
  `${(files.reduce((sum, { bytes }) => sum + bytes, 0) / 1_000_000).toFixed(1)} MB`;
