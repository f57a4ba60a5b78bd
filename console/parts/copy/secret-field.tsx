import { CopyButton } from './copy-button.tsx';

/** A text that is shown once, with a button that copies it. */
export function SecretField({ label, text }: { label: string; text: string }) {
  return (
    <div class="secret-field">
      <label>
        {label}
        <input readOnly value={text} onFocus={(event) => event.currentTarget.select()} />
      </label>
      <CopyButton text={text} what={label} />
    </div>
  );
}
