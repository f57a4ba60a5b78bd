import { useCallback } from 'preact/hooks';
import type { WebhookStatus } from '../../api/types.ts';
import { getParked, replayDeliveries, testWebhook } from '../../api/webhook.ts';
import { Fact } from '../../parts/fact.tsx';
import { formatTime } from '../../parts/format.ts';
import type { Action } from '../../parts/use-action.tsx';
import { usePolling } from '../../parts/use-polling.ts';

const parkedIntervalMs = 5_000;
/** The first ones are enough: resending one of them resends all later ones too. */
const parkedLimit = 5;

interface Props {
  id: string;
  status: WebhookStatus;
  /** The webhook card has one action, so that it shows one result: the latest. */
  action: Action;
  onChange: () => void;
}

/** The progress of the webhook's deliveries. Parked ones can be resent. */
export function Deliveries({ id, status, action: { isBusy, run }, onChange }: Props) {
  const loadParked = useCallback((signal: AbortSignal) => getParked(id, parkedLimit, signal), [id]);
  const { value: parked = [], refresh } = usePolling(status.parked > 0 ? loadParked : undefined, parkedIntervalMs);
  const resendFrom = (seq: number): void =>
    void run(async () => {
      const pending = await replayDeliveries(id, seq);
      onChange();
      refresh();
      return `Resending from event ${seq} on. Pending: ${pending}.`;
    });
  const sendTest = (): void =>
    void run(async () => {
      const test = await testWebhook(id);
      if (!test.delivered) throw new Error(`Not delivered: ${test.error}.`);
      return `Delivered. The endpoint responded with status ${test.status}.`;
    });
  return (
    <>
      <dl class="facts">
        <Fact name="Pending">{status.pending}</Fact>
        <Fact name="Failed (parked)">{status.parked}</Fact>
        <Fact name="Last delivery">{status.lastDelivered === '' ? 'none' : formatTime(status.lastDelivered)}</Fact>
        {status.lastError !== '' && <Fact name="Last error">{status.lastError}</Fact>}
      </dl>
      {parked.length > 0 && (
        <ul class="parked" aria-label="Parked events">
          {parked.map(({ seq, type, created, error }) => (
            <li key={seq}>
              <span>
                <strong>{type}</strong> <span class="muted">{`event ${seq}, ${formatTime(created)}`}</span>
              </span>
              <span class="parked-error muted">{error}</span>
              <button type="button" disabled={isBusy} onClick={() => resendFrom(seq)}>
                Resend from here
              </button>
            </li>
          ))}
        </ul>
      )}
      {parked.length > 0 && status.parked > parked.length && (
        <p class="muted">{`The first ${parked.length} of ${status.parked} parked events.`}</p>
      )}
      <div class="actions">
        <button type="button" disabled={isBusy} onClick={sendTest}>
          Send test event
        </button>
      </div>
    </>
  );
}
