import { postPhone } from '../../api/sessions.ts';
import { Card } from '../../parts/card.tsx';
import { OneFieldForm } from '../../parts/forms/one-field-form.tsx';

export function PhoneForm({ id }: { id: string }) {
  return (
    <Card title="Or log in by a code" id="phone-login">
      <OneFieldForm
        label="Phone number"
        button="Send a code"
        input={{ type: 'tel', autocomplete: 'off' }}
        submit={async (phone) => {
          await postPhone(id, phone);
          return 'Code sent.';
        }}
      />
    </Card>
  );
}
