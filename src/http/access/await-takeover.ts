import type { Clock } from '../../../actors/ports/clock.ts';
import type { SessionView } from '../../../projections/session-view.ts';
import type { AppDeps } from '../shared/app-types.ts';

/** As long as a request waits for an owner (CL5.3). */
const maxWaitMs = 5_000;
/** A view may show an event a moment before the session's actor does. */
const lookAgainMs = 100;

/**
 * Resolves when a session that this node has just taken from another one is connected again, or will not be within 5 seconds. At once if it
 * is disconnected for another reason, or is about to leave this node again.
 */
export async function awaitTakeover(
  { sessions, views, clock, cluster }: Pick<AppDeps, 'sessions' | 'views' | 'clock' | 'cluster'>,
  id: string,
): Promise<void> {
  const until = clock.elapsed() + maxWaitMs;
  const isHere = (): boolean => cluster === undefined || cluster.placeOf(id).kind === 'here';
  while (isHere() && sessions.state(id) === 'disconnected' && wasJustTaken(views.get(id), clock.now())) {
    const leftMs = until - clock.elapsed();
    if (leftMs <= 0) return;
    await nextChange({ views, clock }, id, Math.min(leftMs, lookAgainMs));
  }
}

/** A view that says "connected" has not seen the takeover yet. */
const wasJustTaken = (view: SessionView | undefined, now: number): boolean =>
  view?.state === 'connected' ||
  (view?.state === 'disconnected' && view.reason === 'owner-changed' && now - view.since < maxWaitMs);

/** Resolves with the session's next event, or after that time. */
const nextChange = (
  { views, clock }: { views: Pick<AppDeps['views'], 'onChange'>; clock: Clock },
  id: string,
  maxMs: number,
): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clock.clearTimeout(timer);
      remove();
      resolve();
    };
    const timer = clock.setTimeout(end, maxMs);
    const remove = views.onChange(id, end);
  });
