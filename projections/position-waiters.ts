interface Waiter {
  position: bigint;
  resolve: () => void;
}

/** Readers that wait until a position has been reached. */
export class PositionWaiters {
  /** The last one that was reached. */
  position = 0n;
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
        // Stryker disable next-line OptionalChaining: it is the signal that calls this
        reject(signal?.reason);
      };
      const waiter = {
        position,
        resolve: () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        },
      };
      // Stryker disable next-line ObjectLiteral,BooleanLiteral: a signal aborts once
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiters.add(waiter);
      // Stryker disable next-line EqualityOperator: the lowest may be set to itself
      if (this.#lowest === undefined || position < this.#lowest) this.#lowest = position;
    });
  }

  reached(position: bigint): void {
    this.position = position;
    // Stryker disable next-line ConditionalExpression,LogicalOperator: a short cut; the loop would find none
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
