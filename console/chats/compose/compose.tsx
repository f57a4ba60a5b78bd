import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { postFile, postMessage } from '../../api/chats.ts';
import { patchMessage } from '../../api/message-actions.ts';
import type { ChatDoc, MessageDoc } from '../../api/types.ts';
import { ActionResult, useAction } from '../../parts/use-action.tsx';
import { messageSummary, senderName } from '../message/message-text.ts';
import { movedEntities } from '../text/moved-entities.ts';
import type { ComposeSubject } from './compose-subject.ts';
import { FileFields } from './file-fields.tsx';
import {
  attemptWith,
  editBody,
  type FileToSend,
  messageBody,
  type PostedFile,
  randomKey,
  type SendAttempt,
} from './message-to-send.ts';

interface Props {
  session: string;
  chat: ChatDoc;
  /** The text that was being written when the chat was last open. */
  draft: string;
  onDraft: (text: string) => void;
  /** The message that is answered or edited. */
  subject: ComposeSubject | undefined;
  onSubjectEnd: () => void;
  onSent: () => Promise<void>;
  /** Of a forum, in which it is written; empty: none is open. */
  topic: string;
}

/** The box to write in. Enter sends; Shift and Enter begin a new line. */
export function Compose({ session, chat, draft, onDraft, subject, onSubjectEnd, onSent, topic }: Props) {
  const [text, setText] = useState(draft);
  const [file, setFile] = useState<FileToSend>();
  const { isBusy, result, run } = useAction();
  const failed = useRef<SendAttempt>();
  // A repetition sends the file that was uploaded by the failed attempt: another one would be another message.
  const uploaded = useRef(new WeakMap<File, PostedFile>());
  const box = useRef<HTMLTextAreaElement>(null);
  const edited = subject?.kind === 'edit' ? subject.message : undefined;
  // While a message is edited, what was written before waits.
  const written = useRef(draft);
  // The formatting of what is edited moves with each change of the text.
  const formatted = useRef<Pick<MessageDoc, 'text' | 'entities'>>({ text: '', entities: [] });
  useLayoutEffect(() => {
    setText(edited?.text ?? written.current);
    if (edited !== undefined) formatted.current = edited;
  }, [edited]);
  useLayoutEffect(() => {
    if (subject !== undefined) box.current?.focus();
  }, [subject]);
  const isEmpty = edited === undefined ? text.trim() === '' && file === undefined : text === edited.text;
  const write = (value: string): void => {
    setText(value);
    if (edited !== undefined) {
      const { text: before, entities } = formatted.current;
      formatted.current = { text: value, entities: movedEntities(before, value, entities) };
      return;
    }
    written.current = value;
    onDraft(value);
  };
  const attempt = async (
    body: object,
    request: (session: string, body: object, key: string) => Promise<void>,
  ): Promise<void> => {
    const { key } = (failed.current = attemptWith(failed.current, body, randomKey));
    await request(session, body, key);
    failed.current = undefined;
  };
  const upload = async (chosen: File): Promise<PostedFile> => {
    const kept = uploaded.current.get(chosen) ?? (await postFile(session, chosen));
    uploaded.current.set(chosen, kept);
    return kept;
  };
  const send = async (): Promise<undefined> => {
    if (edited === undefined) {
      const replyTo = subject?.message.id ?? '';
      const kept = file?.chosen && (await upload(file.chosen));
      await attempt(messageBody(chat, { text, replyTo, file, uploaded: kept, topic }), postMessage);
      // What was typed meanwhile is the next message.
      if (box.current === null || box.current.value === text) write('');
      setFile(undefined);
    } else {
      await attempt(editBody(chat, edited, formatted.current), patchMessage);
    }
    onSubjectEnd();
    await onSent();
  };
  const submit = (): void => {
    if (!isEmpty) void run(send);
  };
  return (
    <form
      class="compose"
      aria-label="Write a message"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {subject !== undefined && <Subject subject={subject} chat={chat} onEnd={onSubjectEnd} />}
      {file !== undefined && edited === undefined && <FileFields file={file} onChange={setFile} />}
      <div class="compose-line">
        {edited === undefined && (
          <button
            type="button"
            class="plain attach"
            aria-pressed={file !== undefined}
            onClick={() => setFile(file === undefined ? { kind: 'document', url: '' } : undefined)}
          >
            {file === undefined ? 'File' : 'No file'}
          </button>
        )}
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
              if (event.key === 'Escape') onSubjectEnd();
              // While an input method composes a character, Enter belongs to it.
              if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
              event.preventDefault();
              if (event.currentTarget.form?.reportValidity() === true) submit();
            }}
          />
        </label>
        <button type="submit" class="primary" disabled={isBusy || isEmpty}>
          {buttonText(isBusy, edited !== undefined)}
        </button>
      </div>
      <ActionResult result={result} />
    </form>
  );
}

const buttonText = (isBusy: boolean, isEdit: boolean): string => {
  if (isBusy) return isEdit ? 'Saving…' : 'Sending…';
  return isEdit ? 'Save' : 'Send';
};

function Subject({ subject, chat, onEnd }: { subject: ComposeSubject; chat: ChatDoc; onEnd: () => void }) {
  const { kind, message } = subject;
  return (
    <div class="reply-bar">
      <p class="quote">
        <span class="quote-sender">{kind === 'edit' ? 'Edit' : `Reply to ${senderName(message, chat)}`}</span>
        <span class="quote-text">{messageSummary(message)}</span>
      </p>
      <button type="button" class="plain" onClick={onEnd}>
        Cancel
      </button>
    </div>
  );
}
