import { RpcError } from '../../rpc.ts';
import { creatorOf } from '../chats/members.ts';
import { adminRightsOf } from '../chats/rights.ts';
import type { TopicRow } from '../state/chat-rows.ts';
import { channelPeer, type PeerRef, peerKey } from '../state/peer.ts';
import type { ChatRow } from '../state/rows.ts';
import type { World } from '../world.ts';

/** The topic of all messages that name none. Each forum has it. */
export const generalTopicId = 1;
const generalIconColor = 0x6f_b9_f0;

/** A topic of a forum; undefined if it was deleted or never existed. */
export function topicOf(world: World, chat: ChatRow, id: number): TopicRow | undefined {
  const known = world.tables.topics.get(`${chat.id}/${id}`);
  if (known || id !== generalTopicId) return known;
  const general = { channel: chat.id, id, title: 'General', iconColor: generalIconColor };
  return { ...general, from: creatorOf(chat) ?? 0, date: chat.date };
}

/** All topics of a forum, General first. */
export function topicsOf(world: World, chat: ChatRow): TopicRow[] {
  const others = [...world.tables.topics.values()].filter(
    ({ channel, id }) => channel === chat.id && id !== generalTopicId,
  );
  const general = topicOf(world, chat, generalTopicId);
  return general ? [general, ...others] : others;
}

/** What a message says of its place: the message that it replies to, and the topic. */
export interface ReplyPlace {
  replyTo?: number | undefined;
  topic?: number | undefined;
}

/**
 * The topic that a message belongs to, and the message that it replies to: a reply to the first message of a topic is
 * only written in it. Without a topic it belongs to General.
 */
export function placeInForum(world: World, peer: PeerRef, { replyTo, topic }: ReplyPlace): ReplyPlace {
  const chat = peer.kind === 'channel' ? world.tables.chats.get(peerKey(peer)) : undefined;
  if (!chat?.forum) return { replyTo };
  const target = replyTo === undefined ? undefined : world.tables.message(peerKey(peer), replyTo);
  const isTopic = (id: number | undefined): boolean => id !== undefined && topicOf(world, chat, id) !== undefined;
  const id = [topic, replyTo].find(isTopic) ?? target?.topic ?? generalTopicId;
  return { replyTo: replyTo === id ? undefined : replyTo, topic: id === generalTopicId ? undefined : id };
}

/** @throws {RpcError} 400 TOPIC_CLOSED, TOPIC_DELETED if `from` may not write there */
export function requireOpenTopic(world: World, from: number, peer: PeerRef, place: ReplyPlace): void {
  const chat = peer.kind === 'channel' ? world.tables.chats.get(peerKey(channelPeer(peer.id))) : undefined;
  if (!chat?.forum) return;
  if (place.topic !== undefined && !topicOf(world, chat, place.topic)) throw new RpcError(400, 'TOPIC_DELETED');
  const topic = topicOf(world, chat, placeInForum(world, peer, place).topic ?? generalTopicId);
  const mayManage = topic?.from === from || adminRightsOf(chat, from)?.includes('manage_topics');
  if (topic?.closed && !mayManage) throw new RpcError(400, 'TOPIC_CLOSED');
}
