import { postPassword } from '../../api/sessions.ts';
import { Card } from '../../parts/card.tsx';
import { OneFieldForm } from '../../parts/forms/one-field-form.tsx';

export function PasswordForm({ id, hint }: { id: string; hint: string }) {
  return (
    <Card title="Two-step password" id="password">
      <OneFieldForm
        label="Password"
        button="Log in"
        input={{ type: 'password', autocomplete: 'off', 'aria-describedby': hint === '' ? undefined : 'hint' }}
        isPrimary
        isEmptied
        submit={async (password) => {
          await postPassword(id, password);
          return 'Password accepted.';
        }}
        intro={
          <p class="muted">
            This account also requires its two-step password. The gateway passes the password to Telegram and does not
            store it.
          </p>
        }
      >
        {hint !== '' && (
          <p id="hint" class="muted">
            Hint: <strong>{hint}</strong>
          </p>
        )}
      </OneFieldForm>
    </Card>
  );
}
