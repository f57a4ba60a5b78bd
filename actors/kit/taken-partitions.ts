import type { OwnedPartitions } from '../ports/ownership.ts';

/**
 * The partitions that a part of the gateway has taken and not released. A part asks this before it begins something that
 * lasts. `Ownership.owns` does not answer that question: while partitions are being released, the process still owns them.
 */
export class TakenPartitions {
  readonly #partitionOf: (text: string) => number;
  /** By partition: the number of the call that took it. */
  readonly #terms = new Map<number, number>();
  #takes = 0;

  /** @param partitionOf the number of the partition that a text is in. Default: all are in the one of `allPartitions` */
  constructor(partitionOf: (text: string) => number = () => 0) {
    this.#partitionOf = partitionOf;
  }

  take({ numbers }: Pick<OwnedPartitions, 'numbers'>): void {
    this.#takes += 1;
    for (const number of numbers) this.#terms.set(number, this.#takes);
  }

  release({ numbers }: Pick<OwnedPartitions, 'numbers'>): void {
    for (const number of numbers) this.#terms.delete(number);
  }

  has(text: string): boolean {
    return this.termOf(text) !== undefined;
  }

  /**
   * Equal as long as the partition of the text stays taken. After a release and another `take` it differs: what was read of
   * the partition before may be old.
   * @returns undefined: the partition is not taken
   */
  termOf(text: string): number | undefined {
    return this.#terms.get(this.#partitionOf(text));
  }
}
