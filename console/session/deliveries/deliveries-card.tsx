import { useCallback, useState } from 'preact/hooks';
import { ApiError, errorMessage } from '../../api/request.ts';
import type { DeliveryDoc, OneWebhook } from '../../api/types.ts';
import { listWebhooks, loadDeliveries, replayDeliveries } from '../../api/webhook.ts';
import { useLoaded } from '../../live/use-loaded.ts';
import { Card } from '../../parts/card.tsx';
import { formatCount } from '../../parts/format.ts';
import { LastingError } from '../../parts/lasting-error.tsx';
import { ActionResult, useAction } from '../../parts/use-action.tsx';
import { DeliveryRow } from './delivery-row.tsx';
import { statusNames } from './status-names.ts';

const pageLength = 25;
const forbidden = 403;

interface Props {
  id: string;
  /** Another one when a webhook may have been set, or something was delivered. */
  version: string;
}

/** The deliveries of one of the session's webhooks: what waits, what was given up, what was delivered. */
export function DeliveriesCard({ id, version }: Props) {
  const load = useCallback((signal: AbortSignal) => listWebhooks(id, signal), [id]);
  const { value: webhooks, failure, reload } = useLoaded(load, version);
  const [chosen, setChosen] = useState('');
  const webhook = webhooks?.find((one) => one.id === chosen) ?? webhooks?.[0];
  // The webhook's card says what a key lacks.
  if (failure?.error instanceof ApiError && failure.error.status === forbidden) return null;
  return (
    <Card title="Deliveries" id="deliveries">
      {failure !== undefined && (
        <LastingError class="action-result error" role="status" text={errorMessage(failure.error)} />
      )}
      {webhooks?.length === 0 && <p class="muted">No webhook is set.</p>}
      {webhooks !== undefined && webhooks.length > 1 && (
        <label>
          Webhook
          <select value={webhook?.id} onChange={({ currentTarget }) => setChosen(currentTarget.value)}>
            {webhooks.map((one) => (
              <option key={one.id} value={one.id}>
                {`${one.url} (${one.pending} pending, ${one.parked} failed)`}
              </option>
            ))}
          </select>
        </label>
      )}
      {webhook !== undefined && <Deliveries key={webhook.id} id={id} webhook={webhook} onChange={reload} />}
    </Card>
  );
}

interface DeliveriesProps extends Pick<Props, 'id'> {
  /** Loaded anew with each change: a webhook that is off has no deliveries to ask for. */
  webhook: OneWebhook;
  onChange: () => void;
}

function Deliveries({ id, webhook, onChange }: DeliveriesProps) {
  const [status, setStatus] = useState<DeliveryDoc['status'] | ''>('');
  /** The `after` of each page before the shown one. */
  const [places, setPlaces] = useState<readonly string[]>([]);
  const { isBusy, result, run } = useAction();
  const after = places.at(-1) ?? '';
  const load = useCallback(
    (signal: AbortSignal) => loadDeliveries(id, webhook.id, { status, after, limit: pageLength }, signal),
    [id, webhook.id, status, after],
  );
  const { value, isFresh, failure } = useLoaded(load, webhook);
  const page = isFresh ? value : undefined;
  const resend = (what: { seqs: number[] } | { parked: true }, text: string): void =>
    void run(async () => {
      const pending = await replayDeliveries(id, webhook.id, what);
      onChange();
      return `${text} Pending: ${pending}.`;
    });
  return (
    <>
      <div class="delivery-filter">
        <label>
          Status
          <select
            value={status}
            onChange={({ currentTarget }) => {
              setStatus(currentTarget.value as DeliveryDoc['status'] | '');
              setPlaces([]);
            }}
          >
            <option value="">All</option>
            {Object.entries(statusNames).map(([name, label]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
        </label>
        {webhook.parked > 0 && (
          <button
            type="button"
            disabled={isBusy}
            onClick={() => resend({ parked: true }, 'All that failed are sent again.')}
          >
            {`Send all ${webhook.parked} failed again`}
          </button>
        )}
      </div>
      <ActionResult result={result} />
      {failure !== undefined && (
        <LastingError class="action-result error" role="status" text={errorMessage(failure.error)} />
      )}
      {page?.docs.length === 0 && <p class="muted">No deliveries.</p>}
      <ul class="deliveries" aria-label="Deliveries">
        {page?.docs.map((delivery) => (
          <DeliveryRow
            key={delivery.seq}
            delivery={delivery}
            isBusy={isBusy}
            onResend={() => resend({ seqs: [delivery.seq] }, `Event ${delivery.seq} is sent again.`)}
          />
        ))}
      </ul>
      {page !== undefined && (places.length > 0 || page.after !== '') && (
        <div class="actions">
          <button type="button" disabled={places.length === 0} onClick={() => setPlaces(places.slice(0, -1))}>
            Previous page
          </button>
          <button type="button" disabled={page.after === ''} onClick={() => setPlaces([...places, page.after])}>
            Next page
          </button>
          <p class="monitor-count muted">{`Page ${places.length + 1}, ${formatCount(page.docs.length, 'delivery', 'deliveries')}`}</p>
        </div>
      )}
    </>
  );
}
