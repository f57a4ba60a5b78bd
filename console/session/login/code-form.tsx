import { useState } from 'preact/hooks';
import { postCode } from '../../api/sessions.ts';
import { Card } from '../../parts/card.tsx';
import { ActionResult, useAction } from '../../parts/use-action.tsx';

const waysToSend: Readonly<Record<string, string>> = {
  app: 'in the Telegram app',
  sms: 'as a text message',
  call: 'by a call',
  email: 'to the e-mail address of the account',
  fragment: 'on fragment.com',
};

export function CodeForm({ id, sentTo }: { id: string; sentTo: string }) {
  const [code, setCode] = useState('');
  const { isBusy, result, run } = useAction();
  return (
    <Card title="Login code" id="code">
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          void run(async () => {
            setCode('');
            await postCode(id, code);
            return 'Code accepted.';
          });
        }}
      >
        <p class="muted">Telegram has sent a code {waysToSend[sentTo] ?? ''}. It has 5 minutes.</p>
        <label>
          Code
          <input
            inputMode="numeric"
            autocomplete="one-time-code"
            required
            value={code}
            onInput={(event) => setCode(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary" disabled={isBusy}>
          Log in
        </button>
        <ActionResult result={result} />
      </form>
    </Card>
  );
}
