import { type LightAbortSignal, onFirstAbort, throwIfAborted } from './light-abort.ts';

/** Limits how much work runs at the same time. The rest waits for a place, first come, first served. */
export class Semaphore {
  #free: number;
  /** Each entry hands its waiter a place. */
  readonly #waiting = new Set<() => void>();

  constructor(places: number) {
    this.#free = places;
  }

  /**
   * Runs the work in a place of its own, which is free again when the work has ended, well or not.
   * @param signals end the wait for a place; work that has begun is not touched
   * @throws the reason of a signal, or what the work throws
   */
  async run<T>(work: () => Promise<T>, ...signals: readonly LightAbortSignal[]): Promise<T> {
    throwIfAborted(signals);
    if (this.#free > 0) this.#free -= 1;
    else await this.#place(signals);
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  #place(signals: readonly LightAbortSignal[]): Promise<void> {
    return new Promise((resolve, reject) => {
      const admit = (): void => {
        stopListening();
        resolve();
      };
      const stopListening = onFirstAbort(signals, (reason) => {
        this.#waiting.delete(admit);
        reject(reason);
      });
      this.#waiting.add(admit);
    });
  }

  /** The place passes straight to the next waiter: a newcomer cannot take it in between. */
  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
