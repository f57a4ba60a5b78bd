import { useState } from 'preact/hooks';
import type { AuditEntry, Replay } from '../api/types.ts';
import { stateName, time, wholeTime } from '../parts/format.ts';
import { Card } from '../parts/use-action.tsx';
import { Moment } from './event-details.tsx';

const pageLength = 50;

interface Props {
  events: readonly AuditEntry[];
  /** The moment that is looked at; undefined: now. */
  seq: number | undefined;
  replay: Replay | undefined;
  onSeq: (seq: number | undefined) => void;
  isOwner: boolean;
}

/** What has happened, newest first, and one moment of it. */
export function TimeLine({ events, seq, replay, onSeq, isOwner }: Props) {
  const [length, setLength] = useState(pageLength);
  const newest = events.at(-1)?.seq;
  const at = seq ?? newest;
  const shown = events.toReversed().slice(0, length);
  return (
    <Card title="Time line" id="time-line">
      <div class="time-columns">
        <div class="events">
          <ol reversed aria-label="Events, newest first">
            {shown.map((event) => (
              <Event
                key={event.seq}
                event={event}
                isChosen={event.seq === at}
                onChoose={() => onSeq(event.seq === newest ? undefined : event.seq)}
              />
            ))}
          </ol>
          {events.length > length && (
            <button type="button" class="more" onClick={() => setLength(length + pageLength)}>
              Show more ({events.length - length} left)
            </button>
          )}
        </div>
        <Moment entry={events.find((event) => event.seq === at)} replay={replay} isOwner={isOwner} />
      </div>
    </Card>
  );
}

interface EventProps {
  event: AuditEntry;
  isChosen: boolean;
  onChoose: () => void;
}

function Event({ event: { seq, type, created, state, reason, data }, isChosen, onChoose }: EventProps) {
  return (
    <li>
      <button type="button" class={`event ${state}`} aria-pressed={isChosen} onClick={onChoose}>
        <span class="event-seq quiet">{seq}</span>
        <span class="event-type">{type}</span>
        <span class="event-time quiet" title={wholeTime(created)}>
          {time(created)}
        </span>
        <span class="event-what quiet">
          {data.from === state ? stateName(state) : `→ ${stateName(state)}: ${reason}`}
        </span>
      </button>
    </li>
  );
}
