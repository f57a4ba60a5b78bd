import type { Clock } from '../../../../actors/ports/clock.ts';
import { LoginLostError } from '../../login/login-lost.ts';
import { KeyRefusedError } from './mtproto-connection.ts';

/** A single refusal proves nothing: Telegram sends -404 for valid keys too, and so can any proxy. */
const fewestRefusals = 3;
/** Refusals of a login's key are believed after this long; with the backoff's pauses, after two minutes at most (SE9). */
export const doubtMs = 60_000;

/** Decides whether Telegram has forgotten a key: fresh connections in a row were refused, and none was answered. */
export class KeyDoubt {
  readonly #clock: Pick<Clock, 'elapsed'>;
  readonly #shortestMs: number;
  #refusals = 0;
  #since = 0;

  /** @param shortestMs from the first refusal to the one that is believed */
  constructor(clock: Pick<Clock, 'elapsed'>, shortestMs: number) {
    this.#clock = clock;
    this.#shortestMs = shortestMs;
  }

  /**
   * Opens a connection whose first answer shows that the key is known.
   * @throws {LoginLostError} this refusal is believed; every other error is that of `open`
   */
  async judge<T>(open: () => Promise<T>): Promise<T> {
    try {
      const opened = await open();
      this.#refusals = 0;
      return opened;
    } catch (error) {
      throw error instanceof KeyRefusedError ? this.#refused(error) : this.#trust(error);
    }
  }

  #trust(error: unknown): unknown {
    this.#refusals = 0;
    return error;
  }

  #refused(error: KeyRefusedError): Error {
    if (this.#refusals === 0) this.#since = this.#clock.elapsed();
    this.#refusals += 1;
    const isBelieved = this.#refusals >= fewestRefusals && this.#clock.elapsed() - this.#since >= this.#shortestMs;
    return isBelieved ? new LoginLostError(keyForgotten) : error;
  }
}

/** The reason of a login that is lost because its key was refused. The key may be valid all the same. */
export const keyForgotten = 'AUTH_KEY_INVALID';
