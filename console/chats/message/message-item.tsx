import type { ComponentChildren } from 'preact';
import type { ChatDoc, MessageDoc } from '../../api/types.ts';
import { formatClock, formatDateTime } from '../../parts/format.ts';
import { MediaOfMessage } from './media-of-message.tsx';
import { senderName } from './message-text.ts';
import { Reactions } from './reactions.tsx';

interface Props {
  chat: ChatDoc;
  message: MessageDoc;
  isFirstOfSender: boolean;
  /** The message that it replies to. */
  quote?: ComponentChildren;
  /** Makes the reactions buttons. */
  onReact?: (emoji: string) => void;
  /** What can be done with it. */
  children?: ComponentChildren;
}

/** A message as a bubble: sender, quote, media, text, buttons, reactions and time. */
export function MessageItem({ chat, message, isFirstOfSender, quote, onReact, children }: Props) {
  const { id, fromMe, type, text, created, edited, reactions, buttons } = message;
  const isNamed = isFirstOfSender && !fromMe && chat.kind === 'group';
  return (
    <li class={`message ${fromMe ? 'mine' : 'theirs'} ${isFirstOfSender ? 'first' : ''}`} data-message-id={id}>
      <div class={`bubble ${type}`}>
        <p class={isNamed ? 'sender' : 'visually-hidden'}>
          {senderName(message, chat)}
          <span class="visually-hidden">:</span>
        </p>
        {quote}
        <MediaOfMessage message={message} />
        <div class="bubble-end">
          {text !== '' && (
            <p class="message-text" dir="auto">
              {text}
            </p>
          )}
          <p class="message-time">
            {edited !== '' && <span title={`Edited ${formatDateTime(edited)}`}>edited </span>}
            <time dateTime={created} title={formatDateTime(created)}>
              {formatClock(created)}
            </time>
          </p>
        </div>
      </div>
      <Buttons rows={buttons} />
      <Reactions reactions={reactions} onReact={onReact} />
      {children}
    </li>
  );
}

/** Inline buttons of a bot. Only those that open an address can be used here. */
function Buttons({ rows }: { rows: MessageDoc['buttons'] }) {
  if (rows.length === 0) return null;
  return (
    <div class="bot-buttons">
      {rows.map((row, place) => (
        <div key={place} class="bot-row">
          {row.map(({ text, url }, column) =>
            /^https?:/.test(url) ? (
              <a key={column} class="bot-button" href={url} target="_blank" rel="noopener noreferrer">
                {text} <span aria-hidden="true">↗</span>
              </a>
            ) : (
              <span key={column} class="bot-button">
                {text}
              </span>
            ),
          )}
        </div>
      ))}
    </div>
  );
}
