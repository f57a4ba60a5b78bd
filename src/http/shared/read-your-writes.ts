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
  { views, clock }: Pick<AppDeps, 'views' | 'clock'>,
  id: string,
  position: bigint,
): Promise<SessionView | undefined> {
  const stop = new AbortController();
  await withTimeout(clock, lagMs, late, (signal) => {
    signal.addEventListener('abort', () => stop.abort(signal.reason));
    return views.waitFor(position, stop.signal);
  });
  return views.get(id);
}
