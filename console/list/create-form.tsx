import { useState } from 'preact/hooks';
import { createSession } from '../api/sessions.ts';
import { NameFields, noNames } from '../parts/forms/name-fields.tsx';
import { navigateToSession } from '../parts/navigate-to-session.ts';
import { ActionResult, useAction } from '../parts/use-action.tsx';

interface Props {
  /** Whether there is room for the caller's own names; else a button shows their fields. */
  isRoomy: boolean;
  onCreated: () => void;
}

export function CreateForm({ isRoomy, onCreated }: Props) {
  const [name, setName] = useState('');
  const [names, setNames] = useState(noNames);
  const [hasNames, setHasNames] = useState(isRoomy);
  const [secret, setSecret] = useState('');
  const { isBusy, result, run } = useAction();
  return (
    <form
      class="fields"
      onSubmit={(event) => {
        event.preventDefault();
        void run(async () => {
          const id = await createSession({
            name: name.trim(),
            label: names.label.trim(),
            externalId: names.externalId.trim(),
            secret: secret.trim(),
          });
          setName('');
          setNames(noNames);
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
      {hasNames && (
        <>
          <NameFields names={names} onChange={setNames} />
          <p class="muted">Both are stored in the clear: no personal data in them.</p>
        </>
      )}
      {!isRoomy && (
        <button type="button" class="plain" aria-expanded={hasNames} onClick={() => setHasNames(!hasNames)}>
          Label and external ID
        </button>
      )}
      <ActionResult result={result} />
    </form>
  );
}
