import { LightAbort } from '../kit/light-abort.ts';
import { type RetryDeps, retry } from '../kit/retry.ts';
import { logOutAway, storeAway } from '../kit/retry-policy.ts';
import { Semaphore } from '../kit/semaphore.ts';
import { sleep } from '../kit/sleep.ts';
import type { Log } from '../ports/log.ts';
import type { Partitions } from '../ports/ownership.ts';
import type { Sealer } from '../ports/sealer.ts';
import type { ReadProxy } from '../ports/telegram-session.ts';
import type { TelegramChild } from './telegram-child.ts';

/** A log-out opens a connection of its own if the session has none. */
const maxLogOuts = 16;

export interface Erasure {
  id: string;
  /** Starts a log-out at Telegram and returns the Telegram session; undefined if there never was a login. */
  loggedOut: (() => TelegramChild) | undefined;
  /** The session's proxy, which a log-out that is kept goes through. */
  readProxy: ReadProxy;
  /** The key is destroyed. The log-out may still have to be tried again. */
  onErased: () => void;
  /** Telegram could not be told for as long as it is tried. Resolves when that is recorded. */
  onGivenUp: () => Promise<void>;
}

export interface ErasureQueueDeps extends RetryDeps {
  log: Log;
  sealer: Pick<Sealer, 'destroyKey' | 'giveUpLogOut'>;
}

/**
 * Erases deleted sessions (SE3, SE11): the Telegram session logs out and closes, up to 16 at a time; then the session's
 * key is destroyed, and with it all sealed texts and the stored login. Destroying is retried while the store is away. A
 * log-out that Telegram did not answer is tried again for as long as the sealer keeps what it needs.
 */
export class ErasureQueue {
  readonly #deps: ErasureQueueDeps;
  readonly #logOuts = new Semaphore(maxLogOuts);
  /** By session. */
  readonly #stops = new Map<string, LightAbort>();
  #isStopped = false;

  constructor(deps: ErasureQueueDeps) {
    this.#deps = deps;
  }

  add(erasure: Erasure): void {
    if (this.#isStopped) return;
    const stop = new LightAbort();
    this.#stops.set(erasure.id, stop);
    void this.#erase(erasure, stop).finally(() => {
      if (this.#stops.get(erasure.id) === stop) this.#stops.delete(erasure.id);
    });
  }

  /** Ends the erasures of these sessions, also of those that wait for another log-out: who acts for them next finds them. */
  drop(sessions: Partitions): void {
    for (const [id, stop] of this.#stops)
      if (sessions.has(id)) stop.abort(new Error('another node acts for the session'));
  }

  /** Erasures that are not complete are found by the next start. */
  stop(): void {
    this.#isStopped = true;
    for (const stop of this.#stops.values()) stop.abort(new Error('the process is stopping'));
  }

  async #erase(erasure: Erasure, stop: LightAbort): Promise<void> {
    const { log, clock, random } = this.#deps;
    try {
      let keptUntil = await this.#tryToEnd(erasure, stop, erasure.readProxy);
      stop.throwIfAborted();
      erasure.onErased();
      for (let failures = 1; keptUntil !== undefined; failures += 1) {
        if (failures === 1) log.warn({ session: erasure.id }, 'a deleted session is logged out later');
        if (clock.now() >= keptUntil) return await this.#giveUp(erasure, stop);
        await sleep(clock, Math.min(logOutAway.delayMs(failures, random), keptUntil - clock.now()), stop);
        keptUntil = await this.#tryToEnd(erasure, stop);
      }
    } catch (err) {
      if (stop.aborted) return;
      log.error({ where: 'sessions', session: erasure.id, err }, 'the key of a deleted session could not be destroyed');
    }
  }

  /**
   * @param readProxy undefined: what the log-out needs is kept already
   * @returns until when the log-out is to be tried again; undefined if it is over
   */
  async #tryToEnd(erasure: Erasure, stop: LightAbort, readProxy?: ReadProxy): Promise<number | undefined> {
    const { sealer } = this.#deps;
    await this.#logOuts.run(() => this.#logOut(erasure, stop), stop);
    const destroy = async (): Promise<number | undefined> => sealer.destroyKey(erasure.id, await readProxy?.());
    return retry(this.#deps, storeAway, destroy, stop, this.#note(erasure));
  }

  async #giveUp(erasure: Erasure, stop: LightAbort): Promise<void> {
    const { log, sealer } = this.#deps;
    await erasure.onGivenUp();
    await retry(this.#deps, storeAway, () => sealer.giveUpLogOut(erasure.id), stop, this.#note(erasure));
    log.warn({ session: erasure.id }, 'telegram could not be told that a deleted session is logged out');
  }

  #note({ id }: Erasure): (err: unknown) => void {
    return (err) =>
      this.#deps.log.warn({ session: id, err }, 'the key of a deleted session could not be destroyed yet');
  }

  async #logOut({ id, loggedOut }: Erasure, stop: LightAbort): Promise<void> {
    let child: TelegramChild | undefined;
    const leave = (): void => {
      // A process that ends waits for the answer. If it is another's session, that logs it out from another address.
      if (!this.#isStopped) void child?.leave();
    };
    stop.addEventListener('abort', leave);
    try {
      child = loggedOut?.();
      await child?.close();
    } catch (err) {
      this.#deps.log.error({ where: 'sessions', session: id, err }, 'a deleted session could not be logged out');
    } finally {
      stop.removeEventListener('abort', leave);
    }
  }
}
