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

/** JSON lines; lines for people on a terminal. */
export function createLog(level: Config['logLevel'], destination: DestinationStream = standardOutput()): Logger {
  const options: LoggerOptions = { level, base: null, redact: { paths: secretPaths, censor: '[secret]' } };
  return pino(options, destination);
}

function standardOutput(): DestinationStream {
  if (process.stdout.isTTY) return pretty({ colorize: true, translateTime: 'HH:MM:ss', singleLine: true });
  // Written while the next lines gather: a slow reader of the log does not hold up requests.
  return pino.destination({ fd: 1, sync: false });
}
