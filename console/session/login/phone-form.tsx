import { useState } from 'preact/hooks';
import { postPhone } from '../../api/sessions.ts';
import { Card } from '../../parts/card.tsx';
import { ActionResult, useAction } from '../../parts/use-action.tsx';

export function PhoneForm({ id }: { id: string }) {
  const [phone, setPhone] = useState('');
  const { isBusy, result, run } = useAction();
  return (
    <Card title="Or log in by a code" id="phone-login">
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          void run(async () => {
            await postPhone(id, phone);
            return 'Code sent.';
          });
        }}
      >
        <label>
          Phone number
          <input
            type="tel"
            autocomplete="off"
            required
            value={phone}
            onInput={(event) => setPhone(event.currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={isBusy}>
          Send a code
        </button>
        <ActionResult result={result} />
      </form>
    </Card>
  );
}
