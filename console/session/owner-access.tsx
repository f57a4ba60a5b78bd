import { useState } from 'preact/hooks';
import { unlockSession } from '../api/sessions.ts';
import { Card } from '../parts/card.tsx';
import { ActionResult, useAction } from '../parts/use-action.tsx';

/** Asks for the `sessionId` of a session that this tab did not create: the API key gives no access to personal data. */
export function OwnerAccess({ id, onUnlocked }: { id: string; onUnlocked: () => void }) {
  const [secret, setSecret] = useState('');
  const { isBusy, result, run } = useAction();
  return (
    <Card title="Owner access" id="owner-access">
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          void run(async () => {
            await unlockSession(id, secret.trim());
            onUnlocked();
            return undefined;
          });
        }}
      >
        <p class="muted">
          This session was created outside of this tab. To see its QR code, name and phone number, and to send from it,
          enter its <code>sessionId</code>. Only this tab stores it, until you close it.
        </p>
        <label>
          sessionId
          <input
            type="password"
            autocomplete="off"
            required
            value={secret}
            onInput={(event) => setSecret(event.currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={isBusy}>
          Unlock
        </button>
        <ActionResult result={result} />
      </form>
    </Card>
  );
}
