import type { SessionStats } from '../api/types.ts';
import { Card } from '../parts/card.tsx';
import { eventName } from '../parts/events/event-names.ts';
import { formatDateTime, formatTime, shortId } from '../parts/format.ts';
import { ownName } from '../parts/own-name.ts';
import { tabHref } from '../parts/session-route.ts';

/** A login that ended, in words, if it ended at Telegram; else the gateway's own reason. */
const lossName = (reason: string): string =>
  /^[A-Z_\d]+$/.test(reason) ? eventName({ type: 'LoginLost', data: { reason } }) : reason;

/** Logins that ended without a wish of their callers: how many for which reason, and the last ones. */
export function LastLosses({ losses, lastLosses }: Pick<SessionStats, 'losses' | 'lastLosses'>) {
  const most = losses[0]?.count ?? 1;
  return (
    <Card title="Logins lost" id="losses">
      {losses.length === 0 ? (
        <p class="muted">None.</p>
      ) : (
        <ul class="loss-reasons" aria-label="By reason">
          {losses.map(({ reason, count }) => (
            <li key={reason}>
              <span>
                {lossName(reason)} <code class="event-type muted">{reason}</code>
              </span>
              <span class="count">{count}</span>
              <meter min={0} max={most} value={count} aria-hidden="true" />
            </li>
          ))}
        </ul>
      )}
      {lastLosses.length > 0 && (
        <ol class="last-losses" aria-label="The last ones">
          {lastLosses.map((loss) => (
            <li key={`${loss.id} ${loss.at}`}>
              <a href={tabHref(loss.id, 'timeline')} title={loss.id}>
                {ownName(loss) || shortId(loss.id)}
              </a>
              <span>{lossName(loss.reason)}</span>
              <time class="muted" dateTime={loss.at} title={formatDateTime(loss.at)}>
                {formatTime(loss.at)}
              </time>
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}
