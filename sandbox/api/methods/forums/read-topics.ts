import { RpcError, type TlObject } from '../../../rpc.ts';
import { memberOf } from '../../../world/chats/members.ts';
import { topicOf, topicsOf } from '../../../world/forums/find-topic.ts';
import { messagesInTopic, readTopic } from '../../../world/forums/topic-messages.ts';
import type { TopicRow } from '../../../world/state/chat-rows.ts';
import { channelPeer, peerKey, userPeer } from '../../../world/state/peer.ts';
import type { ChatRow } from '../../../world/state/rows.ts';
import type { Caller, Method } from '../../method.ts';
import { MentionedPeers } from '../../objects/mentioned-peers.ts';
import { tlMessage } from '../../objects/tl-message.ts';
import { tlTopic } from '../../objects/tl-topic.ts';
import { tlUpdates } from '../../objects/tl-update.ts';
import { inputForum } from './input-forum.ts';

const maxTopics = 100;

/** Pinned topics first, then those with the newest messages: https://core.telegram.org/api/forum */
const getTopics: Method = (params, caller) => {
  const chat = inputForum(caller, params);
  const wanted = ((params['q'] as string | undefined) ?? '').toLowerCase();
  const newest = (topic: TopicRow): number => messagesInTopic(caller.world, chat, topic.id).at(-1) ?? topic.id;
  const all = topicsOf(caller.world, chat)
    .filter(({ title }) => title.toLowerCase().includes(wanted))
    .toSorted((a, b) => Number(b.pinned ?? false) - Number(a.pinned ?? false) || newest(b) - newest(a));
  const start = all.findIndex(({ id }) => id === params['offset_topic']) + 1;
  const page = all.slice(start, start + Math.min(Number(params['limit']) || maxTopics, maxTopics));
  return tlTopics(caller, chat, page, all.length);
};

const getTopicsById: Method = (params, caller) => {
  const chat = inputForum(caller, params);
  const ids = params['topics'] as number[];
  if (ids.length === 0) throw new RpcError(400, 'TOPICS_EMPTY');
  const found = ids.flatMap((id) => topicOf(caller.world, chat, id) ?? []);
  const answer = tlTopics(caller, chat, found, ids.length);
  const byId = new Map((answer['topics'] as TlObject[]).map((topic) => [topic['id'] as number, topic]));
  return { ...answer, topics: ids.map((id) => byId.get(id) ?? { _: 'forumTopicDeleted', id }) };
};

function tlTopics({ world, me }: Caller, chat: ChatRow, topics: readonly TopicRow[], count: number): TlObject {
  const box = peerKey(channelPeer(chat.id));
  const tops = topics.flatMap(({ id }) => {
    const top = messagesInTopic(world, chat, id).at(-1);
    return top === undefined ? [] : (world.tables.message(box, top) ?? []);
  });
  const mentioned = new MentionedPeers(world, me.id).add(channelPeer(chat.id)).addMessages(tops);
  mentioned.add(...topics.map(({ from }) => userPeer(from)));
  return {
    _: 'messages.forumTopics',
    count,
    topics: topics.map((topic) => tlTopic(world, me.id, chat, topic)),
    messages: tops.map((row) => tlMessage(world, me.id, row)),
    ...mentioned.lists(),
    pts: world.tables.box(box).pts,
  };
}

/** Marks a topic as read. These updates do not raise the channel's `pts`. */
const readDiscussion: Method = (params, caller) => {
  const { world, me, call } = caller;
  const chat = inputForum(caller, params);
  if (!memberOf(chat, me.id)) throw new RpcError(400, 'CHANNEL_PRIVATE');
  const top_msg_id = params['msg_id'] as number;
  if (!topicOf(world, chat, top_msg_id)) throw new RpcError(400, 'MSG_ID_INVALID');
  const read = readTopic(world, me.id, chat, top_msg_id, params['read_max_id'] as number);
  if (!read) return true;
  const fields = { channel_id: BigInt(chat.id), top_msg_id };
  const push = (to: number, update: TlObject, exceptSession?: bigint): void =>
    world.push(to, tlUpdates(world, [update], { users: [], chats: [] }), exceptSession);
  const inbox = { _: 'updateReadChannelDiscussionInbox', ...fields, read_max_id: read.maxId };
  push(me.id, inbox, call.sessionId);
  for (const [sender, maxId] of read.bySender) {
    push(sender, { _: 'updateReadChannelDiscussionOutbox', ...fields, read_max_id: maxId });
  }
  return true;
};

export const readTopicMethods: Record<string, Method> = {
  'channels.getForumTopics': getTopics,
  'messages.getForumTopics': getTopics,
  'channels.getForumTopicsByID': getTopicsById,
  'messages.getForumTopicsByID': getTopicsById,
  'messages.readDiscussion': readDiscussion,
};
