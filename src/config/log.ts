import { writeSync } from 'node:fs';
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import pretty from 'pino-pretty';
import type { Clock, TimerHandle } from '../../actors/ports/clock.ts';
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

const standardOutputFd = 1;
/** A line is written that late at most, or once so much has gathered. */
const gatheringMs = 100;
const gatheredLetters = 64 * 1024;
/** What gathers while the log cannot be written. */
const unwrittenBytes = 4 * 1024 * 1024;

/** JSON lines; lines for people on a terminal. */
export function createLog(
  level: Config['logLevel'],
  clock: Clock,
  destination: DestinationStream = standardOutput(clock),
): Logger {
  const options: LoggerOptions = { level, base: null, redact: { paths: secretPaths, censor: '[secret]' } };
  return pino(options, destination);
}

function standardOutput(clock: Clock): DestinationStream {
  if (process.stdout.isTTY) return pretty({ colorize: true, translateTime: 'HH:MM:ss', singleLine: true });
  // Written while the next lines gather: a slow reader of the log does not hold up requests.
  const destination = pino.destination({ fd: standardOutputFd, sync: false, maxLength: unwrittenBytes });
  outliveFailures(destination);
  return gatherLines(destination, clock);
}

type FlushableStream = DestinationStream & { flushSync(): void };

/** Lines wait for one another, to be written at once: a write costs more than many lines do. */
function gatherLines(destination: ReturnType<typeof pino.destination>, clock: Clock): FlushableStream {
  let lines = '';
  let timer: TimerHandle | undefined;
  const take = (): string => {
    if (timer !== undefined) clock.clearTimeout(timer);
    timer = undefined;
    const taken = lines;
    lines = '';
    return taken;
  };
  const handOver = (): void => {
    destination.write(take());
  };
  /** Tried once: the destination would try a full disk again for ever. */
  const writeAtOnce = (): void => {
    try {
      writeSync(standardOutputFd, take());
    } catch {
      // There is nobody left to tell.
    }
  };
  // After the destination, which writes down what it has left at the same time.
  process.on('exit', writeAtOnce);
  return {
    write: (line) => {
      lines += line;
      timer ??= clock.setTimeout(handOver, gatheringMs);
      if (lines.length >= gatheredLetters) handOver();
    },
    // Called after a fatal line.
    flushSync: () => {
      destination.flushSync();
      writeAtOnce();
    },
  };
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
