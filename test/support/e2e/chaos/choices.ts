import { createSeededRandomness, type DrivenClock } from '../../kit/clock.ts';

/** What a seed chooses, one choice after the other. */
export class Choices {
  readonly #fraction: () => number;

  constructor(seed: number, clock: DrivenClock) {
    const random = createSeededRandomness(seed, clock);
    this.#fraction = () => random.fraction();
  }

  /** At least 0, below 1. */
  fraction(): number {
    return this.#fraction();
  }

  chance(share: number): boolean {
    return this.#fraction() < share;
  }

  oneOf<T>(list: readonly T[]): T {
    return list[Math.floor(this.#fraction() * list.length)] as T;
  }
}
