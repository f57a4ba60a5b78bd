import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';

const intervalMs = 60_000;
/** Causes remembered. Beyond it the oldest is forgotten, and may be logged again within its minute. */
const maxCauses = 1_000;

interface Cause {
  /** By the clock's `elapsed()`. */
  loggedAt: number;
  /** Number of lines left out since the last one. */
  suppressed: number;
}

/**
 * A log for retry loops: a line is logged up to once a minute for the same message and the same error (`err`), whichever
 * session it is about. The next line says in `suppressed` how many were left out since the one before.
 */
export function createRateLimitedLog(log: Log, clock: Pick<Clock, 'elapsed'>): Log {
  /** By message and error, least recently logged first. */
  const causes = new Map<string, Cause>();

  const limited =
    <Fields extends object>(level: keyof Log, write: (fields: Fields, message: string) => void) =>
    (fields: Fields, message: string): void => {
      const name = `${level} ${message} ${'err' in fields ? String(fields.err) : ''}`;
      const now = clock.elapsed();
      const known = causes.get(name);
      if (known !== undefined && now < known.loggedAt + intervalMs) {
        known.suppressed += 1;
        return;
      }
      causes.delete(name);
      causes.set(name, { loggedAt: now, suppressed: 0 });
      const [oldest] = causes.keys();
      if (causes.size > maxCauses && oldest !== undefined) causes.delete(oldest);
      const suppressed = known?.suppressed ?? 0;
      write(suppressed === 0 ? fields : { ...fields, suppressed }, message);
    };

  return {
    info: limited('info', (fields, message) => log.info(fields, message)),
    warn: limited('warn', (fields, message) => log.warn(fields, message)),
    error: limited<Parameters<Log['error']>[0]>('error', (fields, message) => log.error(fields, message)),
  };
}
