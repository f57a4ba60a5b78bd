import { useMemo, useState } from 'preact/hooks';
import type { AuditEntry, PastSession } from '../../api/types.ts';
import { eventName } from '../../parts/events/event-names.ts';
import { type EventRun, foldRuns } from '../../parts/events/event-runs.ts';
import { EventDetails } from './event-details.tsx';
import { EventRow } from './event-row.tsx';

/** The number of rows at first, and of those that each "Show more" adds. */
const pageLength = 50;

interface Props {
  events: readonly AuditEntry[];
  /** `seq` of the selected event; undefined shows the session live. */
  seq: number | undefined;
  replay: PastSession | undefined;
  onSelect: (seq: number | undefined) => void;
  isOwner: boolean;
}

/** Of the same name, and neither led to another state. */
const saysTheSame = (event: AuditEntry, neighbour: AuditEntry): boolean =>
  eventName(event) === eventName(neighbour) &&
  event.state === neighbour.state &&
  [event, neighbour].every(({ state, data }) => data.from === state);

/** The session's events, newest first and neighbours of the same kind folded, and the details of the selected one. */
export function Timeline({ events, seq, replay, onSelect, isOwner }: Props) {
  const [length, setLength] = useState(pageLength);
  const newest = events.at(-1)?.seq;
  const selected = seq ?? newest;
  const runs = useMemo(() => foldRuns(events.toReversed(), saysTheSame), [events]);
  return (
    <div class="timeline-columns">
      <div class="events">
        <ol aria-label="Events, newest first">
          {runs.slice(0, length).map((run) => (
            <Run
              key={run.events.at(-1)?.seq}
              run={run}
              selected={selected}
              onSelect={(one) => onSelect(one === newest ? undefined : one)}
            />
          ))}
        </ol>
        {runs.length > length && (
          <button type="button" class="wide" onClick={() => setLength(length + pageLength)}>
            Show more ({runs.length - length} left)
          </button>
        )}
      </div>
      <EventDetails event={events.find((event) => event.seq === selected)} replay={replay} isOwner={isOwner} />
    </div>
  );
}

interface RunProps {
  run: EventRun<AuditEntry>;
  selected: number | undefined;
  onSelect: (seq: number) => void;
}

/** One row; the events of a folded run are shown on demand, and while one that it hides is selected. */
function Run({ run: { first, events }, selected, onSelect }: RunProps) {
  const [isUnfolded, setUnfolded] = useState(false);
  const hidden = events.slice(1);
  const isOpen = isUnfolded || hidden.some(({ seq }) => seq === selected);
  const row = (event: AuditEntry, count: number) => (
    <EventRow event={event} count={count} isSelected={event.seq === selected} onSelect={() => onSelect(event.seq)} />
  );
  return (
    <li class={hidden.length > 0 ? 'run' : ''}>
      {row(first, isOpen ? 1 : events.length)}
      {hidden.length > 0 && (
        <button
          type="button"
          class="plain fold"
          aria-expanded={isOpen}
          disabled={isOpen && !isUnfolded}
          onClick={() => setUnfolded(!isUnfolded)}
        >
          {isOpen ? 'Fold' : 'Unfold'}
          <span class="visually-hidden">{` ${events.length} events`}</span>
        </button>
      )}
      {isOpen && (
        <ol class="folded">
          {hidden.map((event) => (
            <li key={event.seq}>{row(event, 1)}</li>
          ))}
        </ol>
      )}
    </li>
  );
}
