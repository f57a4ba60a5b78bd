import { useState } from 'preact/hooks';
import type { WebhookStatus } from '../../api/types.ts';
import { setWebhook } from '../../api/webhook.ts';
import type { Action } from '../../parts/use-action.tsx';

interface Props {
  id: string;
  /** As it is stored. Both fields are empty if no webhook is set. */
  webhook: WebhookStatus['webhook'];
  action: Action;
  onChange: () => void;
}

export function WebhookForm({ id, webhook, action: { isBusy, run }, onChange }: Props) {
  // The edited values; undefined: as stored.
  const [url, setUrl] = useState<string>();
  const [token, setToken] = useState<string>();
  const save = (edited: WebhookStatus['webhook'], success: string): void =>
    void run(async () => {
      await setWebhook(id, edited);
      setUrl(undefined);
      setToken(undefined);
      onChange();
      return success;
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
    </form>
  );
}
