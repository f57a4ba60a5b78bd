/**
 * Shares out attempts among sessions. Each may always have one under way, so that nobody waits for the slow receiver of
 * somebody else; beyond the first, all together have so many.
 */
export class AttemptSlots {
  #free: number;
  /** Who would go on, in the order of asking. */
  readonly #waiting = new Set<() => void>();

  constructor(beyondTheFirst: number) {
    this.#free = beyondTheFirst;
  }

  /** @param underWay of this session; @param goOn called once when there may be one, where there is none now */
  take(underWay: number, goOn: () => void): boolean {
    if (underWay === 0) return true;
    if (this.#free === 0) {
      this.#waiting.add(goOn);
      return false;
    }
    this.#free -= 1;
    return true;
  }

  /** @param underWay of this session, with the one that has ended */
  release(underWay: number): void {
    if (underWay <= 1) return;
    this.#free += 1;
    for (const goOn of this.#waiting) {
      this.#waiting.delete(goOn);
      goOn();
      if (this.#free === 0) return;
    }
  }

  forget(goOn: () => void): void {
    this.#waiting.delete(goOn);
  }
}
