import { postCode } from '../../api/sessions.ts';
import { Card } from '../../parts/card.tsx';
import { OneFieldForm } from '../../parts/forms/one-field-form.tsx';

const waysToSend: Readonly<Record<string, string>> = {
  app: 'in the Telegram app',
  sms: 'as a text message',
  call: 'by a call',
  email: 'to the e-mail address of the account',
  fragment: 'on fragment.com',
};

export function CodeForm({ id, sentTo }: { id: string; sentTo: string }) {
  return (
    <Card title="Login code" id="code">
      <OneFieldForm
        label="Code"
        button="Log in"
        input={{ inputMode: 'numeric', autocomplete: 'one-time-code' }}
        isPrimary
        isEmptied
        submit={async (code) => {
          await postCode(id, code);
          return 'Code accepted.';
        }}
        intro={<p class="muted">Telegram has sent a code {waysToSend[sentTo] ?? ''}. It has 5 minutes.</p>}
      />
    </Card>
  );
}
