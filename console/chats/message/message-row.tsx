import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { postButton, postReaction, postVote } from '../../api/message-actions.ts';
import type { ChatDoc, MessageDoc, PressedButton } from '../../api/types.ts';
import { Icon } from '../../parts/icon.tsx';
import { ActionResult, useAction } from '../../parts/use-action.tsx';
import type { ComposeSubject } from '../compose/compose-subject.ts';
import { MessageItem } from './message-item.tsx';
import { messageSummary, senderName } from './message-text.ts';
import { MessageTools } from './message-tools.tsx';

interface Props {
  session: string;
  chat: ChatDoc;
  message: MessageDoc;
  isFirstOfSender: boolean;
  quote: ComponentChildren;
  /** Whether the Tab key stops at its button. */
  isTabStop: boolean;
  onFocus: () => void;
  onCompose: (subject: ComposeSubject) => void;
  /** After something was done to the message. */
  onChanged: () => Promise<void>;
}

/** A message with what can be done to it. An error is shown below it. */
export function MessageRow(props: Props) {
  const { session, chat, message, isFirstOfSender, quote, isTabStop, onFocus, onCompose, onChanged } = props;
  const [isOpen, setOpen] = useState(false);
  const action = useAction();
  const button = useRef<HTMLButtonElement>(null);
  const tools = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (isOpen) tools.current?.querySelector('button')?.focus();
  }, [isOpen]);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  /** @param work what it resolves with is shown */
  const act = (work: () => Promise<string | void>): void => {
    void action.run(async () => {
      const told = await work();
      await onChanged();
      return told || undefined;
    });
  };
  const react = (emoji: string): void => act(() => postReaction(session, chat, message, emoji));
  const press = (row: number, column: number): void =>
    act(async () => toldBy(await postButton(session, chat, message, { row, column })));
  const vote = (places: readonly number[]): void =>
    act(async () => {
      await postVote(session, chat, message, places);
      return places.length === 0 ? 'The vote is taken back.' : 'Voted.';
    });
  return (
    <MessageItem
      chat={chat}
      message={message}
      isFirstOfSender={isFirstOfSender}
      quote={quote}
      onReact={react}
      onPress={press}
      onVote={vote}
    >
      <button
        ref={button}
        type="button"
        class="message-more"
        tabIndex={isTabStop ? 0 : -1}
        aria-expanded={isOpen}
        aria-label={`Actions for ${senderName(message, chat)}: ${messageSummary(message).slice(0, 60)}`}
        title="Actions"
        onFocus={onFocus}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="more" />
      </button>
      {isOpen && (
        <div
          ref={tools}
          class="message-tools"
          role="group"
          aria-label="Actions"
          onKeyDown={(event) => {
            // In the dialog of a button the key closes the dialog alone.
            const isInDialog = event.target instanceof Element && event.target.closest('dialog') !== null;
            if (event.key === 'Escape' && !isInDialog) close();
          }}
        >
          <MessageTools
            session={session}
            chat={chat}
            message={message}
            onAct={(work) => {
              close();
              act(work);
            }}
            onCompose={(subject) => {
              setOpen(false);
              onCompose(subject);
            }}
          />
        </div>
      )}
      <ActionResult result={action.result} />
    </MessageItem>
  );
}

/** What came of a press, as a sentence. */
function toldBy({ text, url }: PressedButton): string {
  if (text !== '') return text;
  return url === '' ? 'Pressed. The bot said nothing.' : `The bot opens ${url}`;
}
