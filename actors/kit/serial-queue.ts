/** Runs work one after the other, in the order of the calls. Work that fails does not stop the queue. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Resolves or rejects as the work does, once its turn has come. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work, work);
    this.#last = done;
    // The caller has the promise too, and may ignore it; the queue must not end the process.
    done.catch(() => {});
    return done;
  }
}
