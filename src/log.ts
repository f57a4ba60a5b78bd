import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import pretty from 'pino-pretty';
import type { Config } from './config.ts';

/**
 * Nobody logs secrets; should somebody log a request or a command all the same, these are not read. Plain paths only:
 * wildcards cost more than the rest of a line.
 */
const secretPaths = ['', 'headers', 'req', 'req.headers', 'request', 'request.headers', 'body'].flatMap((parent) => [
  ...['sessionId', 'password', 'token', 'link', 'authorization'].map((name) =>
    parent === '' ? name : `${parent}.${name}`,
  ),
  ...['session-id', 'x-api-key'].map((name) => `${parent}["${name}"]`),
]);

/** What gathers while the log cannot be written. */
const unwrittenBytes = 4 * 1024 * 1024;

/** JSON lines; lines for people on a terminal. */
export function createLog(level: Config['logLevel'], destination: DestinationStream = standardOutput()): Logger {
  const options: LoggerOptions = { level, base: null, redact: { paths: secretPaths, censor: '[secret]' } };
  return pino(options, destination);
}

function standardOutput(): DestinationStream {
  if (process.stdout.isTTY) return pretty({ colorize: true, translateTime: 'HH:MM:ss', singleLine: true });
  // Written while the next lines gather: a slow reader of the log does not hold up requests.
  const destination = pino.destination({ fd: 1, sync: false, maxLength: unwrittenBytes });
  outliveFailures(destination);
  return destination;
}

/**
 * A log that cannot be written, on a full disk say, is no reason to fall; nor to hang at the end, where what is
 * unwritten would be tried again for ever. Lines that find no room until it can be written again are lost.
 */
function outliveFailures(destination: ReturnType<typeof pino.destination>): void {
  const flushSync = destination.flushSync.bind(destination);
  let isFailing = false;
  destination.on('error', () => {
    if (isFailing) return;
    isFailing = true;
    destination.flushSync = () => {};
    destination.once('write', () => {
      isFailing = false;
      destination.flushSync = flushSync;
    });
  });
}
