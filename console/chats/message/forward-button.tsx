import { useId, useRef, useState } from 'preact/hooks';
import { fetchChats } from '../../api/chats.ts';
import { errorMessage } from '../../api/request.ts';
import type { ChatDoc } from '../../api/types.ts';
import { LastingError } from '../../parts/lasting-error.tsx';

interface Props {
  session: string;
  onForward: (to: ChatDoc, dropAuthor: boolean) => void;
}

/** Forwards a message after a dialog has asked to which chat. */
export function ForwardButton({ session, onForward }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const [chats, setChats] = useState<readonly ChatDoc[]>([]);
  const [after, setAfter] = useState('');
  const [error, setError] = useState('');
  const [words, setWords] = useState('');
  const [dropAuthor, setDropAuthor] = useState(false);
  const load = (from: string): void => {
    fetchChats(session, { archived: false, after: from }, new AbortController().signal).then(
      (page) => {
        setChats((before) => (from === '' ? page.docs : [...before, ...page.docs]));
        setAfter(page.after);
        setError('');
      },
      (failure: unknown) => setError(errorMessage(failure)),
    );
  };
  const isWanted = ({ name, username }: ChatDoc): boolean =>
    `${name} @${username}`.toLowerCase().includes(words.trim().toLowerCase());
  return (
    <>
      <button
        type="button"
        class="plain"
        onClick={() => {
          load('');
          dialog.current?.showModal();
        }}
      >
        Forward
      </button>
      <dialog ref={dialog} aria-labelledby={titleId} class="forward">
        <h2 id={titleId}>Forward to</h2>
        <label>
          Chat
          <input type="search" value={words} onInput={(event) => setWords(event.currentTarget.value)} />
        </label>
        <ul class="forward-chats">
          {chats.filter(isWanted).map((chat) => (
            <li key={chat.id}>
              <button
                type="button"
                class="plain"
                onClick={() => {
                  dialog.current?.close();
                  onForward(chat, dropAuthor);
                }}
              >
                {chat.name || 'Deleted account'}
              </button>
            </li>
          ))}
        </ul>
        {error !== '' && <LastingError class="chat-error" text={error} />}
        <label class="check">
          <input
            type="checkbox"
            checked={dropAuthor}
            onChange={(event) => setDropAuthor(event.currentTarget.checked)}
          />
          Without the name of who wrote it
        </label>
        <div class="actions">
          {after !== '' && (
            <button type="button" onClick={() => load(after)}>
              More chats
            </button>
          )}
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
        </div>
      </dialog>
    </>
  );
}
