import closeWithGrace from 'close-with-grace';
import type { Logger } from 'pino';

/** OP2 gives open requests 10 s; the rest is for writing down and letting go. */
const longestShutdownMs = 20_000;

/** A promise that nobody waits for is no reason to fall: the client library has some. */
export function logUnseenRejections(log: Pick<Logger, 'error'>): void {
  process.on('unhandledRejection', (err) => log.error({ err }, 'a promise was rejected unseen'));
}

/**
 * Ends the process in order on SIGTERM and SIGINT (exit 0), and after a fault nobody caught (exit 1). A second signal
 * ends it at once.
 */
export function endInOrder(log: Pick<Logger, 'info' | 'fatal'>, close: () => Promise<void>): void {
  closeWithGrace({ delay: longestShutdownMs, logger: false, skip: ['unhandledRejection'] }, async ({ err, signal }) => {
    if (err === undefined) log.info({ signal }, 'shutting down');
    else log.fatal({ err }, 'a fault that nobody caught');
    await close();
  });
}
