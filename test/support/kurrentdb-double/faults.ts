import { createGate, type Gate } from '../kit/gate.ts';

/** What a test makes go wrong. All off to begin with; set and unset at any time. */
export class Faults {
  /** Answers `UNAVAILABLE` to every call, as a node does that is not ready. */
  notReady = false;
  /** So many appends are taken and forgotten: neither recorded nor answered. */
  swallowedAppends = 0;
  /** So many appends are recorded, and the call breaks before the answer. */
  lostAnswers = 0;
  /** So many appends are answered without their position, as the protocol allows. */
  answersWithoutPosition = 0;
  /** So many reads break after {@link readsBreakAfter} events. */
  brokenReads = 0;
  readsBreakAfter = 0;
  /** The capabilities of the server are asked for and never told. */
  silentFeatures = false;
  #reads: Gate | undefined;
  #subscriptions: Gate | undefined;

  /** Whether the next answer has no position. */
  takePosition(): boolean {
    if (this.answersWithoutPosition === 0) return false;
    this.answersWithoutPosition -= 1;
    return true;
  }

  /** Reads are taken and get no further until the returned function is called. */
  holdReads(): () => void {
    const gate = createGate();
    this.#reads = gate;
    return () => {
      this.#reads = undefined;
      gate.open();
    };
  }

  /** Subscriptions are confirmed and get nothing more until the returned function is called. */
  holdSubscriptions(): () => void {
    const gate = createGate();
    this.#subscriptions = gate;
    return () => {
      this.#subscriptions = undefined;
      gate.open();
    };
  }

  get reads(): Promise<void> | undefined {
    return this.#reads?.passed;
  }

  get subscriptions(): Promise<void> | undefined {
    return this.#subscriptions?.passed;
  }
}
