import type { TlObject } from '../../rpc.ts';
import { messagesInTopic, topicRead, unreadInTopic } from '../../world/forums/topic-messages.ts';
import { notifySettings } from '../../world/settings/notify-settings.ts';
import type { TopicRow } from '../../world/state/chat-rows.ts';
import { channelPeer, userPeer } from '../../world/state/peer.ts';
import type { ChatRow } from '../../world/state/rows.ts';
import type { World } from '../../world/world.ts';
import { tlPeer } from './tl-peer.ts';

/** A topic of a forum as one viewer sees it. Earlier layers have no `peer`. */
export function tlTopic(world: World, viewer: number, chat: ChatRow, topic: TopicRow): TlObject {
  const { readInbox, readOutbox } = topicRead(world, viewer, chat, topic.id);
  return {
    _: 'forumTopic',
    my: topic.from === viewer,
    closed: topic.closed ?? false,
    pinned: topic.pinned ?? false,
    hidden: topic.hidden ?? false,
    id: topic.id,
    date: topic.date,
    peer: tlPeer(channelPeer(chat.id)),
    title: topic.title,
    icon_color: topic.iconColor,
    icon_emoji_id: topic.iconEmojiId === undefined ? undefined : BigInt(topic.iconEmojiId),
    top_message: messagesInTopic(world, chat, topic.id).at(-1) ?? topic.id,
    read_inbox_max_id: readInbox,
    read_outbox_max_id: readOutbox,
    unread_count: unreadInTopic(world, viewer, chat, topic.id),
    unread_mentions_count: 0,
    unread_reactions_count: 0,
    unread_poll_votes_count: 0,
    from_id: tlPeer(userPeer(topic.from)),
    notify_settings: notifySettings(world, viewer, { peer: channelPeer(chat.id), topic: topic.id }),
  };
}
