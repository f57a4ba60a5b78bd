/** What the address shows: a session, or its chats, or one of them. */
export interface SessionRoute {
  id: string;
  isChats: boolean;
  /** Of the open chat; undefined if none is open. */
  chatId: string | undefined;
}

const sessionHash = /^#\/sessions\/([^/]+)(?:\/(chats)(?:\/([^/]+))?)?$/;

/** Reads the part of the address after `#`; undefined on the overview. */
export function readRoute(hash: string): SessionRoute | undefined {
  const [, id, chats, chatId] = sessionHash.exec(hash) ?? [];
  if (id === undefined) return undefined;
  return {
    id: decodeURIComponent(id),
    isChats: chats !== undefined,
    chatId: chatId === undefined ? undefined : decodeURIComponent(chatId),
  };
}

export const sessionHref = (id: string): string => `#/sessions/${encodeURIComponent(id)}`;
export const chatsHref = (id: string): string => `${sessionHref(id)}/chats`;
export const chatHref = (id: string, chatId: string): string => `${chatsHref(id)}/${encodeURIComponent(chatId)}`;
