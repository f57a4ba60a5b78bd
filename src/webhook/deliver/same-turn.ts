/**
 * Lets go on together what has waited within one turn of the event loop. Many that take the same steps side by side are a
 * good deal cheaper than one after the other: each step finds its own code and memory at hand.
 */
export class SameTurn {
  #next: Promise<void> | undefined;

  /** Resolves for everybody who asks before it does, after what has arrived meanwhile has been seen to. */
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
