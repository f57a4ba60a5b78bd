import { useState } from 'preact/hooks';
import type { DeliveryDoc } from '../../api/types.ts';
import { epochMs, formatCount, formatCountdown, formatDateTime, formatTime } from '../../parts/format.ts';
import { useNow } from '../../parts/use-now.ts';
import { statusNames } from './status-names.ts';

interface Props {
  delivery: DeliveryDoc;
  isBusy: boolean;
  onResend: () => void;
}

/** A delivery: its event, its attempts, why the last one failed, when the next one is due, and the event itself on demand. */
export function DeliveryRow({ delivery, isBusy, onResend }: Props) {
  const { seq, type, created, status, attempts, lastStatus, lastError, nextAttempt, event } = delivery;
  const [isOpen, setOpen] = useState(false);
  const now = useNow();
  const payloadId = `payload-${seq}`;
  return (
    <li class="delivery">
      <span class={`badge delivery-${status}`}>{statusNames[status]}</span>
      <span class="delivery-event">
        <strong>{type || 'unreadable'}</strong>{' '}
        <span class="muted" title={formatDateTime(created)}>{`event ${seq}, ${formatTime(created)}`}</span>
      </span>
      <span class="delivery-attempts muted">
        {attempts > 0 && formatCount(attempts, 'attempt')}
        {lastStatus > 0 && lastError === '' && `, status ${lastStatus}`}
        {nextAttempt !== '' && `, next in ${formatCountdown(epochMs(nextAttempt) - now)}`}
        {lastError !== '' && <span class="delivery-error">{lastError}</span>}
      </span>
      <span class="delivery-tools">
        <button
          type="button"
          class="plain"
          aria-expanded={isOpen}
          aria-controls={payloadId}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Hide payload' : 'Payload'}
          <span class="visually-hidden">{` of event ${seq}`}</span>
        </button>
        {status !== 'pending' && (
          <button type="button" class="plain" disabled={isBusy} onClick={onResend}>
            Send again
            <span class="visually-hidden">{`: event ${seq}`}</span>
          </button>
        )}
      </span>
      <div id={payloadId} class="delivery-payload">
        {isOpen && (
          <pre class="json" role="region" aria-label={`Payload of event ${seq}`} tabIndex={0}>
            {event === undefined ? 'It cannot be opened.' : JSON.stringify(event, null, 2)}
          </pre>
        )}
      </div>
    </li>
  );
}
