interface Waiter {
  position: bigint;
  resolve: () => void;
}

/** Readers that wait until a position has been reached. */
export class PositionWaiters {
  #waiters = new Set<Waiter>();
  /** The lowest awaited position: the common check of each event is one comparison. */
  #lowest: bigint | undefined;

  /** @throws the signal's reason when it is aborted first. */
  wait(position: bigint, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(signal.reason);
        return;
      }
      const onAbort = (): void => {
        this.#waiters.delete(waiter);
        reject(signal?.reason);
      };
      const waiter = {
        position,
        resolve: () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiters.add(waiter);
      if (this.#lowest === undefined || position < this.#lowest) this.#lowest = position;
    });
  }

  reached(position: bigint): void {
    if (this.#lowest === undefined || position < this.#lowest) return;
    this.#lowest = undefined;
    for (const waiter of this.#waiters) {
      if (waiter.position <= position) {
        this.#waiters.delete(waiter);
        waiter.resolve();
      } else if (this.#lowest === undefined || waiter.position < this.#lowest) {
        this.#lowest = waiter.position;
      }
    }
  }
}
