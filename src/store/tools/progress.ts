import type { Clock } from '../../../actors/ports/clock.ts';

/** Called often: for each event that is done. */
export type ReportProgress = (done: number, total: number) => void;

export interface CommandProgress {
  /** The next phase, from nothing. */
  begin(label: string): ReportProgress;
  /** A line of its own, above the bar where there is one. */
  say(line: string): void;
  /** Takes the bar away, or leaves its last state where that is wanted. */
  end(): void;
}

/** Where it is shown: `process.stderr`. */
export interface Screen {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

/** A terminal is repainted this often; elsewhere a line is written now and then. */
const repaintMs = 100;
const lineMs = 5_000;
/** The clock is looked at once in so many calls. */
const callsPerLook = 256;
const barWidth = 30;
const clearLine = '\r\u001B[2K';

/** A bar on a terminal, plain lines elsewhere (in a log, say). */
export function createProgress(screen: Screen, clock: Pick<Clock, 'now'>): CommandProgress {
  const isTerminal = screen.isTTY === true;
  let shown = '';
  const paint = (text: string): void => {
    if (isTerminal) screen.write(`${clearLine}${text.slice(0, (screen.columns || 80) - 1)}`);
    else if (text !== '') screen.write(`${text}\n`);
    shown = text;
  };
  return {
    begin(label) {
      const startedAt = clock.now();
      let paintedAt = startedAt;
      let calls = 0;
      return (done, total) => {
        calls += 1;
        if (done < total && calls % callsPerLook !== 0) return;
        const now = clock.now();
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
  const perSecond = elapsedMs === 0 ? '' : `, ${formatCount(Math.round((done * 1000) / elapsedMs))}/s`;
  return `${label}${bar} ${Math.floor(share * 100)} % (${formatCount(done)} of ${formatCount(total)} events${perSecond})`;
}

/** 1234567 as 1,234,567. */
export const formatCount = (count: number): string => count.toLocaleString('en-US');
