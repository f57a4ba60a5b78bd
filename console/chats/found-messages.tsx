import { useEffect, useState } from 'preact/hooks';
import { fetchFound } from '../api/chats.ts';
import type { ChatDoc, MessageDoc } from '../api/types.ts';
import { formatDay } from '../parts/format.ts';
import { LastingError } from '../parts/lasting-error.tsx';
import { LoadMore } from '../parts/load-more.tsx';
import { MessageItem } from './message/message-item.tsx';
import { useLoading } from './use-loading.ts';

/** The messages of a chat that have the words, newest first. */
export function FoundMessages({ session, chat, words }: { session: string; chat: ChatDoc; words: string }) {
  const [found, setFound] = useState<{ messages: MessageDoc[]; before: string }>();
  const { error, isBusy, once } = useLoading(words);
  const load = (before: string): void =>
    once(async (signal) => {
      const page = await fetchFound(session, { chatId: chat.id, words, before }, signal);
      setFound((known) => ({ messages: [...(known?.messages ?? []), ...page.docs], before: page.before }));
    });
  // The component is made anew for other words.
  useEffect(() => load(''), []);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls has to take the focus
    <div class="messages found" role="region" aria-label="Messages found" tabIndex={0}>
      <p class="muted" role="status">
        {found === undefined && error === '' && 'Searching…'}
        {found?.messages.length === 0 && `No message has “${words}”.`}
      </p>
      {error !== '' && <LastingError class="chat-error" text={error} />}
      <ol>
        {found?.messages.map((message) => (
          <MessageItem
            key={message.id}
            chat={chat}
            message={message}
            isFirstOfSender
            quote={<p class="found-day">{formatDay(message.created, new Date())}</p>}
          />
        ))}
      </ol>
      {found !== undefined && found.before !== '' && (
        <LoadMore
          label="More results"
          isBusy={isBusy}
          hasFailed={error !== ''}
          place={found.before}
          onLoad={() => load(found.before)}
        />
      )}
    </div>
  );
}
