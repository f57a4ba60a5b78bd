import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

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
