import { Api } from 'telegram/tl/index.js';
import type { ChatMessage } from '../../port/chat-message.ts';
import { peerId } from '../peers/peers-in-updates.ts';
import { textEntities } from '../peers/text-entities.ts';
import { messageMedia } from './message-media.ts';

/** A message of any kind of chat, as features see it. */
export function chatMessage(message: Api.Message): ChatMessage {
  const sender = senderOf(message);
  const replyTo = repliedTo(message.replyTo);
  const media = messageMedia(message.media);
  const entities = textEntities(message.entities ?? []);
  return {
    id: message.id,
    chatId: peerId(message.peerId),
    created: message.date * 1000,
    // A hidden edit changed only reactions or a poll's votes.
    ...(message.editDate && !message.editHide && { edited: message.editDate * 1000 }),
    fromMe: message.out === true,
    ...(sender !== undefined && { senderId: sender }),
    text: message.message ?? '',
    ...(entities.length > 0 && { entities }),
    ...(replyTo !== undefined && { replyTo }),
    ...(media !== undefined && { media }),
  };
}

/** In a private chat Telegram omits the sender of incoming messages: it is the chat's user. */
function senderOf({ fromId, peerId: chat, out }: Api.Message): string | undefined {
  if (fromId instanceof Api.PeerUser) return fromId.userId.toString();
  return chat instanceof Api.PeerUser && !out ? chat.userId.toString() : undefined;
}

/**
 * The ID of the message that this one replies to, in the same chat. In a forum every message names the topic's first
 * one.
 */
function repliedTo(header: Api.TypeMessageReplyHeader | undefined): number | undefined {
  if (!(header instanceof Api.MessageReplyHeader) || header.replyToPeerId) return undefined;
  return header.forumTopic && !header.replyToTopId ? undefined : (header.replyToMsgId ?? undefined);
}
