import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ChatDoc, MessageDoc } from '../api/types.ts';
import { formatDay } from '../parts/format.ts';
import { LastingError } from '../parts/lasting-error.tsx';
import { LoadMore } from '../parts/load-more.tsx';
import type { ComposeSubject } from './compose/compose-subject.ts';
import { MessageRow } from './message/message-row.tsx';
import { ReplyQuote } from './message/reply-quote.tsx';
import { groupByDay } from './message-groups.ts';
import type { ConversationState } from './use-conversation.ts';
import { useReading } from './use-reading.ts';

interface Props {
  session: string;
  chat: ChatDoc;
  conversation: ConversationState;
  /** Of a forum; empty: all of it. */
  topic: string;
  onCompose: (subject: ComposeSubject) => void;
  /** After something was done to a message. */
  onChanged: () => Promise<void>;
  /** After the chat was marked as read. */
  onRead: () => void;
}

/** The messages of a chat by day, the newest at the bottom. Older ones are loaded when the top is in view. */
export function MessageList({ session, chat, conversation, topic, onCompose, onChanged, onRead }: Props) {
  const { messages = [], hasOlder, error, isBusy, loadOlder } = conversation;
  const region = useRef<HTMLDivElement>(null);
  const [selectedId, setSelectedId] = useState('');
  const newest = messages.at(-1);
  useBottom(region, newest);
  const readError = useReading(session, chat, { region, newest, topic, onRead });
  // One of the buttons takes part in the order of the Tab key; the arrow keys go to the others.
  const tabId = messages.some(({ id }) => id === selectedId) ? selectedId : newest?.id;
  const moveFocus = (event: KeyboardEvent): void => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const buttons = [...(region.current?.querySelectorAll<HTMLButtonElement>('.message-more') ?? [])];
    const place = buttons.findIndex((button) => button === document.activeElement);
    const next = step === undefined || place < 0 ? undefined : buttons[place + step];
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
    next.scrollIntoView({ block: 'nearest' });
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls has to take the focus
    <div class="messages" ref={region} role="region" aria-label="Messages" tabIndex={0} onKeyDown={moveFocus}>
      <div class="messages-inner">
        {hasOlder && (
          <LoadMore
            label="Older messages"
            isBusy={isBusy}
            hasFailed={error !== ''}
            place={messages[0]?.id ?? ''}
            onLoad={loadOlder}
          />
        )}
        {groupByDay(messages).map(({ day, created, messages: ofDay }) => (
          <section key={day} class="day" aria-label={formatDay(created, new Date())}>
            <p class="day-name" aria-hidden="true">
              <span>{formatDay(created, new Date())}</span>
            </p>
            <ol>
              {ofDay.map(({ message, isFirstOfSender }) => (
                <MessageRow
                  key={message.id}
                  session={session}
                  chat={chat}
                  message={message}
                  isFirstOfSender={isFirstOfSender}
                  quote={
                    message.replyTo !== '' && (
                      <ReplyQuote
                        session={session}
                        chat={chat}
                        messageId={message.replyTo}
                        loaded={messages.find(({ id }) => id === message.replyTo)}
                      />
                    )
                  }
                  isTabStop={message.id === tabId}
                  onFocus={() => setSelectedId(message.id)}
                  onCompose={onCompose}
                  onChanged={onChanged}
                />
              ))}
            </ol>
          </section>
        ))}
        {readError !== '' && <LastingError class="chat-error" text={readError} />}
      </div>
    </div>
  );
}

/**
 * Shows the newest message if it is one's own, or if the bottom was in view. Else what is in view stays there: in this
 * region positions count from the bottom, where 0 is, and upwards.
 */
function useBottom(region: RefObject<HTMLDivElement>, newest: MessageDoc | undefined): void {
  const previousId = useRef(newest?.id);
  useLayoutEffect(() => {
    const { current } = region;
    const previous = current?.querySelector(`[data-message-id="${previousId.current}"]`);
    previousId.current = newest?.id;
    if (current === null) return;
    if (newest?.fromMe === true) current.scrollTop = 0;
    else if (current.scrollTop < 0 && previous) {
      const last = current.querySelector(`[data-message-id="${newest?.id}"]`);
      const added = (last ?? previous).getBoundingClientRect().bottom - previous.getBoundingClientRect().bottom;
      current.scrollTop -= added;
    }
  }, [region, newest?.id, newest?.fromMe]);
}
