import { gatewayUrl } from '../../api/request.ts';
import type { AuditEntry, Session, SessionSummary } from '../../api/types.ts';
import { Card } from '../../parts/card.tsx';
import { DownloadButton } from '../../parts/events/download-button.tsx';

/** The newest events: all of them are in the download. */
const shownEvents = 20;

interface Props {
  id: string;
  summary: SessionSummary | undefined;
  session: Session | undefined;
  events: readonly AuditEntry[];
}

/** The session and its events as the API has them, and other ways to look at them. */
export function RawPanel({ id, summary, session, events }: Props) {
  const inspector = new URL(`inspector/?session=${encodeURIComponent(id)}`, gatewayUrl).href;
  return (
    <>
      <Card title="Session" id="raw-session" aside={<a href={inspector}>Open in the inspector</a>}>
        <Json value={session === undefined ? summary : withoutSecrets(session)} label="Session as JSON" />
      </Card>
      <Card
        title="Events"
        id="raw-events"
        aside={
          <DownloadButton
            label="Download NDJSON"
            name={`session-${id}.ndjson`}
            lines={() => events.map((event) => JSON.stringify(event))}
          />
        }
      >
        <p class="muted">
          {events.length > shownEvents && `The last ${shownEvents} of ${events.length}, newest first. `}
          <code>telegram-gateway export {id}</code> writes all events to a file, without personal data, that{' '}
          <code>telegram-gateway tell</code> reads.
        </p>
        <Json value={events.toReversed().slice(0, shownEvents)} label="Events as JSON, newest first" />
      </Card>
    </>
  );
}

function Json({ value, label }: { value: unknown; label: string }) {
  return (
    <pre class="json" role="region" aria-label={label} tabIndex={0}>
      {value === undefined ? 'Loading…' : JSON.stringify(value, null, 2)}
    </pre>
  );
}

const hidden = '(hidden)';

/** Secrets are not shown on a screen; pictures are too long for it. */
function withoutSecrets({ qrcode, picture, webhook, ...session }: Session): object {
  return {
    ...session,
    sessionId: hidden,
    qrcode: qrcode === '' ? '' : hidden,
    picture: picture === '' ? '' : `(${picture.length} characters)`,
    webhook: { ...webhook, token: webhook.token === '' ? '' : hidden },
  };
}
