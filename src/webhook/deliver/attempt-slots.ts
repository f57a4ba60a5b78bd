/**
 * Shares attempts among sessions. Each session may always have one in flight, so that no session waits for another one's
 * slow endpoint. Beyond the first, all sessions together have a limit.
 */
export class AttemptSlots {
  #free: number;
  /** Called when there is a slot, in the order of asking. */
  readonly #waiting = new Set<() => void>();

  /** @param beyondTheFirst the limit */
  constructor(beyondTheFirst: number) {
    this.#free = beyondTheFirst;
  }

  /**
   * Whether the session may begin an attempt.
   * @param inFlight attempts of the session
   * @param onFree called once when there may be a slot, if there is none now
   */
  take(inFlight: number, onFree: () => void): boolean {
    if (inFlight === 0) return true;
    if (this.#free === 0) {
      this.#waiting.add(onFree);
      return false;
    }
    this.#free -= 1;
    return true;
  }

  /** An attempt has ended. @param inFlight attempts of the session, this one included */
  release(inFlight: number): void {
    if (inFlight <= 1) return;
    this.#free += 1;
    for (const onFree of this.#waiting) {
      this.#waiting.delete(onFree);
      onFree();
      if (this.#free === 0) return;
    }
  }

  forget(onFree: () => void): void {
    this.#waiting.delete(onFree);
  }
}
