import type { Clock, TimerHandle } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Sealer } from '../ports/sealer.ts';
import type { TelegramChild } from './telegram-child.ts';

/** Logging out opens a connection each where none is open. */
const atOnce = 16;
const firstRetryMs = 1_000;
const longestRetryMs = 60_000;

export interface Erasure {
  id: string;
  /** The link that logs out at Telegram, told to do so; undefined where there never was a login. */
  loggedOut: (() => TelegramChild) | undefined;
  onErased: () => void;
}

/**
 * What follows a deletion (SE3, SE11): the link logs out and closes, then the session's key is destroyed, and with it
 * what was sealed and the stored login. A few at a time; a store that is away is asked again until it has done it.
 */
export class ErasureQueue {
  #clock: Clock;
  #log: Log;
  #sealer: Sealer;
  #waiting: Erasure[] = [];
  #running = 0;
  #retries = new Set<TimerHandle>();
  #stopped = false;

  constructor(clock: Clock, log: Log, sealer: Sealer) {
    this.#clock = clock;
    this.#log = log;
    this.#sealer = sealer;
  }

  add(erasure: Erasure): void {
    this.#waiting.push(erasure);
    this.#next();
  }

  /** What is not done by then is found again at the next start. */
  stop(): void {
    this.#stopped = true;
    this.#waiting = [];
    for (const retry of this.#retries) this.#clock.clearTimeout(retry);
  }

  #next(): void {
    while (!this.#stopped && this.#running < atOnce) {
      const erasure = this.#waiting.shift();
      if (erasure === undefined) return;
      this.#running += 1;
      void this.#logOut(erasure).finally(() => {
        this.#running -= 1;
        this.#next();
      });
    }
  }

  async #logOut(erasure: Erasure): Promise<void> {
    try {
      await erasure.loggedOut?.().close();
    } catch (error) {
      this.#log.error({ session: erasure.id, err: error }, 'a deleted session could not be logged out');
    }
    await this.#destroy(erasure, firstRetryMs);
  }

  async #destroy(erasure: Erasure, retryMs: number): Promise<void> {
    if (this.#stopped) return;
    try {
      await this.#sealer.destroyKey(erasure.id);
    } catch (error) {
      this.#log.warn({ session: erasure.id, err: error }, 'the key of a deleted session could not be destroyed yet');
      this.#retryLater(erasure, retryMs);
      return;
    }
    if (!this.#stopped) erasure.onErased();
  }

  #retryLater(erasure: Erasure, retryMs: number): void {
    if (this.#stopped) return;
    const timer = this.#clock.setTimeout(() => {
      this.#retries.delete(timer);
      void this.#destroy(erasure, Math.min(retryMs * 2, longestRetryMs));
    }, retryMs);
    this.#retries.add(timer);
  }
}
