import type { LiveUpdate } from '../../telegram/port/updates.ts';

type Listener = (update: LiveUpdate) => void;

/** What is not recorded, for those who look on at that moment (EV1). */
export class LiveEvents {
  readonly #listeners = new Map<string, Set<Listener>>();

  /** @returns ends the subscription */
  subscribe(sessionId: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(sessionId) ?? new Set();
    this.#listeners.set(sessionId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(sessionId) === listeners) this.#listeners.delete(sessionId);
    };
  }

  /** Whether anyone looks on. */
  isWatched(sessionId: string): boolean {
    return this.#listeners.has(sessionId);
  }

  emit(sessionId: string, update: LiveUpdate): void {
    for (const listener of this.#listeners.get(sessionId) ?? []) listener(update);
  }
}
