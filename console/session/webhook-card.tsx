import { useCallback, useEffect } from 'preact/hooks';
import { readWebhook } from '../api/webhook.ts';
import { Card } from '../parts/use-action.tsx';
import { usePolled } from '../parts/use-polling.ts';
import { Deliveries } from './deliveries.tsx';
import { WebhookForm } from './webhook-form.tsx';

const readEveryMs = 3_000;

interface Props {
  id: string;
  isOwner: boolean;
  hasWebhook: boolean;
  /** Of the last event: it may have set another one. */
  seq: number;
}

/** Where incoming messages go, and how they get there. */
export function Webhook({ id, isOwner, hasWebhook, seq }: Props) {
  return (
    <Card title="Webhook" id="webhook">
      {isOwner ? <Owned id={id} seq={seq} /> : <p class="quiet">{hasWebhook ? 'It has one.' : 'It has none.'}</p>}
    </Card>
  );
}

function Owned({ id, seq }: Pick<Props, 'id' | 'seq'>) {
  const read = useCallback((signal: AbortSignal) => readWebhook(id, signal), [id]);
  const { value: state, refresh } = usePolled(read, readEveryMs);
  useEffect(refresh, [seq, refresh]);
  const isOn = state !== undefined && state.webhook.url !== '';
  return (
    <>
      {isOn && <Deliveries id={id} state={state} onChange={refresh} />}
      <WebhookForm id={id} webhook={state?.webhook ?? { url: '', token: '' }} onChange={refresh} />
    </>
  );
}
