import { RpcError, type TlObject } from '../../../rpc.ts';
import { setAbout, setDefaultBanned, setPhoto, setTitle, toggleSlowMode } from '../../../world/chats/chat-info.ts';
import { requireAdminRight, requireMemberRight } from '../../../world/chats/rights.ts';
import type { ChatRow } from '../../../world/state/rows.ts';
import { inputActiveGroup, inputGroupOrChannel } from '../../input/input-chat.ts';
import { inputChatPhoto } from '../../input/input-chat-photo.ts';
import { inputChannel } from '../../input/input-peer.ts';
import type { Caller, Method } from '../../method.ts';
import { rightsIn } from '../../objects/tl-chat-rights.ts';
import { pushChange } from '../../push/push-change.ts';
import { answerChange } from './answer-change.ts';

/** Finds the chat of a call: basic groups and channels have methods of their own for the same change. */
type ChatOf = (params: TlObject, caller: Caller) => ChatRow;
const basicGroup: ChatOf = (params, caller) => inputActiveGroup(caller, params['chat_id'] as bigint);
const channel: ChatOf = (params, caller) => inputChannel(caller, params['channel'] as TlObject);

const editTitle =
  (chatOf: ChatOf): Method =>
  (params, caller) => {
    const { world, me } = caller;
    const chat = chatOf(params, caller);
    requireMemberRight(world, chat, me.id, 'change_info');
    return answerChange(caller, setTitle(world, chat, me.id, params['title']));
  };

const editPhoto =
  (chatOf: ChatOf): Method =>
  async (params, caller) => {
    const { world, me } = caller;
    const chat = chatOf(params, caller);
    requireMemberRight(world, chat, me.id, 'change_info');
    const photo = await inputChatPhoto(caller, params['photo'] as TlObject);
    return answerChange(caller, setPhoto(world, chat, me.id, photo));
  };

const editAbout: Method = (params, caller) => {
  const { world, me } = caller;
  const chat = inputGroupOrChannel(caller, params['peer'] as TlObject);
  requireMemberRight(world, chat, me.id, 'change_info');
  pushChange(world, setAbout(world, chat, params['about']));
  return true;
};

const editDefaultBannedRights: Method = (params, caller) => {
  const { world, me } = caller;
  const chat = inputGroupOrChannel(caller, params['peer'] as TlObject);
  requireAdminRight(chat, me.id, 'ban_users');
  const rights = rightsIn(params['banned_rights'] as TlObject);
  const isGroup = chat.kind === 'chat' || chat.megagroup;
  if (!isGroup || rights.includes('view_messages')) throw new RpcError(400, 'BANNED_RIGHTS_INVALID');
  return answerChange(caller, setDefaultBanned(world, chat, rights));
};

const toggleSlowModeMethod: Method = (params, caller) => {
  const { world, me } = caller;
  const chat = channel(params, caller);
  if (!chat.megagroup) throw new RpcError(400, 'CHAT_ID_INVALID');
  requireAdminRight(chat, me.id, 'ban_users');
  return answerChange(caller, toggleSlowMode(world, chat, params['seconds']));
};

export const editChatMethods: Record<string, Method> = {
  'messages.editChatTitle': editTitle(basicGroup),
  'channels.editTitle': editTitle(channel),
  'messages.editChatPhoto': editPhoto(basicGroup),
  'channels.editPhoto': editPhoto(channel),
  'messages.editChatAbout': editAbout,
  'messages.editChatDefaultBannedRights': editDefaultBannedRights,
  'channels.toggleSlowMode': toggleSlowModeMethod,
};
