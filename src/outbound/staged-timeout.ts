import { LightAbort, type LightAbortSignal } from '../../actors/kit/light-abort.ts';
import type { Clock, TimerHandle } from '../../actors/ports/clock.ts';
import { OutboundError } from './outbound-error.ts';

/** Stops what is waited for when its step or the whole has taken too long, or when the caller stops. */
export class StagedTimeout {
  readonly signal: LightAbortSignal;
  readonly #stop = new LightAbort();
  readonly #clock: Clock;
  readonly #caller: LightAbortSignal | undefined;
  readonly #whole: TimerHandle;
  #step: TimerHandle | undefined;

  constructor(clock: Clock, wholeMs: number, caller: LightAbortSignal | undefined) {
    caller?.throwIfAborted();
    this.signal = this.#stop;
    this.#clock = clock;
    this.#caller = caller;
    this.#whole = clock.setTimeout(() => this.#give('it took too long'), wholeMs);
    caller?.addEventListener('abort', this.#follow, { once: true });
  }

  /** Begins the next step, which ends the one before. */
  next(stepMs: number, message: string): void {
    this.#endStep();
    this.#step = this.#clock.setTimeout(() => this.#give(message), stepMs);
  }

  end(): void {
    this.#endStep();
    this.#clock.clearTimeout(this.#whole);
    this.#caller?.removeEventListener('abort', this.#follow);
  }

  #endStep(): void {
    if (this.#step !== undefined) this.#clock.clearTimeout(this.#step);
  }

  #give(message: string): void {
    this.#stop.abort(new OutboundError(message));
  }

  readonly #follow = (): void => {
    const reason = this.#caller?.reason;
    this.#stop.abort(reason instanceof Error ? reason : new OutboundError('it was stopped'));
  };
}
