/** The tabs of a session's page, in their order. */
export const sessionTabs = ['overview', 'timeline', 'deliveries', 'chart', 'raw'] as const;
export type SessionTab = (typeof sessionTabs)[number];

/** What the address shows: a tab of a session, or its chats, or one of them. */
export interface SessionRoute {
  id: string;
  tab: SessionTab;
  isChats: boolean;
  /** Of the open chat; undefined if none is open. */
  chatId: string | undefined;
}

const sessionHash = /^#\/sessions\/([^/]+)(?:\/(?:(chats)(?:\/([^/]+))?|(timeline|deliveries|chart|raw)))?$/;

/** Reads the part of the address after `#`; undefined if it shows no session. */
export function readRoute(hash: string): SessionRoute | undefined {
  const [, id, chats, chatId, tab = 'overview'] = sessionHash.exec(hash) ?? [];
  if (id === undefined) return undefined;
  return {
    id: decodeURIComponent(id),
    tab: tab as SessionTab,
    isChats: chats !== undefined,
    chatId: chatId === undefined ? undefined : decodeURIComponent(chatId),
  };
}

export const sessionHref = (id: string): string => `#/sessions/${encodeURIComponent(id)}`;
export const tabHref = (id: string, tab: SessionTab): string =>
  tab === 'overview' ? sessionHref(id) : `${sessionHref(id)}/${tab}`;
export const chatsHref = (id: string): string => `${sessionHref(id)}/chats`;
export const chatHref = (id: string, chatId: string): string => `${chatsHref(id)}/${encodeURIComponent(chatId)}`;
