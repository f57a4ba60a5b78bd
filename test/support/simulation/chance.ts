import type { Randomness } from '../../../actors/ports/clock.ts';

/** Decisions from one seed. */
export class Chance {
  readonly #random: Pick<Randomness, 'fraction'>;

  constructor(random: Pick<Randomness, 'fraction'>) {
    this.#random = random;
  }

  /** True in so many of a hundred cases. */
  percent(share: number): boolean {
    return this.#random.fraction() * 100 < share;
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.#random.fraction() * (high - low + 1));
  }

  /** @throws {RangeError} there is nothing to choose from. */
  oneOf<T>(choices: readonly T[]): T {
    const chosen = choices[this.between(0, choices.length - 1)];
    if (chosen === undefined) throw new RangeError('nothing to choose from');
    return chosen;
  }

  /** One of them, each as likely as its weight says. */
  weighted<T extends { weight: number }>(choices: readonly T[]): T {
    let left = this.#random.fraction() * choices.reduce((sum, { weight }) => sum + weight, 0);
    for (const choice of choices) {
      left -= choice.weight;
      if (left < 0) return choice;
    }
    throw new RangeError('nothing to choose from');
  }
}
