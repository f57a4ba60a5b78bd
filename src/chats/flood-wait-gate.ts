import type { Clock } from '../../actors/ports/clock.ts';
import { TelegramError } from '../telegram/port/errors.ts';

/** Blocks requests for which Telegram asked to wait: until the wait is over they fail here, with Telegram's error. */
export class FloodWaitGate {
  readonly #clock: Clock;
  /** By the clock's `elapsed()`. */
  #until = 0;
  #reason = new TelegramError(420, 'FLOOD_WAIT_0', '');

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @throws {TelegramError} Telegram's error with the rest of the wait; and the errors of `ask` */
  async observed<T>(ask: () => Promise<T>): Promise<T> {
    const leftMs = this.#until - this.#clock.elapsed();
    if (leftMs > 0) {
      const { code, request } = this.#reason;
      throw new TelegramError(code, `FLOOD_WAIT_${Math.ceil(leftMs / 1000)}`, request);
    }
    try {
      return await ask();
    } catch (error) {
      if (error instanceof TelegramError && error.waitSeconds !== undefined) {
        this.#reason = error;
        this.#until = this.#clock.elapsed() + error.waitSeconds * 1000;
      }
      throw error;
    }
  }
}
