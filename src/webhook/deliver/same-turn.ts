/**
 * Lets all callers of one turn of the event loop continue together. Many pieces of work that take the same step back to
 * back are cheaper than many at different steps: code and memory stay in the processor's caches.
 */
export class SameTurn {
  #next: Promise<void> | undefined;

  /** Resolves in the next turn, for all callers of this turn at once. */
  wait(): Promise<void> {
    this.#next ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#next = undefined;
        resolve();
      });
    });
    return this.#next;
  }
}
