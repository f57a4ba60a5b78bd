import { writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import { prettyFactory } from 'pino-pretty';
import type { Clock, TimerHandle } from '../../actors/ports/clock.ts';
import type { Config } from './config.ts';
import { lineTime } from './line-time.ts';

/**
 * No code logs secrets. If a request or a command is logged by mistake, these fields are redacted. Plain paths only:
 * wildcards cost more than the rest of a line.
 */
const secretPaths = ['', 'headers', 'req', 'req.headers', 'request', 'request.headers', 'body'].flatMap((parent) => [
  ...['sessionId', 'password', 'token', 'link', 'authorization'].map((name) =>
    parent === '' ? name : `${parent}.${name}`,
  ),
  ...['session-id', 'x-api-key'].map((name) => `${parent}["${name}"]`),
]);

/** How a line looks: the level by its name, the time in ISO 8601. */
const lineOptions: LoggerOptions = {
  base: null,
  redact: { paths: secretPaths, censor: '[secret]' },
  formatters: { level: (level) => ({ level }) },
};

const standardOutputFd = 1;
/** A line is written after this delay at most, or once this much is buffered. */
const gatheringMs = 100;
const gatheredLetters = 64 * 1024;
/** The buffer while the log cannot be written. */
const unwrittenBytes = 4 * 1024 * 1024;

/**
 * JSON lines; readable lines on a terminal.
 * @param onUnread called when a line cannot be written because its reader is gone: a closed terminal, a pipe's other end
 */
export function createLog(level: Config['logLevel'], clock: Clock, onUnread: () => void = () => {}): Logger {
  return pino({ ...lineOptions, timestamp: lineTime(clock), level }, standardOutput(clock, onUnread));
}

function standardOutput(clock: Clock, onUnread: () => void): FlushableStream {
  const isTerminal = isatty(standardOutputFd);
  // Written while the next lines are buffered: a slow reader of the log does not delay requests.
  const destination = pino.destination({ fd: standardOutputFd, sync: false, maxLength: unwrittenBytes });
  outliveFailures(destination);
  destination.on('error', ({ code }: NodeJS.ErrnoException) => {
    // A terminal that is gone answers with EIO, which of a file may pass.
    if (code === 'EPIPE' || (isTerminal && code === 'EIO')) onUnread();
  });
  const lines = gatherLines(destination, clock);
  if (!isTerminal) return lines;
  const pretty = prettyFactory({ colorize: true, translateTime: 'HH:MM:ss', singleLine: true });
  const readable: FlushableStream = { write: (line) => lines.write(pretty(line)), flushSync: () => lines.flushSync() };
  return readable;
}

type FlushableStream = DestinationStream & { flushSync(): void };

/** Lines are buffered and written together: a write costs more than many lines. */
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
  /** Tried once: the destination would retry a full disk without end. */
  const writeAtOnce = (): void => {
    try {
      writeSync(standardOutputFd, take());
    } catch {
      // The error cannot be reported anywhere.
    }
  };
  // Runs after the destination, which writes its rest at the same time.
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
 * A log that cannot be written, for example on a full disk, must not end the process, and must not block its end by
 * retries. Lines that find no room until it can be written again are lost.
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
