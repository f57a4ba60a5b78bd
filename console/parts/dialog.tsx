import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { type Action, ActionResult } from './use-action.tsx';

interface Props {
  title: string;
  /** Called once it is closed, by Escape too: then it must not be rendered any more. */
  onClose: () => void;
  children: ComponentChildren;
}

/** A modal dialog, open as long as it is rendered. `closeDialog` closes it; the focus returns to where it was. */
export function Dialog({ title, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-labelledby={titleId} onClose={onClose}>
      <div class="fields">
        <h2 id={titleId}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}

/** Closes the dialog that the target of an event is in. */
export function closeDialog({ currentTarget }: { currentTarget: EventTarget | null }): void {
  if (currentTarget instanceof Element) currentTarget.closest('dialog')?.close();
}

interface FootProps extends Pick<Action, 'isBusy' | 'result'> {
  /** What the form in the dialog does. */
  submit: string;
}

/** The end of a form in a dialog: what came of it, a button that closes the dialog, and the one that submits. */
export function DialogFoot({ submit, isBusy, result }: FootProps) {
  return (
    <>
      <ActionResult result={result} />
      <div class="actions">
        <button type="button" onClick={closeDialog}>
          Cancel
        </button>
        <button type="submit" class="primary" disabled={isBusy}>
          {submit}
        </button>
      </div>
    </>
  );
}
