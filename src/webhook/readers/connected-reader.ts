/** A connection of a reader: what wakes it, and what ends it. It holds no event. */
export class ConnectedReader {
  readonly #signal: AbortSignal;
  readonly #replaced = new AbortController();
  #isRung = false;
  #wake: (() => void) | undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', this.ring, { once: true });
  }

  /** Whether it is to end: its client has left, or the reader has connected again. */
  get isOver(): boolean {
    return this.#signal.aborted || this.#replaced.signal.aborted;
  }

  /** Another connection takes its place, or the session has been deleted. */
  end(): void {
    this.#replaced.abort();
    this.ring();
  }

  /** Something may be there for it. */
  readonly ring = (): void => {
    this.#isRung = true;
    this.#wake?.();
  };

  /** Resolves once it has been rung since the last call. */
  async rung(): Promise<void> {
    if (!this.#isRung) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#isRung = false;
    this.#wake = undefined;
  }
}
