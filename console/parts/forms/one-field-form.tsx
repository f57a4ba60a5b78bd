import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { useState } from 'preact/hooks';
import { ActionResult, useAction } from '../use-action.tsx';

interface Props {
  label: string;
  button: string;
  input: Pick<InputHTMLAttributes, 'type' | 'inputMode' | 'autocomplete' | 'aria-describedby'>;
  /** Whether the button is the one that the page waits for. */
  isPrimary?: boolean;
  /** The field is emptied with each try: a second one is typed anew. */
  isEmptied?: boolean;
  /** @returns what came of it, as a sentence */
  submit: (value: string) => Promise<string | undefined>;
  /** Before the field. */
  intro?: ComponentChildren;
  /** Between the field and the button. */
  children?: ComponentChildren;
  class?: string;
}

/** One field and its button. */
export function OneFieldForm(props: Props) {
  const { label, button, input, isPrimary = false, isEmptied = false, submit, intro, children } = props;
  const [value, setValue] = useState('');
  const { isBusy, result, run } = useAction();
  return (
    <form
      class={props.class ?? 'fields'}
      onSubmit={(event) => {
        event.preventDefault();
        void run(() => {
          if (isEmptied) setValue('');
          return submit(value);
        });
      }}
    >
      {intro}
      <label>
        {label}
        <input {...input} required value={value} onInput={(event) => setValue(event.currentTarget.value)} />
      </label>
      {children}
      <button type="submit" class={isPrimary ? 'primary' : ''} disabled={isBusy}>
        {button}
      </button>
      <ActionResult result={result} />
    </form>
  );
}
