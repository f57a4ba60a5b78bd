import { useEffect } from 'preact/hooks';
import { stateName } from '../parts/format.ts';
import { sessionHref } from '../parts/session-route.ts';
import { StateBadge } from '../parts/state-badge.tsx';
import { Chats } from './chats.tsx';

interface Props {
  id: string;
  /** Of the account; empty until it is known. */
  name: string;
  state: string;
  chatId: string | undefined;
}

/** The page of a session's chats, for its owner. */
export function ChatsPage({ id, name, state, chatId }: Props) {
  const title = name === '' ? 'Chats' : `Chats of ${name}`;
  useEffect(() => {
    const previousTitle = document.title;
    document.title = `${title} · Session gateway`;
    return () => {
      document.title = previousTitle;
    };
  }, [title]);
  return (
    <div class={chatId === undefined ? 'chats-page' : 'chats-page has-open-chat'}>
      <header class="chats-header">
        <a href={sessionHref(id)}>← Session</a>
        <h1>{title}</h1>
        <StateBadge state={state} />
      </header>
      {state !== 'connected' && (
        <p class="chat-error" role="status">
          {`The session is not connected (${stateName(state)}). Chats are loaded when it is.`}
        </p>
      )}
      <Chats session={id} isConnected={state === 'connected'} chatId={chatId} />
    </div>
  );
}
