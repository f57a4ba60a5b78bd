import type { LiveUpdate } from '../../telegram/port/updates.ts';

/** What a slow reader misses first is what is not recorded. */
const maxMoments = 64;

/** A connection of a reader: what wakes it, and what ends it. It holds no recorded event. */
export class ConnectedReader {
  readonly #signal: AbortSignal;
  #isReplaced = false;
  #isRung = false;
  #isRecorded = false;
  #moments: LiveUpdate[] = [];
  #wake: (() => void) | undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', this.ring, { once: true });
  }

  /** Whether it is to end: its client has left, or the reader has connected again. */
  get isOver(): boolean {
    return this.#signal.aborted || this.#isReplaced;
  }

  /** Another connection takes its place, or the session has been deleted. */
  end(): void {
    this.#isReplaced = true;
    this.ring();
  }

  /** Something that is recorded may be there for it. */
  readonly ring = (): void => {
    this.#isRecorded = true;
    this.#isRung = true;
    this.#wake?.();
  };

  /** Something that is not recorded is there for it: the newest are kept. */
  show(update: LiveUpdate): void {
    this.#moments = [...this.#moments, update].slice(-maxMoments);
    this.#isRung = true;
    this.#wake?.();
  }

  /** What was shown since the last call. */
  takeMoments(): LiveUpdate[] {
    return this.#moments.splice(0);
  }

  /** Whether something may have been recorded for it since the last call. */
  takeRecorded(): boolean {
    const isRecorded = this.#isRecorded;
    this.#isRecorded = false;
    return isRecorded;
  }

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
