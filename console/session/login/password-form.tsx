import { useState } from 'preact/hooks';
import { postPassword } from '../../api/sessions.ts';
import { Card } from '../../parts/card.tsx';
import { ActionResult, useAction } from '../../parts/use-action.tsx';

export function PasswordForm({ id, hint }: { id: string; hint: string }) {
  const [password, setPassword] = useState('');
  const { isBusy, result, run } = useAction();
  return (
    <Card title="Two-step password" id="password">
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          void run(async () => {
            setPassword('');
            await postPassword(id, password);
            return 'Password accepted.';
          });
        }}
      >
        <p class="muted">
          This account also requires its two-step password. The gateway passes the password to Telegram and does not
          store it.
        </p>
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
          <p id="hint" class="muted">
            Hint: <strong>{hint}</strong>
          </p>
        )}
        <button type="submit" class="primary" disabled={isBusy}>
          Log in
        </button>
        <ActionResult result={result} />
      </form>
    </Card>
  );
}
