import { useId, useRef } from 'preact/hooks';

interface Props {
  /** The text of the button that opens the dialog. */
  label: string;
  title: string;
  text: string;
  /** The text of the dialog's button that confirms. */
  confirmLabel: string;
  isDisabled: boolean;
  isDanger?: boolean;
  onConfirm: () => void;
}

/** A button for an action that cannot be undone: a dialog asks for confirmation first. */
export function ConfirmButton({ label, title, text, confirmLabel, isDisabled, isDanger = false, onConfirm }: Props) {
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
          if (event.currentTarget.returnValue === 'confirmed') onConfirm();
        }}
      >
        <form method="dialog">
          <h2 id={titleId}>{title}</h2>
          <p>{text}</p>
          <div class="actions">
            <button type="submit">Cancel</button>
            <button type="submit" value="confirmed" class={isDanger ? 'danger solid' : 'primary'}>
              {confirmLabel}
            </button>
          </div>
        </form>
      </dialog>
    </>
  );
}
