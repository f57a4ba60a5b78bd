import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import type { Peer } from './peer.ts';
import type { SeenMessage } from './reading.ts';

/** The topic of a forum that all messages without another one are in (https://core.telegram.org/api/forum). */
export const generalTopic = 1;

/** A topic of a forum, by the ID of its first message. */
export interface ListedTopic {
  id: number;
  name: string;
  unread: number;
  pinned: boolean;
  /** Only administrators write in it. */
  closed: boolean;
  /** The newest message; undefined if there is none, or it is a service message. */
  last?: SeenMessage;
}

/** Where a page of topics ended: the last one, and its newest message. */
export interface TopicPlace {
  topic: number;
  messageId: number;
  /** Seconds since 1970. */
  date: number;
  /** Topics on the pages so far. */
  seen: number;
}

export interface TopicPage {
  /** Pinned ones first, then those with the newest messages. */
  topics: ListedTopic[];
  /** Undefined if it is the last page. */
  next?: TopicPlace;
}

/** The topics of forums, for a connected account. */
export interface ForumTopics {
  /**
   * @param limit up to 100
   * @throws {TelegramError} `CHANNEL_FORUM_MISSING`: the group has no topics. {@link NotConnectedError}
   * {@link NotJoinedError}
   */
  list(
    peer: Peer,
    page: { after: TopicPlace | undefined; limit: number },
    signal: LightAbortSignal,
  ): Promise<TopicPage>;
}
