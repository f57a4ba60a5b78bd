import { peerOf } from '../chats/tell-members.ts';
import type { TopicReadRow } from '../state/chat-rows.ts';
import { peerKey } from '../state/peer.ts';
import type { ChatRow } from '../state/rows.ts';
import type { World } from '../world.ts';
import { generalTopicId, topicOf } from './find-topic.ts';

/** The IDs of a topic's messages in rising order, the one that has opened it too. */
export function messagesInTopic(world: World, chat: ChatRow, topic: number): number[] {
  const box = peerKey(peerOf(chat));
  return world.tables.history(box, box).filter((id) => {
    const message = world.tables.message(box, id);
    const isRoot = id !== generalTopicId && topicOf(world, chat, id) !== undefined;
    return (isRoot ? id : (message?.topic ?? generalTopicId)) === topic;
  });
}

/** Before a user has read a topic: a new row that is not in the table yet. */
export function topicRead(world: World, owner: number, chat: ChatRow, topic: number): TopicReadRow {
  return (
    world.tables.topicReads.get(`${owner}/${chat.id}/${topic}`) ?? {
      owner,
      channel: chat.id,
      topic,
      readInbox: 0,
      readOutbox: 0,
    }
  );
}

/** The messages of others in a topic that the viewer has not read. */
export function unreadInTopic(world: World, viewer: number, chat: ChatRow, topic: number): number {
  const box = peerKey(peerOf(chat));
  const { readInbox } = topicRead(world, viewer, chat, topic);
  return messagesInTopic(world, chat, topic).filter(
    (id) => id > readInbox && world.tables.message(box, id)?.from !== viewer,
  ).length;
}

export interface TopicRead {
  maxId: number;
  /** The senders of the messages that were read, and up to which message. */
  bySender: Map<number, number>;
}

/** Marks a topic as read up to a message, and moves the senders' read positions; undefined if it was read already. */
export function readTopic(
  world: World,
  reader: number,
  chat: ChatRow,
  topic: number,
  maxId: number,
): TopicRead | undefined {
  const row = topicRead(world, reader, chat, topic);
  const ids = messagesInTopic(world, chat, topic).filter((id) => id > row.readInbox && id <= maxId);
  const last = ids.at(-1);
  if (last === undefined) return undefined;
  world.tables.topicReads.put({ ...row, readInbox: last });
  const bySender = new Map<number, number>();
  for (const id of ids) {
    const from = world.tables.message(peerKey(peerOf(chat)), id)?.from;
    if (from !== undefined && from !== reader) bySender.set(from, id);
  }
  for (const [sender, readOutbox] of bySender) {
    const theirs = topicRead(world, sender, chat, topic);
    if (readOutbox > theirs.readOutbox) world.tables.topicReads.put({ ...theirs, readOutbox });
  }
  return { maxId: last, bySender };
}
