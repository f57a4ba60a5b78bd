import { LightAbort, type LightAbortSignal } from '../../actors/kit/light-abort.ts';
import { createRateLimitedLog } from '../../actors/kit/rate-limited-log.ts';
import { type RetryDeps, retry } from '../../actors/kit/retry.ts';
import { storePoll } from '../../actors/kit/retry-policy.ts';
import type { Log } from '../../actors/ports/log.ts';

/** Work that waits until the event store answers, however long that takes. */
export interface StoreWait {
  /**
   * Repeats the work while the store is away. Never settles if the wait is ended meanwhile.
   * @throws any other error of the work
   */
  until<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when the store was found to be away for the first time. */
  readonly away: Promise<void>;
  /** Aborted by {@link StoreWait.end}. */
  readonly ended: LightAbortSignal;
  end(): void;
}

export function createStoreWait(deps: RetryDeps & { log: Log }): StoreWait {
  const log = createRateLimitedLog(deps.log, deps.clock);
  const ended = new LightAbort();
  let findAway = (): void => {};
  const away = new Promise<void>((resolve) => {
    findAway = resolve;
  });
  return {
    async until(work) {
      try {
        return await retry(deps, storePoll, work, ended, (err) => {
          log.warn({ err }, 'the start waits for the event store');
          findAway();
        });
      } catch (error) {
        if (ended.aborted) return await new Promise<never>(() => {});
        throw error;
      }
    },
    away,
    ended,
    end: () => ended.abort(new Error('the gateway is closing')),
  };
}
