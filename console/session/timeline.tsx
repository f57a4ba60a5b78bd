import { useState } from 'preact/hooks';
import type { AuditEntry, PastSession } from '../api/types.ts';
import { Card } from '../parts/card.tsx';
import { formatDateTime, formatTime, stateName } from '../parts/format.ts';
import { EventDetails } from './event-details.tsx';

/** The number of events at first, and of those that each "Show more" adds. */
const pageLength = 50;

interface Props {
  events: readonly AuditEntry[];
  /** `seq` of the selected event; undefined shows the session live. */
  seq: number | undefined;
  replay: PastSession | undefined;
  onSelect: (seq: number | undefined) => void;
  isOwner: boolean;
}

/** The session's events, newest first, and the details of the selected one. */
export function Timeline({ events, seq, replay, onSelect, isOwner }: Props) {
  const [length, setLength] = useState(pageLength);
  const newest = events.at(-1)?.seq;
  const selected = seq ?? newest;
  const listed = events.toReversed().slice(0, length);
  return (
    <Card title="Timeline" id="timeline">
      <div class="timeline-columns">
        <div class="events">
          <ol reversed aria-label="Events, newest first">
            {listed.map((event) => (
              <EventRow
                key={event.seq}
                event={event}
                isSelected={event.seq === selected}
                onSelect={() => onSelect(event.seq === newest ? undefined : event.seq)}
              />
            ))}
          </ol>
          {events.length > length && (
            <button type="button" class="wide" onClick={() => setLength(length + pageLength)}>
              Show more ({events.length - length} left)
            </button>
          )}
        </div>
        <EventDetails event={events.find((event) => event.seq === selected)} replay={replay} isOwner={isOwner} />
      </div>
    </Card>
  );
}

interface EventRowProps {
  event: AuditEntry;
  isSelected: boolean;
  onSelect: () => void;
}

function EventRow({ event: { seq, type, created, state, reason, data }, isSelected, onSelect }: EventRowProps) {
  return (
    <li>
      <button type="button" class={`event ${state}`} aria-pressed={isSelected} onClick={onSelect}>
        <span class="event-seq muted">{seq}</span>
        <span class="event-type">{type}</span>
        <span class="event-time muted" title={formatDateTime(created)}>
          {formatTime(created)}
        </span>
        <span class="event-state muted">
          {data.from === state ? stateName(state) : `→ ${stateName(state)}: ${reason}`}
        </span>
      </button>
    </li>
  );
}
