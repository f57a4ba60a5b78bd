/** One line of the table that `npm run bench` prints. */
export interface Measurement {
  /** What is compared with what. */
  line: string;
  /** Undefined if it could not be measured here; `detail` says why. */
  value?: number;
  /** `×` for a ratio, else the unit of `value`: `ms`, `KB`, `sessions/s`. */
  unit: string;
  bar: { atLeast: number } | { atMost: number };
  /** The two sides of a ratio, or how the value was measured. */
  detail: string;
}

/** A line that could not be measured does not fail. */
export function reaches({ value, bar }: Measurement): boolean {
  if (value === undefined) return true;
  return 'atLeast' in bar ? value >= bar.atLeast : value <= bar.atMost;
}

/** The median of several runs, so that one disturbed run does not decide. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? NaN)
    : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2;
}

/** Hands the lines of a bench to `run.ts`, which started it in a process of its own. */
export function report(measurements: readonly Measurement[]): void {
  process.stdout.write(`\n${resultMark}${JSON.stringify(measurements)}\n`);
}

export const resultMark = '::measurements::';
