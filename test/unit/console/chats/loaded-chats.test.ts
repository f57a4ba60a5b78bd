import { describe, expect, it } from 'vitest';
import type { ChatDoc, ChatsPage } from '../../../../console/api/types.ts';
import { type LoadedChats, withFirstPage, withNextPage } from '../../../../console/chats/loaded-chats.ts';
import { chatDoc, messageDoc } from '../../../support/browser/chat-documents.ts';

/** A chat whose last message is of that minute. */
const chat = (id: string, minute: number): ChatDoc =>
  chatDoc({ id, last: messageDoc({ created: `2026-03-04T10:${minute}:00.000Z` }) });
const page = (docs: ChatDoc[], after: string): ChatsPage => ({ docs, after });
const idsOf = ({ chats }: LoadedChats): string[] => chats.map(({ id }) => id);

describe('the chats that are loaded', () => {
  const two = withNextPage(withFirstPage(undefined, page([chat('a', 59), chat('b', 58)], 'p')), 'p', {
    docs: [chat('c', 57), chat('d', 56)],
    after: 'q',
  });

  it('[CO6.1] are those of the pages, each once', () => {
    expect([idsOf(two), two.after]).toEqual([['a', 'b', 'c', 'd'], 'q']);
    expect(idsOf(withNextPage(two, 'q', page([chat('d', 56), chat('e', 55)], '')))).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(withNextPage(two, 'p', page([chat('x', 1)], 'r'))).toBe(two);
  });

  it('[CO6.5] a chat with a new message moves to the top, and the one that it displaces stays', () => {
    const fresh = withFirstPage(two, page([chat('d', 60), chat('a', 59)], 'p2'));
    expect([idsOf(fresh), fresh.after]).toEqual([['d', 'a', 'b', 'c'], 'q']);
  });

  it('[CO6.5] a chat that was left goes', () => {
    const fresh = withFirstPage(two, page([chat('a', 59), chat('c', 57)], 'p2'));
    expect([idsOf(fresh), fresh.after]).toEqual([['a', 'c', 'd'], 'q']);
    expect(withFirstPage(two, page([chat('a', 59)], '')).chats).toHaveLength(1);
  });
});
