import { type LightAbortSignal, onFirstAbort } from '../../../actors/kit/light-abort.ts';
import type { Clock, TimerHandle } from '../../../actors/ports/clock.ts';

/** However it is shortened, a pause that began longer lasts at least this long. */
const shortestMs = 1_000;

/** The wait before the next attempt to connect. It ends earlier if there is a reason to try earlier. */
export class ReconnectPause {
  /** Resolves when the pause is over. Rejects with the signal's reason. */
  readonly over: Promise<void>;
  readonly #clock: Clock;
  readonly #earliestAt: number;
  #timer: TimerHandle;
  #end: () => void = () => undefined;

  constructor(clock: Clock, delayMs: number, signal: LightAbortSignal) {
    this.#clock = clock;
    this.#earliestAt = clock.elapsed() + Math.min(delayMs, shortestMs);
    this.#timer = clock.setTimeout(() => this.#end(), delayMs);
    this.over = new Promise((resolve, reject) => {
      const stopListening = onFirstAbort([signal], (reason) => {
        clock.clearTimeout(this.#timer);
        reject(reason);
      });
      this.#end = () => {
        stopListening();
        resolve();
      };
    });
  }

  /** When it ends, milliseconds since 1970. */
  get endsAt(): number {
    return this.#clock.now() + this.#timer.dueAt - this.#clock.elapsed();
  }

  /** The pause ends in `ms` milliseconds, unless it ends earlier anyway; not within a second of its beginning. */
  shortenTo(ms: number): void {
    const leftMs = Math.max(ms, this.#earliestAt - this.#clock.elapsed());
    if (this.#clock.elapsed() + leftMs >= this.#timer.dueAt) return;
    this.#clock.clearTimeout(this.#timer);
    this.#timer = this.#clock.setTimeout(() => this.#end(), leftMs);
  }
}
