import type { AuditEntry } from '../api/types.ts';
import { time } from '../parts/format.ts';

interface Props {
  events: readonly AuditEntry[];
  /** The moment that is looked at; undefined: now. */
  seq: number | undefined;
  onSeq: (seq: number | undefined) => void;
}

/** Brings back any moment of a session's life: chart, fields and events show it. */
export function Scrubber({ events, seq, onSeq }: Props) {
  const newest = events.at(-1)?.seq ?? 1;
  const at = seq ?? newest;
  const chosen = events.find((event) => event.seq === at);
  const choose = (to: number): void => onSeq(to >= newest ? undefined : Math.max(1, to));
  return (
    <div class="scrubber">
      <button type="button" aria-label="Event before" disabled={at <= 1} onClick={() => choose(at - 1)}>
        ‹
      </button>
      <label>
        <span class="hidden">Moment</span>
        <input
          type="range"
          min={1}
          max={newest}
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
  );
}
