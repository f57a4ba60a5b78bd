import { RpcError, type TlObject } from '../../rpc.ts';
import { dialogOf, unreadCount } from '../../world/dialogs.ts';
import { isAdmin, memberCount, memberOf } from '../../world/members.ts';
import { channelPeer, chatPeer, peerKey, userPeer } from '../../world/state/peer.ts';
import type { ChatRow, Member } from '../../world/state/rows.ts';
import { inputChannel } from '../input/input-peer.ts';
import type { Caller, Method } from '../method.ts';
import { MentionedPeers } from '../objects/mentioned-peers.ts';
import { tlChat } from '../objects/tl-chat.ts';
import { tlPhoto } from '../objects/tl-file.ts';
import { defaultNotifySettings } from '../objects/tl-peer.ts';

const getChats: Method = (params, { world, me }) => ({
  _: 'messages.chats',
  chats: (params['id'] as bigint[]).map((id) => tlChat(world, me.id, requireBasicGroup({ world, me }, id))),
});

function requireBasicGroup({ world, me }: Pick<Caller, 'world' | 'me'>, id: bigint): ChatRow {
  const chat = world.tables.chats.get(`chat:${id}`);
  if (!chat || !memberOf(chat, me.id)) throw new RpcError(400, 'CHAT_ID_INVALID');
  return chat;
}

const getFullChat: Method = (params, caller) => {
  const { world, me } = caller;
  const chat = requireBasicGroup(caller, params['chat_id'] as bigint);
  const members = Object.entries(chat.members);
  return {
    _: 'messages.chatFull',
    full_chat: {
      _: 'chatFull',
      id: BigInt(chat.id),
      about: chat.about,
      participants: {
        _: 'chatParticipants',
        chat_id: BigInt(chat.id),
        participants: members.map(([id, member]) => tlChatParticipant(BigInt(id), member)),
        version: 1,
      },
      chat_photo: fullPhoto(caller, chat),
      notify_settings: defaultNotifySettings,
    },
    ...new MentionedPeers(world, me.id).add(chatPeer(chat.id), ...members.map(([id]) => userPeer(Number(id)))).lists(),
  };
};

function tlChatParticipant(user_id: bigint, member: Member): TlObject {
  if (member.role === 'creator') return { _: 'chatParticipantCreator', user_id };
  const fields = { user_id, inviter_id: BigInt(member.inviter ?? 0), date: member.date };
  return member.role ? { _: 'chatParticipantAdmin', ...fields } : { _: 'chatParticipant', ...fields };
}

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
      notify_settings: defaultNotifySettings,
      bot_info: [],
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
