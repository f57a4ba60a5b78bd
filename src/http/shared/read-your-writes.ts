import { withDeadline } from '../../../actors/kit/timeout.ts';
import type { SessionView } from '../../../projections/session-view.ts';
import { RequestError } from '../../errors/gateway-error.ts';
import type { AppParts } from './app-types.ts';

/** The views lag by milliseconds; longer than this, something is broken. */
const lagMs = 10_000;

const late = (): RequestError => new RequestError(503, 'recorded, but not yet readable', 1);

/**
 * The session's view once it shows what a command recorded: whoever was answered reads their own write.
 * @throws {RequestError} 503: recorded, but the views do not follow.
 */
export async function viewAt(
  { views, clock }: Pick<AppParts, 'views' | 'clock'>,
  id: string,
  position: bigint,
): Promise<SessionView | undefined> {
  const stop = new AbortController();
  await withDeadline(clock, lagMs, late, (signal) => {
    signal.addEventListener('abort', () => stop.abort(signal.reason));
    return views.waitFor(position, stop.signal);
  });
  return views.get(id);
}
