import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../errors/gateway-error.ts';

/** Stands in a restored data directory until the operator says that no other gateway uses its logins. */
export const inactiveMark = 'restored.json';

/**
 * Two gateways that use one login key end it: Telegram drops the login. So a restored directory does nothing by itself.
 * @throws {StartError} the directory was restored from a backup and is not activated yet
 */
export function mustBeActive(dataDir: string): void {
  if (!existsSync(join(dataDir, inactiveMark))) return;
  throw new StartError(
    `${dataDir} was restored from a backup and is inactive. Make sure that the gateway of the backup is stopped and stays so: ` +
      'two gateways with one login end it. Then run: telegram-gateway restore --activate',
  );
}

/** @returns whether it was inactive */
export function activate(dataDir: string): boolean {
  const file = join(dataDir, inactiveMark);
  if (!existsSync(file)) return false;
  rmSync(file);
  return true;
}
