/** Listeners for changes of the view of one session. */
export class ViewListeners {
  readonly #listeners = new Map<string, Set<() => void>>();

  /** @returns a function that removes the listener */
  listen(id: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(id) ?? new Set();
    this.#listeners.set(id, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(id) === listeners) this.#listeners.delete(id);
    };
  }

  changed(id: string): void {
    for (const listener of this.#listeners.get(id) ?? []) listener();
  }
}
