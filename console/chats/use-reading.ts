import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { postRead } from '../api/message-actions.ts';
import { errorMessage } from '../api/request.ts';
import type { ChatDoc, MessageDoc } from '../api/types.ts';

interface Shown {
  /** The messages, which scroll. */
  region: RefObject<HTMLDivElement>;
  newest: MessageDoc | undefined;
  /** Of a forum; empty: all of it. */
  topic: string;
  onRead: () => void;
}

/** So far from the bottom, in pixels, the newest message is still in view. */
const bottomPx = 24;

/**
 * Marks the chat as read, up to its newest message, when that is in view on a visible page; once for each message.
 * @returns why that failed; empty if it did not
 */
export function useReading(session: string, chat: ChatDoc, { region, newest, topic, onRead }: Shown): string {
  const [error, setError] = useState('');
  const readId = useRef('');
  const newestId = newest?.id;
  const isUnread = newest?.fromMe === false;
  const latest = useRef({ chat, topic, onRead });
  latest.current = { chat, topic, onRead };
  // What was read elsewhere needs no request; a message that comes later does.
  if (readId.current === '' && chat.unread === 0) readId.current = newestId ?? '';
  useEffect(() => {
    const { current } = region;
    if (current === null || newestId === undefined || !isUnread) return;
    const read = (): void => {
      const isInView = document.visibilityState === 'visible' && current.scrollTop > -bottomPx;
      if (!isInView || readId.current === newestId) return;
      readId.current = newestId;
      postRead(session, latest.current.chat, newestId, latest.current.topic).then(
        () => {
          setError('');
          latest.current.onRead();
        },
        (failure: unknown) => setError(errorMessage(failure)),
      );
    };
    read();
    current.addEventListener('scroll', read);
    document.addEventListener('visibilitychange', read);
    return () => {
      current.removeEventListener('scroll', read);
      document.removeEventListener('visibilitychange', read);
    };
  }, [session, region, newestId, isUnread]);
  return error;
}
