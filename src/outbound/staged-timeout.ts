import { LightAbort, type LightAbortSignal } from '../../actors/kit/light-abort.ts';
import type { Clock, TimerHandle } from '../../actors/ports/clock.ts';
import { OutboundError } from './outbound-error.ts';

/** Aborts its signal when one step or all of them together take too long, or when the caller's signal is aborted. */
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
    this.#whole = clock.setTimeout(() => this.#expire('it took too long'), wholeMs);
    caller?.addEventListener('abort', this.#follow, { once: true });
  }

  /** Ends the current step and begins the next one. @param message of the error if it takes too long */
  next(stepMs: number, message: string): void {
    this.#endStep();
    this.#step = this.#clock.setTimeout(() => this.#expire(message), stepMs);
  }

  end(): void {
    this.#endStep();
    this.#clock.clearTimeout(this.#whole);
    this.#caller?.removeEventListener('abort', this.#follow);
  }

  #endStep(): void {
    if (this.#step !== undefined) this.#clock.clearTimeout(this.#step);
  }

  #expire(message: string): void {
    this.#stop.abort(new OutboundError(message));
  }

  readonly #follow = (): void => {
    const reason = this.#caller?.reason;
    this.#stop.abort(reason instanceof Error ? reason : new OutboundError('it was stopped'));
  };
}
