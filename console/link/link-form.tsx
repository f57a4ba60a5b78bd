import type { InputHTMLAttributes } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError } from '../api/request.ts';
import type { ShownLink } from './link-api.ts';
import type { LinkTexts } from './texts/link-texts.ts';

interface Props {
  texts: LinkTexts;
  label: string;
  button: string;
  input: Pick<InputHTMLAttributes, 'type' | 'inputMode' | 'autocomplete'>;
  submit: (value: string) => Promise<ShownLink>;
  onDone: () => void;
}

/** One field and its button. The field is emptied with each try. */
export function LinkForm({ texts, label, button, input, submit, onDone }: Props) {
  const [value, setValue] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');
  const run = async (): Promise<void> => {
    setBusy(true);
    setFailure('');
    setValue('');
    try {
      await submit(value);
    } catch (error) {
      setFailure(failureText(error, texts));
    }
    setBusy(false);
    onDone();
  };
  return (
    <form
      class="fields"
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      <label>
        {label}
        <input {...input} required value={value} onInput={(event) => setValue(event.currentTarget.value)} />
      </label>
      <button type="submit" class="primary wide" disabled={isBusy}>
        {button}
      </button>
      <p class="error" role="status">
        {failure}
      </p>
    </form>
  );
}

/** The refusal in the customer's language, as far as it has one. */
function failureText(error: unknown, { errors, failed, offline }: LinkTexts): string {
  if (!(error instanceof ApiError) || error.status === 0) return offline;
  return errors[error.message as keyof LinkTexts['errors']] ?? `${failed} ${error.message}`;
}
