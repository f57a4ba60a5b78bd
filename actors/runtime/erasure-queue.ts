import { LightAbort } from '../kit/light-abort.ts';
import { type RetryDeps, retry } from '../kit/retry.ts';
import { storeAway } from '../kit/retry-policy.ts';
import { Semaphore } from '../kit/semaphore.ts';
import type { Log } from '../ports/log.ts';
import type { Sealer } from '../ports/sealer.ts';
import type { TelegramChild } from './telegram-child.ts';

/** A log-out opens a connection of its own if the session has none. */
const maxLogOuts = 16;

export interface Erasure {
  id: string;
  /** Starts the log-out at Telegram and returns the Telegram session; undefined if there never was a login. */
  loggedOut: (() => TelegramChild) | undefined;
  onErased: () => void;
}

export interface ErasureQueueDeps extends RetryDeps {
  log: Log;
  sealer: Pick<Sealer, 'destroyKey'>;
}

/**
 * Erases deleted sessions (SE3, SE11): the Telegram session logs out and closes, up to 16 at a time; then the session's
 * key is destroyed, and with it all sealed texts and the stored login. Destroying is retried while the store is away.
 */
export class ErasureQueue {
  readonly #deps: ErasureQueueDeps;
  readonly #logOuts = new Semaphore(maxLogOuts);
  readonly #stop = new LightAbort();

  constructor(deps: ErasureQueueDeps) {
    this.#deps = deps;
  }

  add(erasure: Erasure): void {
    void this.#erase(erasure);
  }

  /** Erasures that are not complete are found by the next start. */
  stop(): void {
    this.#stop.abort(new Error('the process is stopping'));
  }

  async #erase(erasure: Erasure): Promise<void> {
    const { log, sealer } = this.#deps;
    const note = (err: unknown): void =>
      log.warn({ session: erasure.id, err }, 'the key of a deleted session could not be destroyed yet');
    try {
      await this.#logOuts.run(() => this.#logOut(erasure), this.#stop);
      await retry(this.#deps, storeAway, () => sealer.destroyKey(erasure.id), this.#stop, note);
    } catch (err) {
      if (this.#stop.aborted) return;
      log.error({ session: erasure.id, err }, 'the key of a deleted session could not be destroyed');
      return;
    }
    if (!this.#stop.aborted) erasure.onErased();
  }

  async #logOut({ id, loggedOut }: Erasure): Promise<void> {
    try {
      await loggedOut?.().close();
    } catch (err) {
      this.#deps.log.error({ session: id, err }, 'a deleted session could not be logged out');
    }
  }
}
