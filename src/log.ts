import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import pretty from 'pino-pretty';
import type { Config } from './config.ts';

/** Headers and fields that must never be read in a log, wherever somebody logs a request or a command. */
const secretPaths = [
  'session-id',
  'x-api-key',
  'authorization',
  'sessionId',
  'password',
  'token',
  'link',
  'body',
].flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]);

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
