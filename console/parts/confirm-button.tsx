import { useId, useRef } from 'preact/hooks';

interface Props {
  /** What stands on the button that asks. */
  label: string;
  title: string;
  text: string;
  yes: string;
  no: string;
  isDisabled: boolean;
  isDanger?: boolean;
  onYes: () => void;
}

/** A button for what can't be taken back: it asks first. */
export function Question({ label, title, text, yes, no, isDisabled, isDanger = false, onYes }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  return (
    <>
      <button
        type="button"
        class={isDanger ? 'danger' : ''}
        disabled={isDisabled}
        onClick={() => {
          if (dialog.current === null) return;
          dialog.current.returnValue = '';
          dialog.current.showModal();
        }}
      >
        {label}
      </button>
      <dialog
        ref={dialog}
        aria-labelledby={titleId}
        onClose={(event) => {
          if (event.currentTarget.returnValue === 'yes') onYes();
        }}
      >
        <form method="dialog">
          <h2 id={titleId}>{title}</h2>
          <p>{text}</p>
          <div class="actions">
            <button type="submit">{no}</button>
            <button type="submit" value="yes" class={isDanger ? 'danger solid' : 'primary'}>
              {yes}
            </button>
          </div>
        </form>
      </dialog>
    </>
  );
}
