import type { AuditEntry } from '../api/types.ts';
import { epochMs, formatClockTime, formatCountdown, formatDateTime, formatDuration } from '../parts/format.ts';
import { StateBadge } from '../parts/state-badge.tsx';
import { useNow } from '../parts/use-now.ts';

interface Props {
  state: string;
  lastEvent: AuditEntry | undefined;
  /** When Telegram refused a request because it has frozen the account. */
  frozenSince: string | undefined;
  /** Since when nothing new has arrived, milliseconds since 1970; undefined while the page is live. */
  brokenSince: number | undefined;
}

/** One line about the session: its state, since when, why, when it ends by itself, and whether the page is live. */
export function StateStrip({ state, lastEvent, frozenSince, brokenSince }: Props) {
  const now = useNow();
  const due = lastEvent?.data.deadlines[0]?.due;
  return (
    <section class="state-strip" aria-label="State">
      <StateBadge state={state} />
      {lastEvent !== undefined && (
        <>
          <span title={`Since ${formatDateTime(lastEvent.data.since)}`}>
            <span class="muted">for </span>
            {formatDuration(now - epochMs(lastEvent.data.since))}
          </span>
          <span>
            <span class="muted">reason </span>
            {lastEvent.reason}
          </span>
        </>
      )}
      {due !== undefined && (
        <span class="due" title={`At ${formatDateTime(due)}`}>
          {`will be deleted in ${formatCountdown(epochMs(due) - now)}`}
        </span>
      )}
      {frozenSince !== undefined && (
        <span class="due" title="Telegram lets a frozen account read, and refuses what it sends.">
          {`frozen by Telegram, seen ${formatDateTime(frozenSince)}`}
        </span>
      )}
      <span class={`liveness ${liveness(state, brokenSince)}`} role="status">
        {brokenSince === undefined
          ? state === 'deleted'
            ? 'Ended'
            : 'Live'
          : `Not live since ${formatClockTime(brokenSince)}`}
      </span>
    </section>
  );
}

const liveness = (state: string, brokenSince: number | undefined): string =>
  brokenSince === undefined ? (state === 'deleted' ? 'ended' : 'live') : 'broken';
