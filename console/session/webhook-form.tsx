import { useState } from 'preact/hooks';
import { setWebhook, type WebhookState } from '../api/webhook.ts';
import { Said, useDoing } from '../parts/use-action.tsx';

interface Props {
  id: string;
  /** As it is set; both empty: none. */
  webhook: WebhookState['webhook'];
  onChange: () => void;
}

export function WebhookForm({ id, webhook, onChange }: Props) {
  // What is being written; undefined: as it is set.
  const [url, setUrl] = useState<string>();
  const [token, setToken] = useState<string>();
  const { isBusy, said, run } = useDoing();
  const save = (wanted: WebhookState['webhook'], done: string): void =>
    void run(async () => {
      await setWebhook(id, wanted);
      setUrl(undefined);
      setToken(undefined);
      onChange();
      return done;
    });
  return (
    <form
      class="fields"
      onSubmit={(event) => {
        event.preventDefault();
        save({ url: (url ?? webhook.url).trim(), token: token ?? webhook.token }, 'Saved.');
      }}
    >
      <label>
        URL
        <input
          type="url"
          required
          placeholder="https://"
          value={url ?? webhook.url}
          onInput={(event) => setUrl(event.currentTarget.value)}
        />
      </label>
      <label>
        Token
        <input
          type="password"
          autocomplete="off"
          required
          value={token ?? webhook.token}
          onInput={(event) => setToken(event.currentTarget.value)}
        />
      </label>
      <div class="actions">
        <button type="submit" class={webhook.url === '' ? 'primary' : ''} disabled={isBusy}>
          Save
        </button>
        {webhook.url !== '' && (
          <button type="button" disabled={isBusy} onClick={() => save({ url: '', token: '' }, 'Turned off.')}>
            Turn off
          </button>
        )}
      </div>
      <Said said={said} />
    </form>
  );
}
