import type { AuditEntry, PastSession } from '../../api/types.ts';
import { eventName } from '../../parts/events/event-names.ts';
import { Fact } from '../../parts/fact.tsx';
import { formatDateTime } from '../../parts/format.ts';
import { StateBadge } from '../../parts/state-badge.tsx';

interface Props {
  event: AuditEntry | undefined;
  /** The session as it was after an event; undefined or of another event until it is loaded. */
  replay: PastSession | undefined;
  isOwner: boolean;
}

/** One event with its data, and the fields of the session as they were after it. */
export function EventDetails({ event, replay, isOwner }: Props) {
  if (event === undefined) return null;
  const { from, since, deadlines, ...details } = event.data;
  // An event that changes nothing else has no reason of its own.
  const reasonName = from === event.state ? 'Reason of the state' : 'Reason';
  return (
    <section class="event-details" aria-labelledby="event-title">
      <h3 id="event-title">
        <span>
          {eventName(event)} <code class="event-type muted">{event.type}</code>
        </span>
        <StateBadge state={event.state} />
      </h3>
      <dl class="pairs">
        <Fact name="Recorded">{formatDateTime(event.created)}</Fact>
        <Fact name={reasonName}>{event.reason}</Fact>
        <Fact name="In state since">{formatDateTime(since)}</Fact>
        {deadlines.map(({ type, due }) => (
          <Fact key={type} name={`${type} due`}>
            {formatDateTime(due)}
          </Fact>
        ))}
        {Object.entries(details).map(([name, value]) => (
          <Fact key={name} name={name}>
            {formatValue(value)}
          </Fact>
        ))}
      </dl>
      {replay !== undefined && replay.seq === event.seq && (
        <>
          <h4>Session after this event</h4>
          <dl class="pairs">
            {filledFieldsOf(replay).map(([name, value]) => (
              <Fact key={name} name={name}>
                {value}
              </Fact>
            ))}
          </dl>
          {!isOwner && <p class="muted">Personal fields are only shown with the session’s credentials.</p>}
        </>
      )}
    </section>
  );
}

/** The fields that are not empty, without the ID and the pictures. */
function filledFieldsOf({ session }: PastSession): [string, string][] {
  const { id: _id, picture: _picture, qrcode: _qrcode, webhook, ...fields } = session;
  return Object.entries({ ...fields, webhook: webhook.url })
    .map(([name, value]): [string, string] => [name, formatValue(value)])
    .filter(([, value]) => value !== '');
}

const isoTime = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** Times as date and time, objects as `name: value, name: value` without empty values, all else as text. */
function formatValue(value: unknown): string {
  if (typeof value === 'string' && isoTime.test(value)) return formatDateTime(value);
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .filter(([, part]) => part !== '')
    .map(([name, part]) => `${name}: ${formatValue(part)}`)
    .join(', ');
}
