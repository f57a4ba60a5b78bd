import { useCallback, useEffect, useState } from 'preact/hooks';
import { readWebhook, setWebhook } from '../api/webhook.ts';
import { Card, Said, useDoing } from '../parts/action.tsx';
import { usePolled } from '../parts/use-polled.ts';

const readEveryMs = 5_000;

interface Props {
  id: string;
  isOwner: boolean;
  hasWebhook: boolean;
  /** Of the last event: it may have set another one. */
  seq: number;
}

/** Where incoming messages go. */
export function Webhook({ id, isOwner, hasWebhook, seq }: Props) {
  return (
    <Card title="Webhook" id="webhook">
      {isOwner ? <WebhookForm id={id} seq={seq} /> : <p class="quiet">{hasWebhook ? 'It has one.' : 'It has none.'}</p>}
    </Card>
  );
}

function WebhookForm({ id, seq }: { id: string; seq: number }) {
  const read = useCallback((signal: AbortSignal) => readWebhook(id, signal), [id]);
  const { value: state, refresh } = usePolled(read, readEveryMs);
  useEffect(refresh, [seq, refresh]);
  const [url, setUrl] = useState<string>();
  const [token, setToken] = useState<string>();
  const { isBusy, said, run } = useDoing();
  const isOn = (state?.webhook.url ?? '') !== '';
  const save = (webhook: { url: string; token: string }, done: string): void =>
    void run(async () => {
      await setWebhook(id, webhook);
      setUrl(undefined);
      setToken(undefined);
      refresh();
      return done;
    });
  const shownUrl = url ?? state?.webhook.url ?? '';
  const shownToken = token ?? state?.webhook.token ?? '';
  return (
    <form
      class="fields"
      onSubmit={(event) => {
        event.preventDefault();
        save({ url: shownUrl.trim(), token: shownToken }, 'Saved.');
      }}
    >
      <label>
        URL
        <input
          type="url"
          required
          placeholder="https://"
          value={shownUrl}
          onInput={(event) => setUrl(event.currentTarget.value)}
        />
      </label>
      <label>
        Token
        <input
          type="password"
          autocomplete="off"
          required
          value={shownToken}
          onInput={(event) => setToken(event.currentTarget.value)}
        />
      </label>
      <div class="actions">
        <button type="submit" class="primary" disabled={isBusy}>
          Save
        </button>
        {isOn && (
          <button type="button" disabled={isBusy} onClick={() => save({ url: '', token: '' }, 'Turned off.')}>
            Turn off
          </button>
        )}
      </div>
      <Said said={said} />
    </form>
  );
}
