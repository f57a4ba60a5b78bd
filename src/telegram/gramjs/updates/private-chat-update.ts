import { Api } from 'telegram/tl/index.js';
import { serviceAccounts } from '../../port/service-accounts.ts';
import { peerId } from '../peers/peers-in-updates.ts';

/**
 * An update about a private chat, read only as far as needed to know that. `date`: when it happened, in Telegram's
 * seconds since 1970, if Telegram says it.
 */
export type PrivateChatUpdate = { date: number | undefined } & (
  | { type: 'message' | 'message.edited'; chatId: string; message: Api.Message }
  | { type: 'message.sent'; chatId: string; messageId: number }
  | { type: 'message.deleted'; messageIds: number[] }
  | { type: 'message.read'; chatId: string; upTo: number; fromMe: boolean }
);

/**
 * The update of a private chat with a person or a bot; undefined for everything else: groups, channels, notes to
 * oneself, Telegram's service account, service messages, and edits that change only reactions or votes.
 * @param ownId the account's own user ID
 */
export function privateChatUpdate(update: Api.TypeUpdate, ownId: string | undefined): PrivateChatUpdate | undefined {
  if (update instanceof Api.UpdateNewMessage || update instanceof Api.UpdateEditMessage) {
    const { message } = update;
    if (!(message instanceof Api.Message)) return undefined;
    const chatId = privateChat(message.peerId, ownId);
    if (chatId === undefined) return undefined;
    if (update instanceof Api.UpdateNewMessage) return { type: 'message', date: message.date, chatId, message };
    if (!message.editDate || message.editHide) return undefined;
    return { type: 'message.edited', date: message.editDate, chatId, message };
  }
  if (update instanceof Api.UpdateDeleteMessages) {
    return { type: 'message.deleted', date: undefined, messageIds: update.messages };
  }
  if (update instanceof Api.UpdateReadHistoryInbox || update instanceof Api.UpdateReadHistoryOutbox) {
    const chatId = privateChat(update.peer, ownId);
    if (chatId === undefined) return undefined;
    const fromMe = update instanceof Api.UpdateReadHistoryInbox;
    return { type: 'message.read', date: undefined, chatId, upTo: update.maxId, fromMe };
  }
  return undefined;
}

function privateChat(peer: Api.TypePeer, ownId: string | undefined): string | undefined {
  if (!(peer instanceof Api.PeerUser)) return undefined;
  const id = peerId(peer);
  return id === ownId || serviceAccounts.has(id) ? undefined : id;
}
