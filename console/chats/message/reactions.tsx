import type { MessageDoc } from '../../api/types.ts';

interface Props {
  reactions: MessageDoc['reactions'];
  /** Gets the emoji of the account's new reaction, or an empty text if it takes its own back. */
  onReact: ((emoji: string) => void) | undefined;
}

/** The reactions to a message. One that is pressed is the account's, too, or no longer. */
export function Reactions({ reactions, onReact }: Props) {
  if (reactions.length === 0) return null;
  return (
    <ul class="reactions" aria-label="Reactions">
      {reactions.map(({ emoji, count, fromMe }, place) => {
        const shown = emoji === '' ? <span title="A custom emoji">★</span> : emoji;
        return (
          <li key={emoji || place}>
            {onReact === undefined || emoji === '' ? (
              <span class={fromMe ? 'own' : ''}>
                {shown} {count}
                {fromMe && <span class="visually-hidden">, yours too</span>}
              </span>
            ) : (
              <button type="button" aria-pressed={fromMe} onClick={() => onReact(fromMe ? '' : emoji)}>
                {shown} {count}
              </button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
