import closeWithGrace from 'close-with-grace';
import type { Logger } from 'pino';

/** OP2 gives open requests 10 s; the rest is for writing down and letting go. */
const longestShutdownMs = 20_000;

/**
 * Ends the process in order on SIGTERM and SIGINT (exit 0), and after a fault nobody caught (exit 1). A second signal
 * ends it at once. A promise that nobody waits for is no such fault: it is logged, since the client library has some.
 */
export function endInOrder(log: Pick<Logger, 'info' | 'error' | 'fatal'>, close: () => Promise<void>): void {
  process.on('unhandledRejection', (err) => log.error({ err }, 'a promise was rejected unseen'));
  closeWithGrace({ delay: longestShutdownMs, logger: false, skip: ['unhandledRejection'] }, async ({ err, signal }) => {
    if (err === undefined) log.info({ signal }, 'shutting down');
    else log.fatal({ err }, 'a fault that nobody caught');
    await close();
  });
}
