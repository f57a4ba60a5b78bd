import type { Clock, TimerHandle } from '../ports/clock.ts';
import { LightAbort, type LightAbortSignal, onFirstAbort, throwIfAborted } from './light-abort.ts';

/** Time-outs for work in stages: one for the stage that runs, and one for the whole. The work listens to the signal. */
export class StagedTimeout {
  /** Aborted when a stage or the whole takes too long, or with the caller's signal. */
  readonly signal: LightAbortSignal;
  readonly #stop = new LightAbort();
  readonly #clock: Clock;
  readonly #whole: TimerHandle;
  readonly #stopListening: () => void;
  #stage: TimerHandle | undefined;

  /**
   * @param wholeMs for all stages together
   * @param late makes the error for that
   * @throws the caller's reason, if its signal is aborted already
   */
  constructor(clock: Clock, wholeMs: number, late: () => Error, caller: LightAbortSignal | undefined) {
    throwIfAborted([caller]);
    this.signal = this.#stop;
    this.#clock = clock;
    this.#whole = clock.setTimeout(() => this.#stop.abort(late()), wholeMs);
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
    this.#clock.clearTimeout(this.#whole);
    this.#stopListening();
  }

  #endStage(): void {
    if (this.#stage !== undefined) this.#clock.clearTimeout(this.#stage);
    this.#stage = undefined;
  }
}
