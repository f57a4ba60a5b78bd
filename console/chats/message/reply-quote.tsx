import { useState } from 'preact/hooks';
import { fetchMessage } from '../../api/chats.ts';
import type { ChatDoc, MessageDoc } from '../../api/types.ts';
import { ActionResult, useAction } from '../../parts/use-action.tsx';
import { messageSummary, senderName } from './message-text.ts';

interface Props {
  session: string;
  chat: ChatDoc;
  /** ID of the message that is quoted. */
  messageId: string;
  /** The message, if it is among the loaded ones. */
  loaded: MessageDoc | undefined;
}

/** The message that another one replies to. One that is not loaded is requested when the user asks for it. */
export function ReplyQuote({ session, chat, messageId, loaded }: Props) {
  const [fetched, setFetched] = useState<MessageDoc>();
  const { isBusy, result, run } = useAction();
  const quoted = loaded ?? fetched;
  if (quoted !== undefined) {
    return (
      <blockquote class="quote">
        <span class="quote-sender">
          <span class="visually-hidden">Reply to </span>
          {senderName(quoted, chat)}
        </span>
        <span class="quote-text">{messageSummary(quoted)}</span>
      </blockquote>
    );
  }
  return (
    <div class="quote">
      <button
        type="button"
        class="plain"
        disabled={isBusy}
        onClick={() =>
          void run(async () => {
            setFetched(await fetchMessage(session, { chatId: chat.id, messageId }, new AbortController().signal));
            return undefined;
          })
        }
      >
        Reply to an earlier message
      </button>
      <ActionResult result={result} />
    </div>
  );
}
