import type { Clock, TimerHandle } from '../ports/clock.ts';
import { LightAbort, type LightAbortSignal, onFirstAbort, throwIfAborted } from './light-abort.ts';

/** A time-out for each stage of a piece of work, one after the other. The work listens to the signal. */
export class StagedTimeout {
  /** Aborted when a stage takes too long, or with the caller's signal. */
  readonly signal: LightAbortSignal;
  readonly #stop = new LightAbort();
  readonly #clock: Clock;
  readonly #stopListening: () => void;
  #stage: TimerHandle | undefined;

  /** @throws the caller's reason, if its signal is aborted already */
  constructor(clock: Clock, caller: LightAbortSignal | undefined) {
    throwIfAborted([caller]);
    this.signal = this.#stop;
    this.#clock = clock;
    this.#stopListening = onFirstAbort([caller], (reason) => this.#stop.abort(reason));
  }

  /** Begins the next stage, which ends the one before. */
  next(stageMs: number, late: () => Error): void {
    this.#endStage();
    this.#stage = this.#clock.setTimeout(() => this.#stop.abort(late()), stageMs);
  }

  /** The work has ended: no timer and no listener is left. */
  end(): void {
    this.#endStage();
    this.#stopListening();
  }

  #endStage(): void {
    if (this.#stage !== undefined) this.#clock.clearTimeout(this.#stage);
    this.#stage = undefined;
  }
}
