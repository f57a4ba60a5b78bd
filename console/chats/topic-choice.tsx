import { useEffect, useState } from 'preact/hooks';
import { fetchTopics } from '../api/chats.ts';
import { errorMessage } from '../api/request.ts';
import type { ChatDoc, TopicsPage } from '../api/types.ts';
import { LastingError } from '../parts/lasting-error.tsx';

interface Props {
  session: string;
  chat: ChatDoc;
  /** The open one; empty: all of the forum. */
  topic: string;
  onTopic: (topic: string) => void;
}

/** Which topic of a forum is open. */
export function TopicChoice({ session, chat, topic, onTopic }: Props) {
  const [topics, setTopics] = useState<TopicsPage['docs']>([]);
  const [error, setError] = useState('');
  useEffect(() => {
    const stop = new AbortController();
    fetchTopics(session, chat.id, stop.signal).then(
      ({ docs }) => {
        setTopics(docs);
        setError('');
      },
      (failure: unknown) => {
        if (!stop.signal.aborted) setError(errorMessage(failure));
      },
    );
    return () => stop.abort();
  }, [session, chat.id]);
  return (
    <div class="topic-choice">
      <label>
        Topic
        <select value={topic} onChange={(event) => onTopic(event.currentTarget.value)}>
          <option value="">All topics</option>
          {topics.map(({ id, name, unread }) => (
            <option key={id} value={id}>
              {unread === 0 ? name : `${name} (${unread})`}
            </option>
          ))}
        </select>
      </label>
      {error !== '' && <LastingError class="chat-error" text={error} />}
    </div>
  );
}
