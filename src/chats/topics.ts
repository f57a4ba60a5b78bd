import type { ListedTopic, TopicPlace } from '../telegram/port/topics.ts';
import { type ReadMessage, seenMessageObject } from './chat-messages.ts';
import { type ChatService, inTime, withChat } from './chat-service.ts';
import type { LinkTo } from './message-content.ts';
import { readPlace, writePlace } from './page-place.ts';

/** A topic of a forum (CT1.4). */
interface TopicObject {
  id: string;
  name: string;
  unread: number;
  pinned: boolean;
  closed: boolean;
  /** The newest message; null if there is none to show. */
  last: ReadMessage | null;
}

export interface TopicListPage {
  docs: TopicObject[];
  /** Empty at the end. */
  after: string;
}

/**
 * A page of the topics of a forum: pinned ones first, then those with the newest messages.
 * @param after of the page before; empty for the first one
 * @throws {GatewayError} 400 {@link TelegramError} {@link NotConnectedError}
 */
export function listTopics(
  service: ChatService,
  groupId: string,
  { after, limit }: { after: string; limit: number },
  linkTo: LinkTo,
): Promise<TopicListPage> {
  const place = after === '' ? undefined : readTopicPlace(after);
  return inTime(service, (signal) =>
    withChat(service, 'group', groupId, signal, async (peer) => {
      const { topics, next } = await service.account.forumTopics.list(peer, { after: place, limit }, signal);
      return { docs: topics.map((topic) => topicObject(topic, linkTo)), after: next ? writeTopicPlace(next) : '' };
    }),
  );
}

function topicObject({ id, name, unread, pinned, closed, last }: ListedTopic, linkTo: LinkTo): TopicObject {
  const newest = last === undefined ? null : seenMessageObject(last, linkTo);
  return { id: String(id), name, unread, pinned, closed, last: newest };
}

const writeTopicPlace = ({ topic, messageId, date, seen }: TopicPlace): string =>
  writePlace([topic, messageId, date, seen], '');

function readTopicPlace(after: string): TopicPlace {
  const [topic = 0, messageId = 0, date = 0, seen = 0] = readPlace('after', after, 4).numbers;
  return { topic, messageId, date, seen };
}
