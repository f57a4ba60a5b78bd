import type { AuditEntry } from '../../api/types.ts';
import { eventName } from '../../parts/events/event-names.ts';
import { formatDateTime, formatTime, stateName } from '../../parts/format.ts';

interface Props {
  event: AuditEntry;
  /** How many events the row stands for. */
  count: number;
  isSelected: boolean;
  onSelect: () => void;
}

/** An event in words for people, with its technical name, its time, and the state that it led to. */
export function EventRow({ event, count, isSelected, onSelect }: Props) {
  const { seq, type, created, state, reason, data } = event;
  return (
    <button type="button" class={`event ${state}`} aria-pressed={isSelected} onClick={onSelect}>
      <span class="event-seq muted">{seq}</span>
      <span class="event-name">
        {eventName(event)}
        {count > 1 && ` ×${count}`} <code class="event-type muted">{type}</code>
      </span>
      <span class="event-time muted" title={formatDateTime(created)}>
        {formatTime(created)}
      </span>
      <span class="event-state muted">
        {data.from === state ? stateName(state) : `→ ${stateName(state)}: ${reason}`}
      </span>
    </button>
  );
}
