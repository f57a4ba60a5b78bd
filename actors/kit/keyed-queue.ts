/** Work of one name runs one after the other, in the order of the calls; work of different names does not wait. */
export class KeyedQueue {
  /** The last work of each name that has not ended. */
  #tails = new Map<string, Promise<unknown>>();

  run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(name) ?? Promise.resolve();
    const done = before.then(work, work);
    this.#tails.set(name, done);
    const tidy = (): void => {
      if (this.#tails.get(name) === done) this.#tails.delete(name);
    };
    done.then(tidy, tidy);
    return done;
  }

  /** Resolves when what has been called so far has ended, well or not. */
  async ended(name: string): Promise<void> {
    await this.#tails.get(name)?.catch(() => {});
  }
}
