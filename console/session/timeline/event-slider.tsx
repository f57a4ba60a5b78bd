import type { AuditEntry } from '../../api/types.ts';
import { eventName } from '../../parts/events/event-names.ts';
import { formatTime } from '../../parts/format.ts';

interface Props {
  events: readonly AuditEntry[];
  /** `seq` of the selected event; undefined shows the session live. */
  seq: number | undefined;
  onSelect: (seq: number | undefined) => void;
}

/** Selects an event of the log. The chart, the timeline and the fields show the session as it was after it. */
export function EventSlider({ events, seq, onSelect }: Props) {
  const newest = events.at(-1)?.seq ?? 1;
  const selected = seq ?? newest;
  const event = events.find((one) => one.seq === selected);
  const select = (to: number): void => onSelect(to >= newest ? undefined : Math.max(1, to));
  return (
    <div class="slider">
      <button type="button" aria-label="Previous event" disabled={selected <= 1} onClick={() => select(selected - 1)}>
        ‹
      </button>
      <label>
        <span class="visually-hidden">Event</span>
        <input
          type="range"
          min={1}
          max={newest}
          step={1}
          value={selected}
          aria-valuetext={event && `Event ${selected} of ${newest}: ${eventName(event)}, ${formatTime(event.created)}`}
          onInput={(input) => select(Number(input.currentTarget.value))}
        />
      </label>
      <button type="button" aria-label="Next event" disabled={selected >= newest} onClick={() => select(selected + 1)}>
        ›
      </button>
      <output class="muted">{`${selected} of ${newest}`}</output>
    </div>
  );
}
