import type { LightAbortSignal } from './light-abort.ts';

/** Lets so many in at once; the others wait, first come, first served. */
export type Semaphore = <T>(signal: LightAbortSignal, work: () => Promise<T>) => Promise<T>;

export function createSemaphore(places: number): Semaphore {
  let free = places;
  const waiting = new Set<() => void>();

  const enter = (signal: LightAbortSignal): Promise<void> => {
    signal.throwIfAborted();
    if (free > 0) {
      free--;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const admit = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        waiting.delete(admit);
        reject(signal.reason);
      };
      waiting.add(admit);
      signal.addEventListener('abort', leave, { once: true });
    });
  };

  /** The place goes straight to the next, so that nobody slips in between. */
  const exit = (): void => {
    const [next] = waiting;
    if (next === undefined) free++;
    else {
      waiting.delete(next);
      next();
    }
  };

  return async (signal, work) => {
    await enter(signal);
    try {
      return await work();
    } finally {
      exit();
    }
  };
}
