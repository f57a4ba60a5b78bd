import { recipientOf } from './recipient-of.ts';
import { request } from './request.ts';
import type { ChatDoc, MessageDoc, PressedButton } from './types.ts';

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

/** Presses an inline button at its place, both counted from 0. */
export function postButton(
  session: string,
  chat: ChatDoc,
  { id }: MessageDoc,
  place: { row: number; column: number },
): Promise<PressedButton> {
  const body = { ...recipientOf(chat), messageId: id, ...place };
  return request('POST', '/message/button', { session, body });
}

/** @param options places of the answers, counted from 0; none takes the vote back */
export async function postVote(
  session: string,
  chat: ChatDoc,
  { id }: MessageDoc,
  options: readonly number[],
): Promise<void> {
  await request('POST', '/message/vote', { session, body: { ...recipientOf(chat), messageId: id, options } });
}

/**
 * Forwards a message to another chat, once, however often it is repeated with the key.
 * @param dropAuthor as a copy that does not name who wrote it
 */
export async function postForward(
  session: string,
  { from, message, to, dropAuthor }: { from: ChatDoc; message: MessageDoc; to: ChatDoc; dropAuthor: boolean },
  idempotencyKey: string,
): Promise<void> {
  const body = { from: recipientOf(from), messageIds: [message.id], ...recipientOf(to), dropAuthor };
  await request('POST', '/message/forward', { session, body, idempotencyKey });
}

/** Pins a message for all, or unpins it. */
export async function setPinned(session: string, chat: ChatDoc, { id }: MessageDoc, isPinned: boolean): Promise<void> {
  const where = { ...recipientOf(chat), messageId: id };
  if (isPinned) await request('POST', '/message/pin', { session, body: where });
  else await request('DELETE', `/message/pin?${new URLSearchParams(where)}`, { session });
}

/** Marks a chat, or a topic of a forum, as read up to a message. @param topic empty: the chat */
export async function postRead(session: string, chat: ChatDoc, messageId: string, topic: string): Promise<void> {
  const where = { ...recipientOf(chat), ...(topic !== '' && { topic }) };
  await request('POST', '/chat/read', { session, body: { ...where, messageId } });
}
