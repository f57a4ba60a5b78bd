import { ConfigError } from '../config/config.ts';
import { KeyFileError } from '../config/key-file.ts';
import { StoreUrlError } from '../config/store-url.ts';
import { StartError } from '../errors/gateway-error.ts';
import { DataDirInUseError, LockFileError } from '../store/data-dir-lock.ts';
import { DamagedDatabaseError, NewerDatabaseError } from '../store/database.ts';
import { describeDiskFault } from '../store/disk-fault.ts';
import { MasterKeyMissingError } from '../store/vault/key-ring.ts';

/** Errors whose message is the sentence. */
const plain = [
  ConfigError,
  DamagedDatabaseError,
  DataDirInUseError,
  KeyFileError,
  LockFileError,
  MasterKeyMissingError,
  NewerDatabaseError,
  StartError,
  StoreUrlError,
] as const;

/**
 * What keeps the gateway from running, in a sentence (FA5): a fault of its settings or surroundings.
 * @returns undefined for a defect of the gateway, which needs a stack
 */
export function describeStartFault(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (plain.some((type) => error instanceof type)) return error.message;
  return describeDiskFault(error) ?? describeSystemError(error);
}

/** Of the operating system, for example a port in use. Node's message names the file or address. */
function describeSystemError(error: NodeJS.ErrnoException): string | undefined {
  return typeof error.syscall === 'string' ? error.message : undefined;
}
