import { readFileSync } from 'node:fs';
import type { Logger } from 'pino';

/** For HTTP clients, webhooks, files and the store, of a gateway that serves a few hundred callers. */
const descriptorsBesideSessions = 512;

/** How many descriptors this process may open; undefined where `/proc` does not say, or without a limit. */
function descriptorLimit(): number | undefined {
  try {
    const found = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'));
    return found === null ? undefined : Number(found[1]);
  } catch {
    return undefined;
  }
}

/**
 * Says at the start if the process may open too few descriptors (FA1.2): each connection, to Telegram or of a caller,
 * takes one. Node has raised the soft limit to the hard one.
 */
export function warnOfFewDescriptors(
  sessions: number,
  log: Pick<Logger, 'warn'>,
  limit: number | undefined = descriptorLimit(),
): void {
  const needed = sessions + descriptorsBesideSessions;
  if (limit === undefined || limit >= needed) return;
  log.warn({ limit, needed, sessions }, 'the limit of open files is too low (ulimit -n): connections will fail');
}
