import { recipientOf } from './recipient-of.ts';
import { request } from './request.ts';
import type { ChatDoc, MessageDoc } from './types.ts';

/** Gives an own message another text or caption, once, however often it is repeated with the key. */
export async function patchMessage(session: string, body: object, idempotencyKey: string): Promise<void> {
  await request('PATCH', '/message', { session, body, idempotencyKey });
}

export async function deleteMessage(
  session: string,
  chat: ChatDoc,
  { id }: MessageDoc,
  forEveryone: boolean,
): Promise<void> {
  const query = new URLSearchParams({ ...recipientOf(chat), messageIds: id, forEveryone: String(forEveryone) });
  await request('DELETE', `/message?${query}`, { session });
}

/** @param emoji empty: takes the reaction back */
export async function postReaction(session: string, chat: ChatDoc, { id }: MessageDoc, emoji: string): Promise<void> {
  const body = { ...recipientOf(chat), messageId: id, emoji };
  await request('POST', '/message/reaction', { session, body });
}

/** Marks a chat as read up to a message. */
export async function postRead(session: string, chat: ChatDoc, messageId: string): Promise<void> {
  await request('POST', '/chat/read', { session, body: { ...recipientOf(chat), messageId } });
}
