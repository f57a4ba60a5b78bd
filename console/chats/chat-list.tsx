import type { ChatDoc } from '../api/types.ts';
import { Avatar } from '../parts/avatar.tsx';
import { formatClockOrDay, formatDateTime } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { LastingError } from '../parts/lasting-error.tsx';
import { LoadMore } from '../parts/load-more.tsx';
import { chatHref } from '../parts/session-route.ts';
import { lastLine } from './message/message-text.ts';
import type { ChatListState } from './use-chat-list.ts';

interface Props {
  session: string;
  list: ChatListState;
  archived: boolean;
  onArchived: (archived: boolean) => void;
  openId: string | undefined;
}

const lists: readonly [name: string, archived: boolean][] = [
  ['Chats', false],
  ['Archive', true],
];

/** The chats of the account, newest first, or those of its archive. */
export function ChatList({ session, list, archived, onArchived, openId }: Props) {
  const { chats, hasMore, error, isBusy, loadMore } = list;
  return (
    <section class="chat-list" aria-label={archived ? 'Archived chats' : 'Chats'}>
      <fieldset class="segments">
        <legend class="visually-hidden">Which chats</legend>
        {lists.map(([name, isArchive]) => (
          <label key={name}>
            <input
              type="radio"
              name="chat-list"
              checked={archived === isArchive}
              onChange={() => onArchived(isArchive)}
            />
            <span>{name}</span>
          </label>
        ))}
      </fieldset>
      {error !== '' && <LastingError class="chat-error" text={error} />}
      <div class="chat-rows">
        {chats === undefined && error === '' && <p class="muted">Loading…</p>}
        {chats?.length === 0 && !hasMore && <p class="muted">{archived ? 'The archive is empty.' : 'No chats yet.'}</p>}
        <ul>
          {chats?.map((chat) => (
            <ChatRow key={chat.id} session={session} chat={chat} isOpen={chat.id === openId} />
          ))}
        </ul>
        {hasMore && (
          <LoadMore
            label="More chats"
            isBusy={isBusy}
            hasFailed={error !== ''}
            place={String(chats?.length)}
            onLoad={loadMore}
          />
        )}
      </div>
    </section>
  );
}

function ChatRow({ session, chat, isOpen }: { session: string; chat: ChatDoc; isOpen: boolean }) {
  const { id, name, picture, unread, muted, pinned, last } = chat;
  return (
    <li>
      <a class="chat-row" href={chatHref(session, id)} aria-current={isOpen ? 'page' : undefined}>
        <Avatar name={name} picture={picture} />
        <span class="chat-title">
          {name || 'Deleted account'}
          {muted && <Sign name="muted" />}
        </span>
        <span class="muted chat-time">
          {last !== null && (
            <time dateTime={last.created} title={formatDateTime(last.created)}>
              {formatClockOrDay(last.created, new Date())}
            </time>
          )}
        </span>
        <span class="chat-text muted">{lastLine(chat)}</span>
        <span class="chat-signs">
          {pinned && <Sign name="pinned" />}
          {unread > 0 && (
            <span class={muted ? 'unread quiet' : 'unread'}>
              {unread}
              <span class="visually-hidden"> unread</span>
            </span>
          )}
        </span>
      </a>
    </li>
  );
}

function Sign({ name }: { name: 'muted' | 'pinned' }) {
  return (
    <span class="sign" title={name}>
      <Icon name={name} />
      <span class="visually-hidden">{`, ${name}`}</span>
    </span>
  );
}
