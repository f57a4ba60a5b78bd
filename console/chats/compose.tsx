import { useEffect, useRef, useState } from 'preact/hooks';
import { postMessage } from '../api/chats.ts';
import type { ChatDoc, MessageDoc } from '../api/types.ts';
import { ActionResult, useAction } from '../parts/use-action.tsx';
import { FileFields } from './file-fields.tsx';
import { messageSummary, senderName } from './message-text.ts';
import { attemptWith, type FileToSend, messageBody, randomKey, type SendAttempt } from './message-to-send.ts';

interface Props {
  session: string;
  chat: ChatDoc;
  /** The text that was being written when the chat was last open. */
  draft: string;
  onDraft: (text: string) => void;
  replyTo: MessageDoc | undefined;
  onReplyEnd: () => void;
  onSent: () => Promise<void>;
}

/** The box to write in. Enter sends; Shift and Enter begin a new line. */
export function Compose({ session, chat, draft, onDraft, replyTo, onReplyEnd, onSent }: Props) {
  const [text, setText] = useState(draft);
  const [file, setFile] = useState<FileToSend>();
  const { isBusy, result, run } = useAction();
  const failed = useRef<SendAttempt>();
  const box = useRef<HTMLTextAreaElement>(null);
  const isEmpty = text.trim() === '' && file === undefined;
  useEffect(() => {
    if (replyTo !== undefined) box.current?.focus();
  }, [replyTo]);
  const write = (written: string): void => {
    setText(written);
    onDraft(written);
  };
  const send = (): void => {
    if (isEmpty) return;
    void run(async () => {
      const body = messageBody(chat, { text, replyTo: replyTo?.id ?? '', file });
      const attempt = attemptWith(failed.current, body, randomKey);
      failed.current = attempt;
      await postMessage(session, body, attempt.key);
      failed.current = undefined;
      // What was typed meanwhile is the next message.
      if (box.current === null || box.current.value === text) write('');
      setFile(undefined);
      onReplyEnd();
      await onSent();
      return undefined;
    });
  };
  return (
    <form
      class="compose"
      aria-label="Write a message"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {replyTo !== undefined && (
        <div class="reply-bar">
          <p class="quote">
            <span class="quote-sender">{`Reply to ${senderName(replyTo, chat)}`}</span>
            <span class="quote-text">{messageSummary(replyTo)}</span>
          </p>
          <button type="button" class="plain" onClick={onReplyEnd}>
            Cancel<span class="visually-hidden"> reply</span>
          </button>
        </div>
      )}
      {file !== undefined && <FileFields file={file} onChange={setFile} />}
      <div class="compose-line">
        <button
          type="button"
          class="plain attach"
          aria-pressed={file !== undefined}
          onClick={() => setFile(file === undefined ? { kind: 'document', url: '' } : undefined)}
        >
          {file === undefined ? 'File' : 'No file'}
        </button>
        <label>
          <span class="visually-hidden">Message</span>
          <textarea
            ref={box}
            rows={1}
            placeholder={file === undefined ? 'Message' : 'Caption'}
            value={text}
            dir="auto"
            onInput={(event) => write(event.currentTarget.value)}
            onKeyDown={(event) => {
              // While an input method composes a character, Enter belongs to it.
              if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
              event.preventDefault();
              if (event.currentTarget.form?.reportValidity() === true) send();
            }}
          />
        </label>
        <button type="submit" class="primary" disabled={isBusy || isEmpty}>
          {isBusy ? 'Sending…' : 'Send'}
        </button>
      </div>
      <ActionResult result={result} />
    </form>
  );
}
