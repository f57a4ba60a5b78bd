import type { ChatDoc, ChatsPage } from '../api/types.ts';

/** The first pages of the list of chats. */
export interface LoadedChats {
  chats: readonly ChatDoc[];
  /** What the next page takes; empty if all are loaded. */
  after: string;
}

/**
 * Takes the first page: its chats come first, as they are now. Those of further pages stay behind them. A chat that is newer
 * than the end of the page, and not in it, is gone.
 */
export function withFirstPage(known: LoadedChats | undefined, { docs, after }: ChatsPage): LoadedChats {
  if (known === undefined || after === '') return { chats: docs, after };
  const ids = new Set(docs.map(({ id }) => id));
  const end = timeOf(docs.at(-1));
  const rest = known.chats.filter((chat) => !ids.has(chat.id) && timeOf(chat) <= end);
  return rest.length === 0 ? { chats: docs, after } : { chats: [...docs, ...rest], after: known.after };
}

/** Takes the page that was requested with `after`; one that no longer fits is left out. */
export function withNextPage(known: LoadedChats, after: string, page: ChatsPage): LoadedChats {
  if (known.after !== after) return known;
  const ids = new Set(known.chats.map(({ id }) => id));
  return { chats: [...known.chats, ...page.docs.filter(({ id }) => !ids.has(id))], after: page.after };
}

/** Shows a chat without unread messages. */
export function withRead({ chats, after }: LoadedChats, chatId: string): LoadedChats {
  return { chats: chats.map((chat) => (chat.id === chatId ? { ...chat, unread: 0 } : chat)), after };
}

/** ISO 8601 times compare as text. */
const timeOf = (chat: ChatDoc | undefined): string => chat?.last?.created ?? '';
