import { useState } from 'preact/hooks';
import { removeApiKey, storeApiKey } from './api/credentials.ts';
import { request } from './api/request.ts';
import { ActionResult, useAction } from './parts/use-action.tsx';

/** Asks for the API key, checks it with a request, and stores it in this tab. */
export function ApiKeyForm({ onKey }: { onKey: () => void }) {
  const [key, setKey] = useState('');
  const { isBusy, result, run } = useAction();
  const checkKey = async (): Promise<undefined> => {
    storeApiKey(key.trim());
    try {
      await request('GET', '/sessions?limit=1');
    } catch (error) {
      removeApiKey();
      throw error;
    }
    onKey();
  };
  return (
    <main class="centered" id="page" tabIndex={-1}>
      <form
        class="card api-key-form"
        onSubmit={(event) => {
          event.preventDefault();
          void run(checkKey);
        }}
      >
        <h1>Console</h1>
        <p class="muted">This gateway requires an API key. Only this tab stores the key, until you close it.</p>
        <label>
          API key
          <input
            type="password"
            autocomplete="off"
            required
            value={key}
            onInput={(event) => setKey(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary" disabled={isBusy}>
          Open console
        </button>
        <ActionResult result={result} />
      </form>
    </main>
  );
}
