import type { Clock } from '../../../actors/ports/clock.ts';

/** Called for each event that is done. */
export type ReportProgress = (done: number, total: number) => void;

export interface CommandProgress {
  /** Starts the next phase. */
  begin(label: string): ReportProgress;
  /** Writes a line, above the bar if there is one. */
  say(line: string): void;
  /** Ends the line of the bar; its last state stays. */
  end(): void;
}

/** `process.stderr`. */
export interface Screen {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

/** Between two states of the bar on a terminal. */
const repaintMs = 100;
/** Between two lines if the output is not a terminal. */
const lineMs = 5_000;
/** The clock is read once in this many calls. */
const callsPerClockRead = 256;
const barWidth = 30;
const clearLine = '\r\u001B[2K';

/** A bar on a terminal, plain lines otherwise. */
export function createProgress(screen: Screen, clock: Pick<Clock, 'elapsed'>): CommandProgress {
  const isTerminal = screen.isTTY === true;
  let shown = '';
  const paint = (text: string): void => {
    if (isTerminal) screen.write(`${clearLine}${text.slice(0, (screen.columns || 80) - 1)}`);
    else if (text !== '') screen.write(`${text}\n`);
    shown = text;
  };
  return {
    begin(label) {
      const startedAt = clock.elapsed();
      let paintedAt = startedAt;
      let calls = 0;
      return (done, total) => {
        calls += 1;
        if (done < total && calls % callsPerClockRead !== 0) return;
        const now = clock.elapsed();
        if (done < total && now - paintedAt < (isTerminal ? repaintMs : lineMs)) return;
        paintedAt = now;
        paint(describe(label, { done, total, elapsedMs: now - startedAt, withBar: isTerminal }));
      };
    },
    say(line) {
      if (isTerminal && shown !== '') screen.write(clearLine);
      screen.write(`${line}\n`);
      if (isTerminal && shown !== '') paint(shown);
    },
    end() {
      if (isTerminal && shown !== '') screen.write('\n');
      shown = '';
    },
  };
}

interface State {
  done: number;
  total: number;
  elapsedMs: number;
  withBar: boolean;
}

function describe(label: string, { done, total, elapsedMs, withBar }: State): string {
  const share = total === 0 ? 1 : done / total;
  const filled = Math.floor(share * barWidth);
  const bar = withBar ? ` [${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}]` : '';
  const perSecond = elapsedMs === 0 ? '' : `, ${groupDigits(Math.round((done * 1000) / elapsedMs))}/s`;
  return `${label}${bar} ${Math.floor(share * 100)} % (${groupDigits(done)} of ${groupDigits(total)} events${perSecond})`;
}

/** 1234567 as 1,234,567. */
export const groupDigits = (count: number): string => count.toLocaleString('en-US');
