import { useState } from 'preact/hooks';
import { createSession } from '../api/sessions.ts';
import { goTo } from '../parts/session-route.ts';
import { Said, useDoing } from '../parts/use-action.tsx';

export function CreateForm({ onCreated }: { onCreated: () => void }) {
  const [name, setName] = useState('');
  const { isBusy, said, run } = useDoing();
  return (
    <form
      class="create"
      onSubmit={(event) => {
        event.preventDefault();
        void run(async () => {
          const id = await createSession(name.trim());
          setName('');
          onCreated();
          goTo(id);
          return undefined;
        });
      }}
    >
      <div class="joined">
        <label>
          <span class="hidden">Name of the new session</span>
          <input
            placeholder="Name"
            autocomplete="off"
            maxLength={64}
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary" disabled={isBusy}>
          Create session
        </button>
      </div>
      <Said said={said} />
    </form>
  );
}
