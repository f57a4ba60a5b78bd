import { describe, expect, it } from 'vitest';
import type { MessagesPage } from '../../../../console/api/types.ts';
import { type LoadedMessages, withNewest, withOlder } from '../../../../console/chats/loaded-messages.ts';
import { messageDoc } from '../../../support/browser/chat-documents.ts';

/** A page, newest first, as the gateway sends it. */
const page = (ids: number[], before: string): MessagesPage => ({
  docs: ids.map((id) => messageDoc({ id: String(id) })),
  before,
});
const idsOf = ({ messages }: LoadedMessages): number[] => messages.map(({ id }) => Number(id));

describe('the messages that are loaded', () => {
  it('[CO6.2] are those of the pages, oldest first', () => {
    const newest = withNewest(undefined, page([9, 8, 7], '7'));
    expect(idsOf(newest)).toEqual([7, 8, 9]);
    const older = withOlder(newest, '7', page([5, 4], '3'));
    expect([idsOf(older), older.before]).toEqual([[4, 5, 7, 8, 9], '3']);
    const all = withOlder(older, '3', page([2], ''));
    expect([idsOf(all), all.before]).toEqual([[2, 4, 5, 7, 8, 9], '']);
  });

  it('[CO6.5] a newer page brings what is new, takes away what was deleted, and keeps what is older', () => {
    const known = withOlder(withNewest(undefined, page([9, 8, 7], '7')), '7', page([5, 4], '3'));
    const fresh = withNewest(known, page([10, 9, 7], '6'));
    expect([idsOf(fresh), fresh.before]).toEqual([[4, 5, 7, 9, 10], '3']);
  });

  it('[CO6.5] a page that does not reach the known messages replaces them, so that no gap is shown', () => {
    const fresh = withNewest(withNewest(undefined, page([9, 8, 7], '7')), page([60, 59], '58'));
    expect([idsOf(fresh), fresh.before]).toEqual([[59, 60], '58']);
  });

  it('[CO6.5] a page that is the whole chat is all that there is', () => {
    const known = withNewest(undefined, page([3, 2, 1], ''));
    expect(idsOf(withNewest(known, page([], '')))).toEqual([]);
    expect(withNewest(known, page([4, 1], ''))).toEqual({
      messages: [messageDoc({ id: '1' }), messageDoc({ id: '4' })],
      before: '',
    });
  });

  it('[CO6.5] with only the newest page known, the next page begins where the newest one ends', () => {
    const fresh = withNewest(withNewest(undefined, page([9, 8, 7], '7')), page([10, 9, 8], '8'));
    expect([idsOf(fresh), fresh.before]).toEqual([[7, 8, 9, 10], '7']);
  });

  it('[CO6.2] an older page that was requested before the messages were replaced is left out', () => {
    const known = withNewest(undefined, page([60, 59], '58'));
    expect(withOlder(known, '7', page([5, 4], '3'))).toBe(known);
  });
});
