import { useId, useRef } from 'preact/hooks';
import type { ChatDoc } from '../../api/types.ts';

interface Props {
  chat: ChatDoc;
  onDelete: (forEveryone: boolean) => void;
}

/** The IDs of supergroups and channels begin so. Their messages are deleted for all members. */
const sharedChatPrefix = '-100';

/** Deletes a message after a dialog has asked for whom. */
export function DeleteButton({ chat, onDelete }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const isShared = chat.id.startsWith(sharedChatPrefix);
  return (
    <>
      <button
        type="button"
        class="plain danger"
        onClick={() => {
          if (dialog.current === null) return;
          dialog.current.returnValue = '';
          dialog.current.showModal();
        }}
      >
        Delete
      </button>
      <dialog
        ref={dialog}
        aria-labelledby={titleId}
        onClose={({ currentTarget: { returnValue } }) => {
          if (returnValue !== '') onDelete(returnValue === 'everyone');
        }}
      >
        <form method="dialog">
          <h2 id={titleId}>Delete this message?</h2>
          <p>{isShared ? 'It is deleted for all members.' : 'It cannot be brought back.'}</p>
          <div class="actions">
            <button type="submit" value="">
              Cancel
            </button>
            {!isShared && (
              <button type="submit" value="here" class="danger">
                Delete for this account
              </button>
            )}
            <button type="submit" value="everyone" class="danger solid">
              Delete for everyone
            </button>
          </div>
        </form>
      </dialog>
    </>
  );
}
