import { Api } from 'telegram/tl/index.js';
import type { MemberAction } from '../../port/updates.ts';
import { peerId } from '../peers/peers-in-updates.ts';
import type { ChatUpdate } from './chat-update.ts';

/** What a service message says of the members of its chat. Whether the account itself is in a channel, that says itself. */
export function serviceChanges(message: Api.MessageService, ownId: string | undefined): ChatUpdate[] {
  const { action, date, fromId } = message;
  if (message.peerId instanceof Api.PeerUser) return [];
  const chatId = peerId(message.peerId);
  const isBasic = message.peerId instanceof Api.PeerChat;
  const byId = fromId ? peerId(fromId) : undefined;
  const by = byId === undefined ? {} : { byId };
  const changed = (userId: string, member: MemberAction, own: 'chat.joined' | 'chat.left'): ChatUpdate[] => {
    if (userId !== ownId) return [{ type: 'chat.member', date, chatId, userId, action: member, ...by }];
    return isBasic ? [{ type: own, date, chatId, ...by }] : [];
  };
  if (action instanceof Api.MessageActionChatCreate && ownId !== undefined)
    return changed(ownId, 'added', 'chat.joined');
  if (action instanceof Api.MessageActionChatAddUser) {
    return action.users.flatMap((user) => {
      const userId = user.toString();
      return changed(userId, userId === byId ? 'joined' : 'added', 'chat.joined');
    });
  }
  const isJoin =
    action instanceof Api.MessageActionChatJoinedByLink || action instanceof Api.MessageActionChatJoinedByRequest;
  if (isJoin) return byId === undefined ? [] : changed(byId, 'joined', 'chat.joined');
  if (action instanceof Api.MessageActionChatDeleteUser) {
    const userId = action.userId.toString();
    return changed(userId, userId === byId ? 'left' : 'removed', 'chat.left');
  }
  return [];
}

/** What a bot is told of each member of its chats. */
export function memberChange(update: Api.TypeUpdate, ownId: string | undefined): ChatUpdate[] | undefined {
  if (!(update instanceof Api.UpdateChatParticipant || update instanceof Api.UpdateChannelParticipant))
    return undefined;
  const chatId = 'chatId' in update ? `-${update.chatId.toString()}` : `-100${update.channelId.toString()}`;
  const userId = update.userId.toString();
  // The chat itself says it.
  if (userId === ownId) return [];
  const byId = update.actorId.toString();
  const action = actionOf(roleOf(update.prevParticipant), roleOf(update.newParticipant), userId === byId);
  return action === undefined ? [] : [{ type: 'chat.member', date: update.date, chatId, userId, action, byId }];
}

type Role = 'none' | 'restricted' | 'member' | 'admin';

function roleOf(participant: Api.TypeChatParticipant | Api.TypeChannelParticipant | undefined): Role {
  if (participant === undefined || participant === null) return 'none';
  if (participant instanceof Api.ChannelParticipantLeft) return 'none';
  if (participant instanceof Api.ChannelParticipantBanned) return participant.left ? 'none' : 'restricted';
  return /Admin|Creator/.test(participant.className) ? 'admin' : 'member';
}

function actionOf(before: Role, after: Role, isOwnDoing: boolean): MemberAction | undefined {
  if (before === after) return undefined;
  if (after === 'none') return isOwnDoing ? 'left' : 'removed';
  if (before === 'none') return isOwnDoing ? 'joined' : 'added';
  if (after === 'admin') return 'promoted';
  if (after === 'restricted') return 'restricted';
  return before === 'admin' ? 'demoted' : 'unrestricted';
}
