import { RpcError } from '../../rpc.ts';
import { adminRightsOf, requireMemberRight } from '../chats/rights.ts';
import { peerOf, tell } from '../chats/tell-members.ts';
import { deleteFromChannel } from '../messages/delete-messages.ts';
import { placeMessage, type SentMessage } from '../messages/send-message.ts';
import type { Change } from '../notices.ts';
import type { TopicRow } from '../state/chat-rows.ts';
import type { UpdateRow } from '../state/message-rows.ts';
import type { ChatRow } from '../state/rows.ts';
import type { World } from '../world.ts';
import { generalTopicId, topicOf, topicsOf } from './find-topic.ts';
import { messagesInTopic } from './topic-messages.ts';

/** The colours that a topic's icon may have: https://core.telegram.org/method/channels.createForumTopic */
const iconColors = [0x6f_b9_f0, 0xff_d6_7e, 0xcb_86_db, 0x8e_ee_98, 0xff_93_b2, 0xfb_6f_5f] as const;
const maxTitleLength = 128;
/** `topics_pinned_limit` of https://core.telegram.org/api/config#client-configuration */
const maxPinnedTopics = 5;

export interface NewTopic {
  title: string;
  iconColor?: number | undefined;
  iconEmojiId?: bigint | undefined;
  randomId: bigint;
  /** The `hash` of the login that opens it. */
  sentBy: string;
}

/** Turns the topics of a supergroup on or off. @throws {RpcError} 400 CHAT_NOT_MODIFIED */
export function toggleForum(world: World, chat: ChatRow, isForum: boolean): Change {
  if (isForum === (chat.forum ?? false)) throw new RpcError(400, 'CHAT_NOT_MODIFIED');
  if (isForum) chat.forum = true;
  else delete chat.forum;
  world.tables.chats.put(chat);
  return tell(world, chat, 'chat');
}

/** @throws {RpcError} 400 TOPIC_TITLE_EMPTY, CHAT_ADMIN_REQUIRED; 500 RANDOM_ID_DUPLICATE */
export function createTopic(world: World, chat: ChatRow, by: number, topic: NewTopic): SentMessage {
  const { title, iconColor = 0, iconEmojiId, randomId, sentBy } = topic;
  requireMemberRight(world, chat, by, 'manage_topics');
  const normalized = normalizedTitle(title);
  if (world.tables.findByRandomId(by, randomId)) throw new RpcError(500, 'RANDOM_ID_DUPLICATE');
  const color = iconColors.find((known) => known === iconColor) ?? iconColors[0];
  const action = {
    _: 'messageActionTopicCreate',
    title: normalized,
    icon_color: color,
    ...(iconEmojiId ? { icon_emoji_id: iconEmojiId } : {}),
  };
  const sent = placeMessage(world, by, peerOf(chat), { text: '', action, randomId, sentBy });
  world.tables.topics.put({
    channel: chat.id,
    id: sent.message.id,
    title: normalized,
    iconColor: color,
    ...(iconEmojiId ? { iconEmojiId: String(iconEmojiId) } : {}),
    from: by,
    date: sent.message.date,
  });
  return sent;
}

function normalizedTitle(title: string): string {
  const trimmed = title.trim().slice(0, maxTitleLength);
  if (trimmed === '') throw new RpcError(400, 'TOPIC_TITLE_EMPTY');
  return trimmed;
}

export interface TopicEdit {
  title?: string | undefined;
  iconEmojiId?: bigint | undefined;
  closed?: boolean | undefined;
  hidden?: boolean | undefined;
}

/**
 * Changes a topic, with a service message in it.
 * @throws {RpcError} 400 TOPIC_ID_INVALID, TOPIC_NOT_MODIFIED, GENERAL_MODIFY_ICON_FORBIDDEN; 403 CHAT_ADMIN_REQUIRED
 */
export function editTopic(world: World, chat: ChatRow, by: number, id: number, edit: TopicEdit): Change {
  const topic = requireTopic(world, chat, id);
  requireTopicRight(chat, by, topic);
  const isGeneral = id === generalTopicId;
  if (isGeneral && edit.iconEmojiId !== undefined) throw new RpcError(400, 'GENERAL_MODIFY_ICON_FORBIDDEN');
  if (!isGeneral && edit.hidden !== undefined) throw new RpcError(400, 'TOPIC_ID_INVALID');
  const title = edit.title === undefined ? topic.title : normalizedTitle(edit.title);
  const icon = edit.iconEmojiId === undefined ? topic.iconEmojiId : String(edit.iconEmojiId || '') || undefined;
  const closed = edit.hidden || (edit.closed ?? topic.closed ?? false);
  const hidden = edit.hidden ?? topic.hidden ?? false;
  const action = {
    _: 'messageActionTopicEdit',
    ...(title === topic.title ? {} : { title }),
    ...(icon === topic.iconEmojiId ? {} : { icon_emoji_id: BigInt(icon ?? 0) }),
    ...(closed === (topic.closed ?? false) ? {} : { closed }),
    ...(hidden === (topic.hidden ?? false) ? {} : { hidden }),
  };
  if (Object.keys(action).length === 1) throw new RpcError(400, 'TOPIC_NOT_MODIFIED');
  const { iconEmojiId: _icon, closed: _closed, hidden: _hidden, ...rest } = topic;
  world.tables.topics.put({
    ...rest,
    title,
    ...(icon ? { iconEmojiId: icon } : {}),
    ...(closed ? { closed } : {}),
    ...(hidden ? { hidden } : {}),
  });
  const { updates } = placeMessage(world, by, peerOf(chat), { text: '', action, topic: id });
  return { updates, notices: [] };
}

/** @throws {RpcError} 400 TOPIC_ID_INVALID, PINNED_TOO_MUCH, CHAT_ADMIN_REQUIRED */
export function pinTopic(world: World, chat: ChatRow, by: number, id: number, isPinned: boolean): Change {
  const { pinned: _before, ...topic } = requireTopic(world, chat, id);
  if (!adminRightsOf(chat, by)?.includes('manage_topics')) throw new RpcError(400, 'CHAT_ADMIN_REQUIRED');
  const others = topicsOf(world, chat).filter((other) => other.pinned && other.id !== id);
  if (isPinned && others.length >= maxPinnedTopics) throw new RpcError(400, 'PINNED_TOO_MUCH');
  world.tables.topics.put(isPinned ? { ...topic, pinned: true } : topic);
  return tell(world, chat, 'chat');
}

/** Deletes a topic with all its messages. @throws {RpcError} 400 TOPIC_ID_INVALID; 403 MESSAGE_DELETE_FORBIDDEN */
export function deleteTopic(world: World, chat: ChatRow, by: number, id: number): UpdateRow[] {
  const topic = requireTopic(world, chat, id);
  if (id === generalTopicId) throw new RpcError(400, 'TOPIC_ID_INVALID');
  const rows = deleteFromChannel(world, by, chat, messagesInTopic(world, chat, id));
  world.tables.topics.delete(world.tables.topics.keyOf(topic));
  return rows;
}

function requireTopic(world: World, chat: ChatRow, id: number): TopicRow {
  const topic = topicOf(world, chat, id);
  if (!topic) throw new RpcError(400, 'TOPIC_ID_INVALID');
  return topic;
}

/** Administrators may change all topics, members those that they have opened. */
function requireTopicRight(chat: ChatRow, by: number, topic: TopicRow): void {
  const isOwn = topic.from === by && topic.id !== generalTopicId;
  if (!isOwn && !adminRightsOf(chat, by)?.includes('manage_topics')) throw new RpcError(403, 'CHAT_ADMIN_REQUIRED');
}
