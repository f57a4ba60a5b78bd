import { Api } from 'telegram/tl/index.js';
import type { ChatMessage } from '../../port/chat-message.ts';
import { peerId } from '../peers/peers-in-updates.ts';
import { messageMedia } from './message-media.ts';

/** A message of any kind of chat, as features read it. */
export function chatMessage(message: Api.Message): ChatMessage {
  const sender = senderOf(message);
  const replyTo = repliedTo(message.replyTo);
  const media = messageMedia(message.media);
  return {
    id: message.id,
    chatId: peerId(message.peerId),
    created: message.date * 1000,
    // Where it is hidden, nothing but reactions or a poll's votes have changed.
    ...(message.editDate && !message.editHide && { edited: message.editDate * 1000 }),
    fromMe: message.out === true,
    ...(sender !== undefined && { senderId: sender }),
    text: message.message ?? '',
    ...(replyTo !== undefined && { replyTo }),
    ...(media !== undefined && { media }),
  };
}

/** In a private chat Telegram leaves out who wrote what the other one wrote: it is the chat's own user. */
function senderOf({ fromId, peerId: chat, out }: Api.Message): string | undefined {
  if (fromId instanceof Api.PeerUser) return fromId.userId.toString();
  return chat instanceof Api.PeerUser && !out ? chat.userId.toString() : undefined;
}

/** The message in the same chat that this one answers. Every message of a forum's topic names the topic's first. */
function repliedTo(header: Api.TypeMessageReplyHeader | undefined): number | undefined {
  if (!(header instanceof Api.MessageReplyHeader) || header.replyToPeerId) return undefined;
  return header.forumTopic && !header.replyToTopId ? undefined : (header.replyToMsgId ?? undefined);
}
