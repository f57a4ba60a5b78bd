import { deleteMessage, postForward, postReaction, setPinned } from '../../api/message-actions.ts';
import type { ChatDoc, MessageDoc } from '../../api/types.ts';
import { type ComposeSubject, isEditable } from '../compose/compose-subject.ts';
import { randomKey } from '../compose/message-to-send.ts';
import { DeleteButton } from './delete-button.tsx';
import { ForwardButton } from './forward-button.tsx';

interface Props {
  session: string;
  chat: ChatDoc;
  message: MessageDoc;
  /** @param work what it resolves with is shown */
  onAct: (work: () => Promise<string | void>) => void;
  onCompose: (subject: ComposeSubject) => void;
}

/** Reactions that every chat of Telegram's allows at first, and their names. */
const reactions: readonly [emoji: string, name: string][] = [
  ['👍', 'thumbs up'],
  ['❤', 'heart'],
  ['😁', 'grin'],
  ['🎉', 'party'],
  ['😢', 'tears'],
];

/** The buttons of what can be done to a message. */
export function MessageTools({ session, chat, message, onAct, onCompose }: Props) {
  const own = new Set(message.reactions.filter(({ fromMe }) => fromMe).map(({ emoji }) => emoji));
  return (
    <>
      <button type="button" class="plain" onClick={() => onCompose({ kind: 'reply', message })}>
        Reply
      </button>
      {reactions.map(([emoji, name]) => {
        const isOwn = own.has(emoji);
        return (
          <button
            key={emoji}
            type="button"
            class="plain"
            aria-pressed={isOwn}
            aria-label={`React: ${name}`}
            title={name}
            onClick={() => onAct(() => postReaction(session, chat, message, isOwn ? '' : emoji))}
          >
            {emoji}
          </button>
        );
      })}
      {isEditable(message) && (
        <button type="button" class="plain" onClick={() => onCompose({ kind: 'edit', message })}>
          Edit
        </button>
      )}
      <ForwardButton
        session={session}
        onForward={(to, dropAuthor) =>
          onAct(async () => {
            await postForward(session, { from: chat, message, to, dropAuthor }, randomKey());
            return `Forwarded to ${to.name || 'the chat'}.`;
          })
        }
      />
      {[true, false].map((isPinned) => (
        <button
          key={String(isPinned)}
          type="button"
          class="plain"
          onClick={() =>
            onAct(async () => {
              await setPinned(session, chat, message, isPinned);
              return isPinned ? 'Pinned for all.' : 'Unpinned.';
            })
          }
        >
          {isPinned ? 'Pin' : 'Unpin'}
        </button>
      ))}
      <DeleteButton
        chat={chat}
        onDelete={(forEveryone) => onAct(() => deleteMessage(session, chat, message, forEveryone))}
      />
    </>
  );
}
