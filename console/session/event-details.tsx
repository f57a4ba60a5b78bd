import type { AuditEntry, Replay } from '../api/types.ts';
import { wholeTime } from '../parts/format.ts';
import { Badge } from '../parts/state-badge.tsx';

/** One moment: what happened, and all fields of the session as they were after it. */
export function Moment({
  entry,
  replay,
  isOwner,
}: {
  entry: AuditEntry | undefined;
  replay: Replay | undefined;
  isOwner: boolean;
}) {
  if (entry === undefined) return null;
  const { from: _from, since: _since, deadlines, ...details } = entry.data;
  return (
    <section class="moment-card" aria-labelledby="moment-title">
      <h3 id="moment-title">
        {entry.type} <Badge state={entry.state} />
      </h3>
      <dl class="pairs">
        <Pair name="At" value={wholeTime(entry.created)} />
        <Pair name="Reason" value={entry.reason} />
        <Pair name="Since" value={wholeTime(entry.data.since)} />
        {deadlines.map(({ type, due }) => (
          <Pair key={type} name={type} value={wholeTime(due)} />
        ))}
        {Object.entries(details).map(([name, value]) => (
          <Pair key={name} name={name} value={wordsOf(value)} />
        ))}
      </dl>
      {replay !== undefined && replay.seq === entry.seq && (
        <>
          <h4>The session then</h4>
          <dl class="pairs">
            {fieldsOf(replay).map(([name, value]) => (
              <Pair key={name} name={name} value={value} />
            ))}
          </dl>
          {!isOwner && <p class="quiet">Without what is personal: that is for the session’s owner.</p>}
        </>
      )}
    </section>
  );
}

function Pair({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** What was filled; the picture is shown elsewhere. */
function fieldsOf({ session }: Replay): [string, string][] {
  const { id: _id, picture: _picture, qrcode: _qrcode, webhook, ...fields } = session;
  return Object.entries({ ...fields, webhook: webhook.url })
    .map(([name, value]): [string, string] => [name, wordsOf(value)])
    .filter(([, value]) => value !== '');
}

const isoTime = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

function wordsOf(value: unknown): string {
  if (typeof value === 'string' && isoTime.test(value)) return wholeTime(value);
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .filter(([, part]) => part !== '')
    .map(([name, part]) => `${name}: ${wordsOf(part)}`)
    .join(', ');
}
