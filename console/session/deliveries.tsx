import { useCallback } from 'preact/hooks';
import { readParked, replayDeliveries, testWebhook, type WebhookState } from '../api/webhook.ts';
import { time } from '../parts/format.ts';
import { Said, useDoing } from '../parts/use-action.tsx';
import { usePolled } from '../parts/use-polling.ts';

const readEveryMs = 5_000;
const parkedShown = 5;

/** How many deliveries wait, and those that were given up: they can be sent again. */
export function Deliveries({ id, state, onChange }: { id: string; state: WebhookState; onChange: () => void }) {
  const { isBusy, said, run } = useDoing();
  const readFirst = useCallback((signal: AbortSignal) => readParked(id, parkedShown, signal), [id]);
  const { value: parked, refresh } = usePolled(state.parked > 0 ? readFirst : undefined, readEveryMs);
  const replay = (seq: number): void =>
    void run(async () => {
      const pending = await replayDeliveries(id, seq);
      onChange();
      refresh();
      return `Sent again from event ${seq}: ${pending} waiting.`;
    });
  const test = (): void =>
    void run(async () => {
      const { delivered, status, error } = await testWebhook(id);
      if (!delivered) throw new Error(`Not delivered: ${error}.`);
      return `Delivered: it answered with status ${status}.`;
    });
  return (
    <>
      <dl class="facts">
        <Fact name="Waiting" value={String(state.pending)} />
        <Fact name="Given up" value={String(state.parked)} />
        <Fact name="Last delivered" value={state.lastDelivered === '' ? 'never' : time(state.lastDelivered)} />
        {state.lastError !== '' && <Fact name="Last error" value={state.lastError} />}
      </dl>
      {parked !== undefined && parked.length > 0 && (
        <ul class="parked" aria-label="Given up">
          {parked.map(({ seq, type, created, error }) => (
            <li key={seq}>
              <span>
                <strong>{type}</strong> <span class="quiet">{`event ${seq}, ${time(created)}`}</span>
              </span>
              <span class="parked-error quiet">{error}</span>
              <button type="button" disabled={isBusy} onClick={() => replay(seq)}>
                Send again from here
              </button>
            </li>
          ))}
        </ul>
      )}
      <div class="actions">
        <button type="button" disabled={isBusy} onClick={test}>
          Send a test
        </button>
      </div>
      <Said said={said} />
    </>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
