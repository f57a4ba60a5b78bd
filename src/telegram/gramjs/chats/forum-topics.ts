import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import { TelegramError } from '../../port/errors.ts';
import type { Peer } from '../../port/peer.ts';
import type { ForumTopics, ListedTopic, TopicPage, TopicPlace } from '../../port/topics.ts';
import { inputChannel } from '../peers/input-peer.ts';
import { isNumberedAlone, knownPeer } from '../peers/known-peer.ts';
import { type AskInsideDeps, askInside } from './ask-inside.ts';
import { Entities, seenMessage } from './seen-message.ts';

export interface ForumTopicsDeps extends AskInsideDeps {
  /** The account's own user ID. */
  ownId: () => string;
}

/** The topics of the forums that a connected account is in. */
export class GramForumTopics implements ForumTopics {
  readonly #deps: ForumTopicsDeps;

  constructor(deps: ForumTopicsDeps) {
    this.#deps = deps;
  }

  async list(
    peer: Peer,
    { after, limit }: { after: TopicPlace | undefined; limit: number },
    signal: LightAbortSignal,
  ): Promise<TopicPage> {
    const known = knownPeer(this.#deps.book, peer);
    // A basic group has none, and the request has no form for it.
    if (!isNumberedAlone(known)) throw new TelegramError(400, 'CHANNEL_FORUM_MISSING', 'channels.GetForumTopics');
    const request = new Api.channels.GetForumTopics({
      channel: inputChannel(known),
      offsetDate: after?.date ?? 0,
      offsetId: after?.messageId ?? 0,
      offsetTopic: after?.topic ?? 0,
      limit,
    });
    const answer = await askInside(this.#deps, known, request, signal);
    const topics = answer.topics.filter((topic): topic is Api.ForumTopic => topic instanceof Api.ForumTopic);
    const next = placeAfter(answer, topics, after);
    return { topics: topics.map((topic) => this.#listed(topic, answer)), ...(next && { next }) };
  }

  #listed(topic: Api.ForumTopic, answer: Api.messages.ForumTopics): ListedTopic {
    const newest = newestOf(topic, answer);
    return {
      id: topic.id,
      name: topic.title,
      unread: topic.unreadCount,
      pinned: topic.pinned === true,
      closed: topic.closed === true,
      ...(newest instanceof Api.Message && { last: seenMessage(newest, new Entities(answer), this.#deps.ownId()) }),
    };
  }
}

function placeAfter(
  answer: Api.messages.ForumTopics,
  topics: readonly Api.ForumTopic[],
  before: TopicPlace | undefined,
): TopicPlace | undefined {
  const seen = (before?.seen ?? 0) + answer.topics.length;
  const last = topics.at(-1);
  if (last === undefined || seen >= answer.count) return undefined;
  const newest = newestOf(last, answer);
  const date = newest === undefined || newest instanceof Api.MessageEmpty ? last.date : newest.date;
  return { topic: last.id, messageId: last.topMessage, date, seen };
}

const newestOf = (topic: Api.ForumTopic, { messages }: Api.messages.ForumTopics): Api.TypeMessage | undefined =>
  messages.find(({ id }) => id === topic.topMessage);
