import type { Logger } from 'pino';
import { sleep } from '../../actors/kit/sleep.ts';
import type { Clock } from '../../actors/ports/clock.ts';
import type { ReportUnreadable } from '../../actors/ports/event-codec.ts';
import type { EventStore } from '../../actors/ports/event-store.ts';
import { createProjectionRunner, type ProjectionRunner } from '../../projections/projection-runner.ts';
import type { SideView } from '../../projections/side-view.ts';
import type { ViewDatabase } from '../../projections/view-database.ts';
import type { StoreWait } from './wait-for-store.ts';

/** Wait before a failed projection follows the store again. */
const retryMs = 1_000;

interface RestartingProjectionDeps {
  store: EventStore;
  clock: Clock;
  log: Logger;
  storeWait: StoreWait;
  reportUnreadable: ReportUnreadable;
  /** See `ProjectionOptions`. */
  keepsEnds: boolean;
  sides: readonly SideView[];
}

/** A projection that starts again after a failure. */
export function restartingProjection(
  { store, clock, log, storeWait, reportUnreadable, keepsEnds, sides }: RestartingProjectionDeps,
  database: ViewDatabase,
): ProjectionRunner {
  const views = createProjectionRunner({
    store,
    database,
    clock,
    reportUnreadable,
    keepsEnds,
    sides,
    onError: (err, during) => {
      log.error({ where: 'views', err, during }, 'the views failed');
      // A repeated failure is reported here again.
      if (during !== 'following') return;
      void sleep(clock, retryMs, storeWait.ended)
        .then(() => storeWait.until(() => views.start()))
        .catch(() => {});
    },
  });
  return views;
}
