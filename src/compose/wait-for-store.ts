import type { Clock, TimerHandle } from '../../actors/ports/clock.ts';
import { StoreUnavailableError } from '../../actors/ports/event-store.ts';

/** For work that has to wait until the event store answers, however long that takes. */
export interface StoreWait {
  /**
   * Repeats the work for as long as the store is away; never settles where the waiting is ended meanwhile.
   * @throws what else the work throws.
   */
  until<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when the store was found to be away for the first time. */
  readonly away: Promise<void>;
  end(): void;
}

const retryMs = 1_000;

export function createStoreWait(clock: Clock): StoreWait {
  const timers = new Set<TimerHandle>();
  let hasEnded = false;
  let findAway = (): void => {};
  const away = new Promise<void>((resolve) => {
    findAway = resolve;
  });
  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      if (hasEnded) return;
      const timer = clock.setTimeout(() => {
        timers.delete(timer);
        resolve();
      }, retryMs);
      timers.add(timer);
    });
  return {
    async until(work) {
      for (;;) {
        try {
          return await work();
        } catch (error) {
          if (!(error instanceof StoreUnavailableError)) throw error;
          findAway();
          await pause();
        }
      }
    },
    away,
    end: () => {
      hasEnded = true;
      for (const timer of timers) clock.clearTimeout(timer);
    },
  };
}
