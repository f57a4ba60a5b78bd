import { useState } from 'preact/hooks';
import type { AuditEntry, Replay } from '../api/types.ts';
import { Card } from '../parts/action.tsx';
import { stateName, time, wholeTime } from '../parts/words.ts';
import { Moment } from './moment.tsx';

const pageLength = 50;

interface Props {
  events: readonly AuditEntry[];
  /** The moment that is looked at; undefined: now. */
  seq: number | undefined;
  replay: Replay | undefined;
  onSeq: (seq: number | undefined) => void;
  isOwner: boolean;
}

/** What has happened, newest first, and a slider that brings back any moment of it. */
export function TimeLine({ events, seq, replay, onSeq, isOwner }: Props) {
  const [length, setLength] = useState(pageLength);
  const newest = events.at(-1)?.seq ?? 1;
  const at = seq ?? newest;
  const chosen = events.find((event) => event.seq === at);
  const choose = (to: number): void => onSeq(to >= newest ? undefined : Math.max(1, to));
  return (
    <Card
      title="Time line"
      id="time-line"
      aside={
        <button type="button" class="plain" aria-pressed={seq === undefined} onClick={() => onSeq(undefined)}>
          {seq === undefined ? '● Live' : 'Back to live'}
        </button>
      }
    >
      <div class="slider">
        <button type="button" aria-label="Event before" disabled={at <= 1} onClick={() => choose(at - 1)}>
          ‹
        </button>
        <label>
          <span class="hidden">Moment</span>
          <input
            type="range"
            min={1}
            max={Math.max(newest, 1)}
            step={1}
            value={at}
            aria-valuetext={chosen && `Event ${at} of ${newest}: ${chosen.type}, ${time(chosen.created)}`}
            onInput={(event) => choose(Number(event.currentTarget.value))}
          />
        </label>
        <button type="button" aria-label="Event after" disabled={at >= newest} onClick={() => choose(at + 1)}>
          ›
        </button>
        <output class="quiet">{`${at} of ${newest}`}</output>
      </div>
      <div class="time-columns">
        <ol class="events" reversed aria-label="Events, newest first">
          {events
            .toReversed()
            .slice(0, length)
            .map((event) => (
              <Event key={event.seq} event={event} isChosen={event.seq === at} onChoose={() => choose(event.seq)} />
            ))}
          {events.length > length && (
            <li>
              <button type="button" class="more" onClick={() => setLength(length + pageLength)}>
                Show more ({events.length - length} left)
              </button>
            </li>
          )}
        </ol>
        <Moment entry={chosen} replay={replay} isOwner={isOwner} />
      </div>
    </Card>
  );
}

function Event({ event, isChosen, onChoose }: { event: AuditEntry; isChosen: boolean; onChoose: () => void }) {
  const { seq, type, created, state, reason, data } = event;
  const isMove = data.from !== state;
  return (
    <li class={`event ${state}`}>
      <button type="button" aria-pressed={isChosen} onClick={onChoose}>
        <span class="event-seq quiet">{seq}</span>
        <span class="event-type">{type}</span>
        <span class="event-time quiet" title={wholeTime(created)}>
          {time(created)}
        </span>
        <span class="event-what quiet">{isMove ? `→ ${stateName(state)}: ${reason}` : stateName(state)}</span>
      </button>
    </li>
  );
}
