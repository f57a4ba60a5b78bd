import { useState } from 'preact/hooks';
import { forgetApiKey, keepApiKey } from './api/credentials.ts';
import { request } from './api/request.ts';
import { Said, useDoing } from './parts/use-action.tsx';

/** Asks for the API key, once; it stays in this tab. */
export function KeyForm({ onKey }: { onKey: () => void }) {
  const [key, setKey] = useState('');
  const { isBusy, said, run } = useDoing();
  const tryKey = async (): Promise<undefined> => {
    keepApiKey(key.trim());
    try {
      await request('GET', '/sessions?limit=1');
    } catch (error) {
      forgetApiKey();
      throw error;
    }
    onKey();
  };
  return (
    <main class="alone">
      <form
        class="card key-form"
        onSubmit={(event) => {
          event.preventDefault();
          void run(tryKey);
        }}
      >
        <h1>Console</h1>
        <p class="quiet">This gateway wants its API key. It is kept in this tab and forgotten with it.</p>
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
          Open the console
        </button>
        <Said said={said} />
      </form>
    </main>
  );
}
