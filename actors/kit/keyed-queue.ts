/** Runs the work of one key one after the other, in the order of the calls. Work of different keys does not wait. */
export class KeyedQueue {
  /** The last work of each key that has not ended. */
  readonly #last = new Map<string, Promise<unknown>>();

  /** Resolves or rejects as the work does, once its turn has come. */
  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const done = before.then(work, work);
    this.#last.set(key, done);
    const tidy = (): void => {
      if (this.#last.get(key) === done) this.#last.delete(key);
    };
    done.then(tidy, tidy);
    return done;
  }

  /** Whether work that was given under the key has not ended. */
  isBusy(key: string): boolean {
    return this.#last.has(key);
  }

  /** Those whose work has not ended. */
  keys(): Iterable<string> {
    return this.#last.keys();
  }

  /** Resolves when no work is left under any key. */
  async idle(): Promise<void> {
    while (this.#last.size > 0) await Promise.allSettled(this.#last.values());
  }

  /** Resolves when the work given so far under the key has ended, well or not. */
  async ended(key: string): Promise<void> {
    await this.#last.get(key)?.catch(() => {});
  }
}
