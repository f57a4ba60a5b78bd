import type { ComponentChildren } from 'preact';
import type { SessionSummary } from '../api/types.ts';
import { epochMs, formatCountdown, formatDateTime, formatDuration, formatTime, shortId } from '../parts/format.ts';
import { sessionHref } from '../parts/session-route.ts';
import { StateBadge } from '../parts/state-badge.tsx';

/** Milliseconds since 1970. */
type Now = number;

export interface Column {
  name: string;
  /** By which the API sorts; undefined if it cannot. */
  sortedBy?: 'created' | 'since';
  /** Left out on a narrow screen: what it says is in the first column then. */
  isWide?: boolean;
  cell: (session: SessionSummary, now: Now) => ComponentChildren;
}

const nameOf = ({ label, externalId, id }: SessionSummary): string => label || externalId || shortId(id);

const reasonOf = ({ held, reason }: SessionSummary): string => (held ? 'held: an event cannot be read' : reason);

export const columns: readonly Column[] = [
  {
    name: 'Session',
    cell: (session) => (
      <>
        <a href={sessionHref(session.id)}>{nameOf(session)}</a>
        <span class="row-id muted" title={session.id}>
          {shortId(session.id)}
        </span>
        <span class="narrow-only muted">{reasonOf(session)}</span>
      </>
    ),
  },
  { name: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  {
    name: 'Since',
    sortedBy: 'since',
    cell: ({ since, deadline, state }, now) => (
      <>
        <span title={`Since ${formatDateTime(since)}`}>{formatDuration(now - epochMs(since))}</span>
        {deadline !== '' && state !== 'deleted' && (
          <span class="due" title={`Will be deleted at ${formatDateTime(deadline)}`}>
            <span class="visually-hidden">, will be deleted in </span>
            {formatCountdown(epochMs(deadline) - now)}
          </span>
        )}
      </>
    ),
  },
  { name: 'Reason', isWide: true, cell: reasonOf },
  { name: 'External ID', isWide: true, cell: ({ externalId }) => externalId },
  { name: 'Tenant', isWide: true, cell: ({ tenant }) => tenant },
  { name: 'Webhook', isWide: true, cell: ({ hasWebhook }) => (hasWebhook ? 'on' : '') },
  {
    name: 'Created',
    sortedBy: 'created',
    isWide: true,
    cell: ({ created }) => <span title={formatDateTime(created)}>{formatTime(created)}</span>,
  },
];
