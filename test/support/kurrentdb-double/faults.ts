import { createGate, type Gate } from '../kit/gate.ts';

type CountedFault = 'swallowedAppends' | 'lostAnswers' | 'timedOutAppends' | 'oddRefusals' | 'answersWithoutPosition';

/** What a test makes go wrong. All off to begin with; set and unset at any time. */
export class Faults {
  /** Answers `UNAVAILABLE` to every call, as a node does that is not ready. */
  notReady = false;
  /** So many appends are taken and forgotten: neither recorded nor answered. */
  swallowedAppends = 0;
  /** So many appends are recorded, and the call breaks before the answer. */
  lostAnswers = 0;
  /** So many appends are recorded and answered with `Timeout`: a leader that waited too long for its followers. */
  timedOutAppends = 0;
  /** So many appends are neither recorded nor understood: the answer is one that no version so far gives. */
  oddRefusals = 0;
  /** How far the clock of the node is ahead of its clients'. */
  clockAheadMs = 0;
  /** So many appends are answered without their position, as the protocol allows. */
  answersWithoutPosition = 0;
  /** So many reads break after {@link readsBreakAfter} events. */
  brokenReads = 0;
  readsBreakAfter = 0;
  /** Asked for each append that expects `any`: whether the node has forgotten what it has written before. */
  forgets: () => boolean = () => false;
  /** The capabilities of the server are asked for and never told. */
  silentFeatures = false;
  #reads: Gate | undefined;
  #subscriptions: Gate | undefined;

  /** Whether the next append has this fault, which is then one less. */
  take(fault: CountedFault): boolean {
    if (this[fault] === 0) return false;
    this[fault] -= 1;
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
