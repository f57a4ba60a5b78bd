import closeWithGrace from 'close-with-grace';
import type { Logger } from 'pino';

/** OP2 gives open requests 10 s; the rest is for flushing appends and closing connections. */
const maxShutdownMs = 20_000;

/** A rejected promise without a handler must not end the process: GramJS leaves some. */
export function logUnseenRejections(log: Pick<Logger, 'error'>): void {
  process.on('unhandledRejection', (err) => log.error({ err }, 'unhandled rejection'));
}

/**
 * Ends the process in order on SIGTERM and SIGINT (exit 0), and after an uncaught exception (exit 1). A second signal
 * ends it at once.
 */
export function endInOrder(log: Pick<Logger, 'info' | 'fatal'>, close: () => Promise<void>): void {
  closeWithGrace({ delay: maxShutdownMs, logger: false, skip: ['unhandledRejection'] }, async ({ err, signal }) => {
    if (err === undefined) log.info({ signal }, 'shutting down');
    else log.fatal({ err }, 'uncaught exception');
    await close();
  });
}
