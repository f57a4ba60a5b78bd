/** One that was recorded: its position, and when. */
interface Mark {
  position: bigint;
  at: number;
}

/** How far the views are behind what this process has recorded: two marks, however much that is. */
export class ViewLag {
  /** The first that the views had not seen when it was last looked. */
  #first: Mark | undefined;
  #last: Mark | undefined;

  recorded(position: bigint, at: number, seen: bigint): void {
    this.#last = { position, at };
    if (this.#first === undefined || this.#first.position <= seen) this.#first = this.#last;
  }

  /** Milliseconds; at least so many, where much was recorded meanwhile. @param seen position of the views */
  ms(seen: bigint, now: number): number {
    const behind = [this.#first, this.#last].find((mark) => mark !== undefined && mark.position > seen);
    return behind === undefined ? 0 : Math.max(0, now - behind.at);
  }
}
