import { formatDateTime, formatTime, shortId } from '../parts/format.ts';
import { ownName } from '../parts/own-name.ts';
import { tabHref } from '../parts/session-route.ts';
import { StateBadge } from '../parts/state-badge.tsx';
import type { MonitorEvent } from './monitor-event.ts';

interface Props {
  event: MonitorEvent;
  /** The event in words. */
  name: string;
  /** How many events the row stands for. */
  count: number;
}

/** An event of a session, which its link opens. */
export function MonitorRow({ event, name, count }: Props) {
  const { id, type, state, reason, created } = event;
  return (
    <li>
      <time class="muted" dateTime={created} title={formatDateTime(created)}>
        {formatTime(created)}
      </time>
      <span class="event-name">
        {name}
        {count > 1 && ` ×${count}`} <code class="event-type muted">{type}</code>
      </span>
      <a href={tabHref(id, 'timeline')} title={id}>
        {ownName(event) || shortId(id)}
      </a>
      <span class="monitor-state">
        <StateBadge state={state} /> <span class="muted">{reason}</span>
      </span>
    </li>
  );
}
