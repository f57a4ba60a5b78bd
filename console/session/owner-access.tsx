import { unlockSession } from '../api/sessions.ts';
import { Card } from '../parts/card.tsx';
import { OneFieldForm } from '../parts/forms/one-field-form.tsx';

/** Asks for the `sessionId` of a session that this tab did not create: the API key gives no access to personal data. */
export function OwnerAccess({ id, onUnlocked }: { id: string; onUnlocked: () => void }) {
  return (
    <Card title="Owner access" id="owner-access">
      <OneFieldForm
        label="sessionId"
        button="Unlock"
        input={{ type: 'password', autocomplete: 'off' }}
        submit={async (secret) => {
          await unlockSession(id, secret.trim());
          onUnlocked();
          return undefined;
        }}
        intro={
          <p class="muted">
            This session was created outside of this tab. To see its QR code, name and phone number, and to send from
            it, enter its <code>sessionId</code>. Only this tab stores it, until you close it.
          </p>
        }
      />
    </Card>
  );
}
