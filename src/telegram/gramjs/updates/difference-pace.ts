import { Api } from 'telegram/tl/index.js';
import type { UpdatePosition } from '../../port/updates.ts';

/** Updates of one difference; undefined: as many as Telegram sends. Smaller and smaller ones find what is unreadable. */
const limits = [undefined, 16, 4, 1] as const;
/** Unreadable updates in a row that are passed by one at a time. */
const maxSteps = 100;
/** Milliseconds before each further try of a difference that did not move on. */
const stuckMs = [1_000, 2_000, 4_000] as const;

/** How the next difference is asked for after some that could not be read, or that did not move on. */
export class DifferencePace {
  #level = 0;
  #steps = 0;
  #stalls = 0;

  /** `pts_limit` of the next request. */
  get limit(): number | undefined {
    return limits[this.#level];
  }

  /** Whether the last difference could not be read, and what is unreadable in it was passed by. */
  get isStepping(): boolean {
    return this.#steps > 0;
  }

  /** A difference was read. The next one may be larger. */
  noteRead(): void {
    this.#steps = 0;
    this.#level = Math.max(0, this.#level - 1);
  }

  /** A difference could not be read. `smaller`: ask for less; `step`: pass one update by; `all`: pass all of them by. */
  noteUnreadable(): 'smaller' | 'step' | 'all' {
    if (this.#level < limits.length - 1) {
      this.#level += 1;
      return 'smaller';
    }
    this.#steps += 1;
    return this.#steps <= maxSteps ? 'step' : 'all';
  }

  noteProgress(): void {
    this.#stalls = 0;
  }

  /** A difference did not move on. @returns milliseconds until the next try; undefined after the last one */
  noteStall(): number | undefined {
    return stuckMs[this.#stalls++];
  }
}

/** Only a slice says that there is more, and must move on; so must an answer that gives up what is in between. */
export function isFurther(
  difference: Exclude<Api.updates.TypeDifference, Api.updates.DifferenceEmpty>,
  from: UpdatePosition,
): boolean {
  if (difference instanceof Api.updates.Difference) return true;
  if (difference instanceof Api.updates.DifferenceTooLong) return difference.pts > from.pts;
  // A slice of updates that are not counted moves on in its date alone.
  const { pts, qts, date } = difference.intermediateState;
  return pts > from.pts || qts > from.qts || date > from.date;
}
