import { recipientOf } from './recipient-of.ts';
import { gatewayUrl, request } from './request.ts';
import type { ChatDoc, ChatsPage, MessageDoc, MessagesPage, TopicsPage } from './types.ts';

/** The number of chats, and of messages, in a page. */
const pageLength = 50;

/** A page of the list, or of the archive. @param after of the page before; empty for the first one */
export function fetchChats(
  session: string,
  { archived, after }: { archived: boolean; after: string },
  signal: AbortSignal,
): Promise<ChatsPage> {
  const query = new URLSearchParams({ archived: String(archived), after, limit: String(pageLength) });
  return request('GET', `/chat?${query}`, { session, signal });
}

export const fetchChat = (session: string, chatId: string, signal: AbortSignal): Promise<ChatDoc> =>
  request('GET', `/chat/${encodeURIComponent(chatId)}`, { session, signal });

/**
 * A page of a chat's messages, newest first.
 * @param before of the page before; empty for the newest
 * @param topic of a forum; empty for all
 */
export function fetchMessages(
  session: string,
  { chatId, before, topic }: { chatId: string; before: string; topic: string },
  signal: AbortSignal,
): Promise<MessagesPage> {
  const query = new URLSearchParams({ chatId, before, limit: String(pageLength), ...(topic !== '' && { topic }) });
  return request('GET', `/chat/message?${query}`, { session, signal });
}

export function fetchMessage(
  session: string,
  { chatId, messageId }: { chatId: string; messageId: string },
  signal: AbortSignal,
): Promise<MessageDoc> {
  const query = new URLSearchParams({ chatId });
  return request('GET', `/chat/message/${messageId}?${query}`, { session, signal });
}

/** A page of the messages that have some words, newest first. */
export function fetchFound(
  session: string,
  { chatId, words, before }: { chatId: string; words: string; before: string },
  signal: AbortSignal,
): Promise<MessagesPage> {
  const query = new URLSearchParams({ chatId, q: words, before, limit: String(pageLength) });
  return request('GET', `/chat/search?${query}`, { session, signal });
}

/** The first 100 topics of a forum: pinned ones first, then those with the newest messages. */
export function fetchTopics(session: string, groupId: string, signal: AbortSignal): Promise<TopicsPage> {
  return request('GET', `/group/${groupId}/topic?limit=100`, { session, signal });
}

/** What an account sets for a chat. */
export type ChatSetting = 'pin' | 'mute' | 'archive';

export async function postChatSetting(
  session: string,
  chat: ChatDoc,
  setting: ChatSetting,
  on: boolean,
): Promise<void> {
  await request('POST', `/chat/${setting}`, { session, body: { ...recipientOf(chat), on } });
}

/** Sends a message once, however often it is repeated with the key. */
export async function postMessage(session: string, body: object, idempotencyKey: string): Promise<void> {
  await request('POST', '/message', { session, body, idempotencyKey });
}

/** Keeps a file for an hour, for messages of the session to send. @returns its ID and size in bytes */
export function postFile(session: string, file: File): Promise<{ id: string; size: number }> {
  const query = new URLSearchParams({ name: file.name });
  return request('POST', `/file?${query}`, { session, file });
}

/**
 * The address of a media link on the gateway of this page: the link itself has the `PUBLIC_URL`, which this page may not
 * ask (CO2) or not reach.
 */
export function mediaUrl(link: string): string {
  return new URL(link.slice(link.lastIndexOf('/media/') + 1), gatewayUrl).href;
}
