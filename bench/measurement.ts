/** One line of the table that `npm run bench` prints. */
export interface Measurement {
  /** What was compared with what. */
  line: string;
  /** Undefined: it could not be measured here, and `detail` says why. */
  value?: number;
  /** `×` for a ratio, else the unit of the value: `ms`, `KB`, `sessions/s`. */
  unit: string;
  bar: { atLeast: number } | { atMost: number };
  /** The two sides of a ratio, or how the value came about: for who wants to know. */
  detail: string;
}

/** Nobody is to blame for what could not be measured. */
export function reaches({ value, bar }: Measurement): boolean {
  if (value === undefined) return true;
  return 'atLeast' in bar ? value >= bar.atLeast : value <= bar.atMost;
}

/** The middle of several runs: one disturbed run does not decide. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? NaN)
    : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2;
}

/** How a bench hands its lines to `run.ts`, which started it in a process of its own. */
export function report(measurements: readonly Measurement[]): void {
  process.stdout.write(`\n${resultMark}${JSON.stringify(measurements)}\n`);
}

export const resultMark = '::measurements::';
