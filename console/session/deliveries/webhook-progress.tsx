import type { WebhookStatus } from '../../api/types.ts';
import { testWebhook } from '../../api/webhook.ts';
import { Fact } from '../../parts/fact.tsx';
import { formatDateTime, formatTime } from '../../parts/format.ts';
import type { Action } from '../../parts/use-action.tsx';

interface Props {
  id: string;
  status: WebhookStatus;
  /** The webhook card has one action, so that it shows one result: the latest. */
  action: Action;
}

/** The progress of the webhook's deliveries, and a button that tests it. */
export function WebhookProgress({ id, status, action: { isBusy, run } }: Props) {
  const sendTest = (): void =>
    void run(async () => {
      const test = await testWebhook(id);
      if (!test.delivered) throw new Error(`Not delivered: ${test.error}.`);
      return `Delivered. The endpoint responded with status ${test.status}.`;
    });
  // What has been delivered since is no news.
  const isFailing = status.lastError !== '' && !(status.lastDelivered > status.lastFailed);
  return (
    <>
      <dl class="facts">
        <Fact name="Pending">{status.pending}</Fact>
        <Fact name="Failed (parked)">{status.parked}</Fact>
        <Fact name="Last delivery">{status.lastDelivered === '' ? 'none' : formatTime(status.lastDelivered)}</Fact>
        {status.nextAttempt !== '' && <Fact name="Next attempt">{formatTime(status.nextAttempt)}</Fact>}
        {isFailing && (
          <Fact name="Last error">
            {status.lastError}, <time title={formatDateTime(status.lastFailed)}>{formatTime(status.lastFailed)}</time>
          </Fact>
        )}
      </dl>
      <div class="actions">
        <button type="button" disabled={isBusy} onClick={sendTest}>
          Send test event
        </button>
      </div>
    </>
  );
}
