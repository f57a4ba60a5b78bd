import { Api } from 'telegram/tl/index.js';
import { serviceAccounts } from '../../port/service-accounts.ts';
import { peerId } from '../peers/peers-in-updates.ts';

/** An update that says only what is so at this moment. */
export type MomentUpdate =
  | { type: 'chat.typing'; chatId: string; userId: string; action: string }
  /** `lastSeen`: Telegram's seconds since 1970, if Telegram says. */
  | { type: 'user.status'; userId: string; online: boolean; lastSeen: number | undefined };

/** Undefined for everything else, and for what Telegram's own accounts and the account itself do. */
export function momentUpdate(update: Api.TypeUpdate, ownId: string | undefined): MomentUpdate | undefined {
  const found = read(update);
  return found === undefined || found.userId === ownId || serviceAccounts.has(found.userId) ? undefined : found;
}

function read(update: Api.TypeUpdate): MomentUpdate | undefined {
  if (update instanceof Api.UpdateUserTyping) {
    const userId = update.userId.toString();
    return { type: 'chat.typing', chatId: userId, userId, action: actionOf(update.action) };
  }
  if (update instanceof Api.UpdateChatUserTyping || update instanceof Api.UpdateChannelUserTyping) {
    const chatId = 'chatId' in update ? `-${update.chatId.toString()}` : `-100${update.channelId.toString()}`;
    return { type: 'chat.typing', chatId, userId: peerId(update.fromId), action: actionOf(update.action) };
  }
  if (update instanceof Api.UpdateUserStatus) {
    const { status } = update;
    const lastSeen = status instanceof Api.UserStatusOffline ? status.wasOnline : undefined;
    return {
      type: 'user.status',
      userId: update.userId.toString(),
      online: status instanceof Api.UserStatusOnline,
      lastSeen,
    };
  }
  return undefined;
}

/** `SendMessageRecordAudioAction` is `recordAudio`. */
function actionOf({ className }: Api.TypeSendMessageAction): string {
  const name = className.replace(/^SendMessage/, '').replace(/Action$/, '');
  return name.charAt(0).toLowerCase() + name.slice(1);
}
