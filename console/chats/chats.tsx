import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { fetchChat } from '../api/chats.ts';
import type { ChatDoc } from '../api/types.ts';
import { LastingError } from '../parts/lasting-error.tsx';
import { ChatList } from './chat-list.tsx';
import { Conversation } from './conversation.tsx';
import { useChatList } from './use-chat-list.ts';
import { useConversation } from './use-conversation.ts';
import { useLoading } from './use-loading.ts';
import { useTurns } from './use-turns.ts';

/** The shortest pause between two polling requests, milliseconds. */
const pauseMs = 3_000;

interface Props {
  session: string;
  /** Without a connection to Telegram nothing is requested. */
  isConnected: boolean;
  chatId: string | undefined;
}

/** The chats of the session's account, and the one that is open. */
export function Chats({ session, isConnected, chatId }: Props) {
  const [archived, setArchived] = useState(false);
  const list = useChatList(session, archived, isConnected);
  const [open, setOpen] = useState({ chatId, topic: '' });
  const topic = open.chatId === chatId ? open.topic : '';
  const conversation = useConversation(session, isConnected ? chatId : undefined, topic);
  const { chat, error, reload } = useChat(session, isConnected ? chatId : undefined, list.chats);
  const drafts = useRef(new Map<string, string>());
  const turns = chatId === undefined ? [list.refresh] : [conversation.refresh, conversation.refresh, list.refresh];
  useTurns(isConnected ? turns : [], pauseMs, `${session} ${archived} ${chatId} ${topic}`);
  return (
    <div class={chatId === undefined ? 'chats-view' : 'chats-view has-open-chat'}>
      <ChatList session={session} list={list} archived={archived} onArchived={setArchived} openId={chatId} />
      {chat === undefined ? (
        <section class="conversation nothing-open" aria-label="Conversation">
          {error === '' ? (
            <p class="muted">{chatId === undefined ? 'Choose a chat.' : 'Loading…'}</p>
          ) : (
            <LastingError class="chat-error" text={error} />
          )}
        </section>
      ) : (
        <Conversation
          key={chat.id}
          session={session}
          chat={chat}
          conversation={conversation}
          topic={topic}
          onTopic={(chosen) => setOpen({ chatId, topic: chosen })}
          draft={drafts.current.get(chat.id) ?? ''}
          onDraft={(text) => drafts.current.set(chat.id, text)}
          onChanged={() => conversation.refresh(new AbortController().signal)}
          onRead={() => list.markRead(chat.id)}
          onSet={async () => {
            const { signal } = new AbortController();
            await Promise.all([reload(chat.id, signal), list.refresh(signal)]);
          }}
        />
      )}
    </div>
  );
}

/** The open chat: the listed one, or one that is requested because the list does not have it. */
function useChat(session: string, chatId: string | undefined, listed: readonly ChatDoc[] | undefined) {
  const [known, setKnown] = useState<ChatDoc>();
  const { error, attempt } = useLoading(`${session} ${chatId}`);
  const found = listed?.find(({ id }) => id === chatId);
  const isMissing = chatId !== undefined && listed !== undefined && found === undefined && known?.id !== chatId;
  const load = useCallback(
    (id: string, signal: AbortSignal) => attempt(signal, async () => setKnown(await fetchChat(session, id, signal))),
    [session, attempt],
  );
  useEffect(() => {
    if (!isMissing) return;
    const stop = new AbortController();
    void load(chatId, stop.signal);
    return () => stop.abort();
  }, [isMissing, chatId, load]);
  // A chat that leaves the list, as into the archive, stays open.
  useEffect(() => {
    if (found !== undefined) setKnown(found);
  }, [found]);
  return { chat: found ?? (known?.id === chatId ? known : undefined), error, reload: load };
}
