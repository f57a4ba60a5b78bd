import { withTimeout } from '../../../actors/kit/timeout.ts';
import type { SessionView } from '../../../projections/session-view.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { AppDeps } from './app-types.ts';

/** The views lag by milliseconds; longer than this, something is broken. */
const lagMs = 10_000;

const late = (): GatewayError => new GatewayError(503, 'recorded, but not yet readable', 1);

/**
 * The session's view once it includes the event of a command, so that callers read their own writes.
 * @throws {GatewayError} 503: recorded, but the views do not follow
 */
export async function readYourWrites(
  deps: Pick<AppDeps, 'views' | 'clock' | 'hops'>,
  id: string,
  position: bigint,
): Promise<SessionView | undefined> {
  await Promise.all([viewsAt(deps, position, lagMs, late), deps.hops?.seen.waitFor(position)]);
  return deps.views.get(id);
}

/** Among several nodes: resolves when all show what was just recorded in a stream that is no session's, or after a second. */
export async function readWritesOf({ store, hops }: Pick<AppDeps, 'store' | 'hops'>, stream: string): Promise<void> {
  if (hops === undefined) return;
  const last = await store.last(stream);
  if (last !== undefined) await hops.seen.waitFor(last.position);
}

/** Resolves when the views have the position. @throws what `tooLate` returns, after that time */
export function viewsAt(
  { views, clock }: Pick<AppDeps, 'views' | 'clock'>,
  position: bigint,
  maxMs: number,
  tooLate: () => Error,
): Promise<void> {
  if (position <= views.position) return Promise.resolve();
  const stop = new AbortController();
  return withTimeout(clock, maxMs, tooLate, (signal) => {
    signal.addEventListener('abort', () => stop.abort(signal.reason));
    return views.waitFor(position, stop.signal);
  });
}
