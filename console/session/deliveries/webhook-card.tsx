import { useCallback } from 'preact/hooks';
import { ApiError } from '../../api/request.ts';
import { getWebhook } from '../../api/webhook.ts';
import { useLoaded } from '../../live/use-loaded.ts';
import { Card } from '../../parts/card.tsx';
import { ActionResult, useAction } from '../../parts/use-action.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { WebhookProgress } from './webhook-progress.tsx';

interface Props {
  id: string;
  /** Whether this tab has the session's secret, or a key that may stand for it. */
  isOpen: boolean;
  hasWebhook: boolean;
  /** Another one when a webhook may have been set, or something was delivered. */
  version: string;
}

/** The webhook of the session: its settings and its deliveries. Without the session's credentials, if one is set. */
export function WebhookCard({ id, isOpen, hasWebhook, version }: Props) {
  return (
    <Card title="Webhook" id="webhook">
      {isOpen ? (
        <OpenWebhook id={id} hasWebhook={hasWebhook} version={version} />
      ) : (
        <ClosedWebhook hasWebhook={hasWebhook} />
      )}
    </Card>
  );
}

function ClosedWebhook({ hasWebhook }: Pick<Props, 'hasWebhook'>) {
  return (
    <>
      <p class="muted">{hasWebhook ? 'A webhook is set.' : 'No webhook is set.'}</p>
      <p class="muted">
        Its settings and its deliveries need the session’s secret, which the tab Overview asks for, or a key with the
        scope <code>accounts</code>.
      </p>
    </>
  );
}

const forbidden = 403;

function OpenWebhook({ id, hasWebhook, version }: Omit<Props, 'isOpen'>) {
  const load = useCallback((signal: AbortSignal) => getWebhook(id, signal), [id]);
  const { value: status, failure, reload } = useLoaded(load, version);
  const action = useAction();
  if (failure?.error instanceof ApiError && failure.error.status === forbidden) {
    return <ClosedWebhook hasWebhook={hasWebhook} />;
  }
  const isSet = status !== undefined && status.webhook.url !== '';
  return (
    <>
      {isSet && <WebhookProgress id={id} status={status} action={action} />}
      <WebhookForm id={id} webhook={status?.webhook ?? { url: '', token: '' }} action={action} onChange={reload} />
      <ActionResult result={action.result} />
    </>
  );
}
