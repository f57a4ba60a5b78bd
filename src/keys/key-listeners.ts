import type { Clock, TimerHandle } from '../../actors/ports/clock.ts';

/** Those who want to know when keys end. */
export class KeyListeners {
  readonly #clock: Clock;
  readonly #listeners = new Map<string, Set<() => void>>();
  /** Of keys that expire and are listened to. */
  readonly #timers = new Map<string, TimerHandle>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * @param expires milliseconds since 1970
   * @returns a function that removes the listener
   */
  listen(id: string, expires: number | undefined, listener: () => void): () => void {
    const listeners = this.#listeners.get(id) ?? new Set();
    this.#listeners.set(id, listeners.add(listener));
    if (expires !== undefined && !this.#timers.has(id)) this.#arm(id, expires);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(id) === listeners) this.#forget(id);
    };
  }

  /** The key has ended: calls each of its listeners. */
  ended(id: string): void {
    const listeners = this.#listeners.get(id) ?? [];
    this.#forget(id);
    for (const listener of listeners) listener();
  }

  clear(): void {
    for (const id of this.#timers.keys()) this.#forget(id);
  }

  #arm(id: string, expires: number): void {
    const look = (): void => {
      // The wall clock may have been set back meanwhile.
      if (this.#clock.now() < expires) this.#arm(id, expires);
      else this.ended(id);
    };
    this.#timers.set(id, this.#clock.setTimeout(look, expires - this.#clock.now()));
  }

  #forget(id: string): void {
    this.#listeners.delete(id);
    const timer = this.#timers.get(id);
    if (timer !== undefined) this.#clock.clearTimeout(timer);
    this.#timers.delete(id);
  }
}
