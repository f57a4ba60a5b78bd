import { useState } from 'preact/hooks';
import { giveSecret } from '../api/sessions.ts';
import { Card, Said, useDoing } from '../parts/use-action.tsx';

/** A session that was created elsewhere: the API key shows how it is, not whose it is. */
export function Disclose({ id, onSecret }: { id: string; onSecret: () => void }) {
  const [secret, setSecret] = useState('');
  const { isBusy, said, run } = useDoing();
  return (
    <Card title="Created elsewhere" id="disclose">
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          void run(async () => {
            await giveSecret(id, secret.trim());
            onSecret();
            return undefined;
          });
        }}
      >
        <p class="quiet">
          Its QR code, names and phone, and sending from it, are for whoever has its <code>sessionId</code>. It is kept
          in this tab.
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
          Show all of it
        </button>
        <Said said={said} />
      </form>
    </Card>
  );
}
