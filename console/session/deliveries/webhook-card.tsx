import { useCallback, useEffect } from 'preact/hooks';
import { getWebhook } from '../../api/webhook.ts';
import { Card } from '../../parts/card.tsx';
import { ActionResult, useAction } from '../../parts/use-action.tsx';
import { usePolling } from '../../parts/use-polling.ts';
import { WebhookForm } from './webhook-form.tsx';
import { WebhookProgress } from './webhook-progress.tsx';

const statusIntervalMs = 3_000;

interface Props {
  id: string;
  isOwner: boolean;
  hasWebhook: boolean;
  /** `seq` of the last event. A new event may have set another webhook. */
  lastSeq: number;
}

/** The webhook of the session: its settings and its deliveries. Without the session's credentials, if one is set. */
export function WebhookCard({ id, isOwner, hasWebhook, lastSeq }: Props) {
  return (
    <Card title="Webhook" id="webhook">
      {isOwner ? (
        <OwnerWebhook id={id} lastSeq={lastSeq} />
      ) : (
        <p class="muted">{hasWebhook ? 'A webhook is set.' : 'No webhook is set.'}</p>
      )}
    </Card>
  );
}

function OwnerWebhook({ id, lastSeq }: Pick<Props, 'id' | 'lastSeq'>) {
  const load = useCallback((signal: AbortSignal) => getWebhook(id, signal), [id]);
  const { value: status, refresh } = usePolling(load, statusIntervalMs);
  useEffect(refresh, [lastSeq, refresh]);
  const action = useAction();
  const isSet = status !== undefined && status.webhook.url !== '';
  return (
    <>
      {isSet && <WebhookProgress id={id} status={status} action={action} />}
      <WebhookForm id={id} webhook={status?.webhook ?? { url: '', token: '' }} action={action} onChange={refresh} />
      <ActionResult result={action.result} />
    </>
  );
}
