import { describe, expect, it } from 'vitest';
import {
  chatHref,
  chatsHref,
  readRoute,
  sessionHref,
  sessionTabs,
  tabHref,
} from '../../../../console/parts/session-route.ts';

describe('the address of a page', () => {
  it('[CO6.1] names a session, its chats, and one of them', () => {
    const overview = { tab: 'overview', isChats: false, chatId: undefined };
    expect(readRoute(sessionHref('a/b'))).toEqual({ ...overview, id: 'a/b' });
    expect(readRoute(chatsHref('a'))).toEqual({ ...overview, id: 'a', isChats: true });
    expect(readRoute(chatHref('a', '-1003001'))).toEqual({ ...overview, id: 'a', isChats: true, chatId: '-1003001' });
    expect(['', '#/', '#/sessions/a/other'].map(readRoute)).toEqual([undefined, undefined, undefined]);
  });

  it('[CO8.1] names a tab of a session', () => {
    const shown = sessionTabs.map((tab) => readRoute(tabHref('a/b', tab)));
    expect(shown).toEqual(sessionTabs.map((tab) => ({ id: 'a/b', tab, isChats: false, chatId: undefined })));
    expect(tabHref('a', 'overview')).toBe(sessionHref('a'));
  });
});
