import { useState } from 'preact/hooks';
import { givePassword } from '../api/sessions.ts';
import type { Session } from '../api/types.ts';
import { Card, Said, useDoing } from '../parts/use-action.tsx';

/** What is missing for the session to be connected: a scan, or a password. */
export function Login({ id, state, session }: { id: string; state: string; session: Session | undefined }) {
  if (state === 'qrPending') {
    const qrcode = session?.qrcode ?? '';
    return (
      <Card title="Scan to log in" id="login" class="login">
        <div class="qr">
          {qrcode === '' ? (
            <p class="quiet">The QR code is on its way…</p>
          ) : (
            <img src={`data:image/png;base64,${qrcode}`} alt="QR code: scan it with the Telegram app" />
          )}
        </div>
        <p class="quiet">
          On the phone: <strong>Settings → Devices → Link Desktop Device</strong>. The code changes about every 30
          seconds.
        </p>
      </Card>
    );
  }
  return state === 'passwordRequired' ? <PasswordForm id={id} hint={session?.passwordHint ?? ''} /> : null;
}

function PasswordForm({ id, hint }: { id: string; hint: string }) {
  const [password, setPassword] = useState('');
  const { isBusy, said, run } = useDoing();
  return (
    <Card title="Two-step password" id="password" class="login">
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          void run(async () => {
            setPassword('');
            await givePassword(id, password);
            return 'Accepted.';
          });
        }}
      >
        <p class="quiet">The QR was scanned. The account also has a password; it is passed on and kept nowhere.</p>
        <label>
          Password
          <input
            type="password"
            autocomplete="off"
            required
            value={password}
            aria-describedby={hint === '' ? undefined : 'hint'}
            onInput={(event) => setPassword(event.currentTarget.value)}
          />
        </label>
        {hint !== '' && (
          <p id="hint" class="quiet">
            Hint: <strong>{hint}</strong>
          </p>
        )}
        <button type="submit" class="primary" disabled={isBusy}>
          Log in
        </button>
        <Said said={said} />
      </form>
    </Card>
  );
}
