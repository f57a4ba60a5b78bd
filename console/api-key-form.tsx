import { removeApiKey, storeApiKey } from './api/credentials.ts';
import { request } from './api/request.ts';
import { OneFieldForm } from './parts/forms/one-field-form.tsx';

/** Asks for the API key, checks it with a request, and stores it in this tab. */
export function ApiKeyForm({ onKey }: { onKey: () => void }) {
  const checkKey = async (key: string): Promise<undefined> => {
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
      <OneFieldForm
        class="card api-key-form"
        label="API key"
        button="Open console"
        input={{ type: 'password', autocomplete: 'off' }}
        isPrimary
        submit={checkKey}
        intro={
          <>
            <h1>Console</h1>
            <p class="muted">This gateway requires an API key. Only this tab stores the key, until you close it.</p>
          </>
        }
      />
    </main>
  );
}
