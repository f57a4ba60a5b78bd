import closeWithGrace from 'close-with-grace';
import type { Logger } from 'pino';
import type { Clock } from '../../actors/ports/clock.ts';

/** OP2 gives open requests 10 s; the rest is for flushing appends and closing connections. */
const maxShutdownMs = 20_000;
/** FA6 gives 5 s after a hang-up: open requests have these, the rest is for all else. */
const hurriedDrainMs = 2_500;
const maxHurriedMs = 4_500;

/**
 * Signals by which a defect in native code shows. A listener would keep the process from dying: the faulty instruction
 * would be repeated for ever.
 */
const crashSignals = ['SIGILL', 'SIGTRAP', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGSEGV'] as const;

export interface ShutdownDeps {
  clock: Clock;
  log: Pick<Logger, 'info' | 'fatal'>;
  /** @param drainMs how long open requests may take; undefined: as long as OP2 says */
  close: (drainMs?: number) => Promise<void>;
  /** See `isHangUpIgnored`. */
  ignoresHangUp: boolean;
}

/** A rejected promise without a handler must not end the process: GramJS leaves some. */
export function logUnseenRejections(log: Pick<Logger, 'error'>): void {
  process.on('unhandledRejection', (err) => log.error({ where: 'process', err }, 'unhandled rejection'));
}

/** Nothing can be written to a terminal that is gone; the log and the hang-up tell of it. */
export function ignoreOutputErrors(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}

/**
 * Ends the process in order on SIGTERM and SIGINT (exit 0), and after an uncaught exception (exit 1). A second signal
 * ends it at once. A hang-up (SIGHUP) ends it within 5 s, unless it is to be ignored.
 * @returns ends it as a hang-up does (FA6)
 */
export function endInOrder({ clock, log, close, ignoresHangUp }: ShutdownDeps): (reason: string) => void {
  let isEnding = false;
  let isHurried = false;
  const options: closeWithGrace.Options = {
    delay: maxShutdownMs,
    logger: false,
    skip: ['unhandledRejection', 'SIGHUP', ...crashSignals],
  };
  const handle = closeWithGrace(options, async ({ err, signal }) => {
    isEnding = true;
    if (err !== undefined) log.fatal({ err }, 'uncaught exception');
    else if (!isHurried) log.info({ signal }, 'shutting down');
    await close(isHurried ? hurriedDrainMs : undefined);
  });
  const hurry = (reason: string): void => {
    if (isHurried) return;
    isHurried = true;
    log.info({ reason }, 'shutting down');
    clock.setTimeout(() => process.exit(1), maxHurriedMs);
    if (!isEnding) handle.close();
  };
  // More than one may come: of the terminal, and of the shell in it.
  process.on('SIGHUP', () => {
    if (ignoresHangUp) log.info({ signal: 'SIGHUP' }, 'the hang-up is ignored');
    else hurry('the terminal was closed (SIGHUP)');
  });
  return hurry;
}
