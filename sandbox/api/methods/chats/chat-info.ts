import { RpcError, type TlObject } from '../../../rpc.ts';
import { isAdmin, memberCount, memberIds } from '../../../world/chats/members.ts';
import { dialogOf, unreadCount } from '../../../world/dialogs.ts';
import { pinnedMessages } from '../../../world/messages/pin-messages.ts';
import { scheduledIn } from '../../../world/scheduled/scheduled-messages.ts';
import { notifySettings } from '../../../world/settings/notify-settings.ts';
import { channelPeer, chatPeer, peerKey, userPeer } from '../../../world/state/peer.ts';
import type { ChatRow } from '../../../world/state/rows.ts';
import { inputBasicGroup } from '../../input/input-chat.ts';
import { inputChannel } from '../../input/input-peer.ts';
import type { Caller, Method } from '../../method.ts';
import { MentionedPeers } from '../../objects/mentioned-peers.ts';
import { tlChatReactions } from '../../objects/messages/tl-chat-reactions.ts';
import { tlChat } from '../../objects/tl-chat.ts';
import { tlChatParticipants } from '../../objects/tl-chat-participants.ts';
import { tlPhoto } from '../../objects/tl-file.ts';

const getChats: Method = (params, { world, me }) => ({
  _: 'messages.chats',
  chats: (params['id'] as bigint[]).map((id) => tlChat(world, me.id, inputBasicGroup({ world, me }, id))),
});

const getFullChat: Method = (params, caller) => {
  const { world, me } = caller;
  const chat = inputBasicGroup(caller, params['chat_id'] as bigint);
  return {
    _: 'messages.chatFull',
    full_chat: {
      _: 'chatFull',
      id: BigInt(chat.id),
      about: chat.about,
      participants: tlChatParticipants(me.id, chat),
      chat_photo: fullPhoto(caller, chat),
      available_reactions: tlChatReactions(chat),
      has_scheduled: scheduledIn(world, me.id, chatPeer(chat.id)).length > 0,
      pinned_msg_id: pinnedMessages(world, me.id, chatPeer(chat.id)).at(-1)?.id,
      notify_settings: notifySettings(world, me.id, { peer: chatPeer(chat.id) }),
    },
    ...new MentionedPeers(world, me.id).add(chatPeer(chat.id), ...memberIds(chat).map(userPeer)).lists(),
  };
};

const getChannels: Method = (params, caller) => ({
  _: 'messages.chats',
  chats: (params['id'] as TlObject[]).map((input) =>
    tlChat(caller.world, caller.me.id, channelOrForbidden(caller, input)),
  ),
});

/** Includes private channels that the caller is not in: `channels.getChannels` returns them as forbidden. */
function channelOrForbidden(caller: Caller, input: TlObject): ChatRow {
  try {
    return inputChannel(caller, input);
  } catch (error) {
    const chat = caller.world.tables.chats.get(`channel:${input['channel_id']}`);
    if (chat && error instanceof RpcError && error.text === 'CHANNEL_PRIVATE') return chat;
    throw error;
  }
}

const getFullChannel: Method = (params, caller) => {
  const { world, me } = caller;
  const chat = inputChannel(caller, params['channel'] as TlObject);
  const peer = channelPeer(chat.id);
  const isChatAdmin = isAdmin(chat, me.id);
  const dialog = dialogOf(world, me.id, peer);
  return {
    _: 'messages.chatFull',
    full_chat: {
      _: 'channelFull',
      id: BigInt(chat.id),
      about: chat.about,
      can_view_participants: isChatAdmin || (chat.megagroup === true && !chat.membersHidden),
      participants_hidden: chat.membersHidden ?? false,
      participants_count: memberCount(chat),
      admins_count: isChatAdmin ? Object.values(chat.members).filter(({ role }) => role).length : undefined,
      read_inbox_max_id: dialog.readInbox,
      read_outbox_max_id: dialog.readOutbox,
      unread_count: unreadCount(world, me.id, peer),
      chat_photo: fullPhoto(caller, chat) ?? { _: 'photoEmpty', id: 0n },
      notify_settings: notifySettings(world, me.id, { peer }),
      bot_info: [],
      available_reactions: tlChatReactions(chat),
      has_scheduled: scheduledIn(world, me.id, peer).length > 0,
      pinned_msg_id: chat.pinned,
      migrated_from_chat_id: chat.migratedFrom === undefined ? undefined : BigInt(chat.migratedFrom),
      migrated_from_max_id: chat.migratedFrom === undefined ? undefined : 0,
      slowmode_seconds: chat.slowmodeSeconds,
      pts: world.tables.box(peerKey(peer)).pts,
    },
    ...new MentionedPeers(world, me.id).add(peer).lists(),
  };
};

function fullPhoto({ world, me }: Caller, chat: ChatRow): TlObject | undefined {
  const file = chat.photo === undefined ? undefined : world.tables.files.get(chat.photo);
  return file && tlPhoto(world, me.id, file);
}

export const chatMethods: Record<string, Method> = {
  'messages.getChats': getChats,
  'messages.getFullChat': getFullChat,
  'channels.getChannels': getChannels,
  'channels.getFullChannel': getFullChannel,
};
