import type { ComponentChildren } from 'preact';
import type { ChatDoc, MessageDoc } from '../../api/types.ts';
import { formatClock, formatDateTime } from '../../parts/format.ts';
import { RichText } from '../text/rich-text.tsx';
import { BotButtons } from './bot-buttons.tsx';
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
  /** Makes the bot's buttons usable. */
  onPress?: (row: number, column: number) => void;
  /** Makes the answers of a poll usable. */
  onVote?: (places: readonly number[]) => void;
  /** What can be done with it. */
  children?: ComponentChildren;
}

/** A message as a bubble: sender, quote, media, text, buttons, reactions and time. */
export function MessageItem(props: Props) {
  const { chat, message, isFirstOfSender, quote, onReact, onPress, onVote, children } = props;
  const { id, fromMe, type, text, entities, created, edited, reactions, buttons } = message;
  const isNamed = isFirstOfSender && !fromMe && chat.kind === 'group';
  return (
    <li class={`message ${fromMe ? 'mine' : 'theirs'} ${isFirstOfSender ? 'first' : ''}`} data-message-id={id}>
      <div class={`bubble ${type}`}>
        <p class={isNamed ? 'sender' : 'visually-hidden'}>
          {senderName(message, chat)}
          <span class="visually-hidden">:</span>
        </p>
        {quote}
        <MediaOfMessage message={message} onVote={onVote} />
        <div class="bubble-end">
          {text !== '' && (
            <p class="message-text" dir="auto">
              <RichText text={text} entities={entities} />
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
      <BotButtons rows={buttons} onPress={onPress} />
      <Reactions reactions={reactions} onReact={onReact} />
      {children}
    </li>
  );
}
