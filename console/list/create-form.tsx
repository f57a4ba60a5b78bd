import { useState } from 'preact/hooks';
import { createSession } from '../api/sessions.ts';
import { navigateToSession } from '../parts/navigate-to-session.ts';
import { ActionResult, useAction } from '../parts/use-action.tsx';

/** The longest name that `POST /session` accepts. */
const maxNameLength = 64;

export function CreateForm({ onCreated }: { onCreated: () => void }) {
  const [name, setName] = useState('');
  const [secret, setSecret] = useState('');
  const { isBusy, result, run } = useAction();
  return (
    <form
      class="fields"
      onSubmit={(event) => {
        event.preventDefault();
        void run(async () => {
          const id = await createSession(name.trim(), secret.trim());
          setName('');
          setSecret('');
          onCreated();
          navigateToSession(id);
          return undefined;
        });
      }}
    >
      <div class="field-row">
        <label>
          <span class="visually-hidden">Name of the new session</span>
          <input
            placeholder="Name"
            autocomplete="off"
            maxLength={maxNameLength}
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary" disabled={isBusy}>
          Create session
        </button>
      </div>
      <label>
        <span class="visually-hidden">Bot token or session string, instead of a QR code</span>
        <input
          type="password"
          placeholder="Bot token or session string"
          autocomplete="off"
          value={secret}
          onInput={(event) => setSecret(event.currentTarget.value)}
        />
      </label>
      <ActionResult result={result} />
    </form>
  );
}
