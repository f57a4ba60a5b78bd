import { useEffect, useRef, useState } from 'preact/hooks';
import type { ChatDoc, MessageDoc } from '../api/types.ts';
import { Avatar } from '../parts/avatar.tsx';
import { LastingError } from '../parts/lasting-error.tsx';
import { chatsHref } from '../parts/session-route.ts';
import { ChatSettings } from './chat-settings.tsx';
import { Compose } from './compose/compose.tsx';
import type { ComposeSubject } from './compose/compose-subject.ts';
import { FoundMessages } from './found-messages.tsx';
import { messageSummary, senderName } from './message/message-text.ts';
import { MessageList } from './message-list.tsx';
import { TopicChoice } from './topic-choice.tsx';
import type { ConversationState } from './use-conversation.ts';

interface Props {
  session: string;
  chat: ChatDoc;
  conversation: ConversationState;
  /** The open topic of a forum; empty: all of it. */
  topic: string;
  onTopic: (topic: string) => void;
  draft: string;
  onDraft: (text: string) => void;
  /** After a message was sent, or something was done to one. */
  onChanged: () => Promise<void>;
  /** After the chat was marked as read. */
  onRead: () => void;
  /** After a setting of the chat was changed. */
  onSet: () => Promise<void>;
}

const kindNames: Record<ChatDoc['kind'], string> = {
  user: 'Private chat',
  bot: 'Bot',
  group: 'Group',
  channel: 'Channel',
};

/** A chat: its messages, a search in them, and the box to write in. */
export function Conversation(props: Props) {
  const { session, chat, conversation, topic, onTopic, draft, onDraft, onChanged, onRead, onSet } = props;
  const [subject, setSubject] = useState<ComposeSubject>();
  const [isSearching, setSearching] = useState(false);
  const [isSetting, setSetting] = useState(false);
  const { messages, error } = conversation;
  const isForum = topic !== '' || [...(messages ?? []), ...(chat.last ? [chat.last] : [])].some(isInTopic);
  return (
    <section class="conversation" aria-labelledby="conversation-title">
      <header class="conversation-header">
        <a class="back" href={chatsHref(session)}>
          ←<span class="visually-hidden"> All chats</span>
        </a>
        <Avatar name={chat.name} picture={chat.picture} />
        <div>
          <h2 id="conversation-title">{chat.name || 'Deleted account'}</h2>
          <p class="muted">{chat.username === '' ? kindNames[chat.kind] : `@${chat.username}`}</p>
        </div>
        <button type="button" class="plain" aria-expanded={isSetting} onClick={() => setSetting(!isSetting)}>
          Settings
        </button>
        <button type="button" class="plain" aria-expanded={isSearching} onClick={() => setSearching(!isSearching)}>
          {isSearching ? 'Close search' : 'Search'}
        </button>
      </header>
      {isSetting && <ChatSettings session={session} chat={chat} onChanged={onSet} />}
      {error !== '' && <LastingError class="chat-error" text={error} />}
      {isSearching ? (
        <Search session={session} chat={chat} />
      ) : (
        <>
          {isForum && <TopicChoice session={session} chat={chat} topic={topic} onTopic={onTopic} />}
          <NewMessageStatus chat={chat} messages={messages} />
          {messages === undefined ? (
            <p class="messages muted">{error === '' && 'Loading…'}</p>
          ) : (
            <MessageList
              key={topic}
              session={session}
              chat={chat}
              conversation={conversation}
              topic={topic}
              onCompose={setSubject}
              onChanged={onChanged}
              onRead={onRead}
            />
          )}
          <Compose
            session={session}
            chat={chat}
            draft={draft}
            onDraft={onDraft}
            subject={subject}
            onSubjectEnd={() => setSubject(undefined)}
            onSent={onChanged}
            topic={topic}
          />
        </>
      )}
    </section>
  );
}

/** Only the messages of forums name a topic. */
const isInTopic = ({ topic }: MessageDoc): boolean => topic !== '';

function Search({ session, chat }: { session: string; chat: ChatDoc }) {
  const [typed, setTyped] = useState('');
  const [words, setWords] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <>
      <form
        class="search-line"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          setWords(typed.trim());
        }}
      >
        <label>
          <span class="visually-hidden">{`Search in ${chat.name}`}</span>
          <input
            ref={field}
            type="search"
            required
            placeholder="Words"
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
        <button type="submit">Find</button>
      </form>
      {words === '' ? (
        <p class="messages" />
      ) : (
        <FoundMessages key={words} session={session} chat={chat} words={words} />
      )}
    </>
  );
}

/** Tells a screen reader of a message that arrives while the chat is open. */
function NewMessageStatus({ chat, messages }: { chat: ChatDoc; messages: readonly MessageDoc[] | undefined }) {
  const newest = messages?.at(-1);
  const firstId = useRef<string>();
  if (messages !== undefined) firstId.current ??= newest?.id ?? '';
  const isNew = newest !== undefined && newest.id !== firstId.current && !newest.fromMe;
  return (
    <p class="visually-hidden" role="status">
      {isNew && `${senderName(newest, chat)}: ${messageSummary(newest)}`}
    </p>
  );
}
