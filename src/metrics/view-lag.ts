/** A recorded event: its position, and when, by the clock's `elapsed()`. */
interface Mark {
  position: bigint;
  at: number;
}

/** Estimates projection lag from the first and the last append the views have not seen (constant memory). */
export class ViewLag {
  /** The first append that the views had not seen at the last check. */
  #first: Mark | undefined;
  #last: Mark | undefined;

  recorded(position: bigint, at: number, seen: bigint): void {
    this.#last = { position, at };
    if (this.#first === undefined || this.#first.position <= seen) this.#first = this.#last;
  }

  /** Lower bound of the lag in milliseconds. @param seen position of the views */
  ms(seen: bigint, now: number): number {
    const behind = [this.#first, this.#last].find((mark) => mark !== undefined && mark.position > seen);
    return behind === undefined ? 0 : Math.max(0, now - behind.at);
  }
}
