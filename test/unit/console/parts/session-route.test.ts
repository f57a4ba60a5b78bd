import { describe, expect, it } from 'vitest';
import { chatHref, chatsHref, readRoute, sessionHref } from '../../../../console/parts/session-route.ts';

describe('the address of a page', () => {
  it('[CO6.1] names a session, its chats, and one of them', () => {
    expect(readRoute(sessionHref('a/b'))).toEqual({ id: 'a/b', isChats: false, chatId: undefined });
    expect(readRoute(chatsHref('a'))).toEqual({ id: 'a', isChats: true, chatId: undefined });
    expect(readRoute(chatHref('a', '-1003001'))).toEqual({ id: 'a', isChats: true, chatId: '-1003001' });
    expect(['', '#/', '#/sessions/a/other'].map(readRoute)).toEqual([undefined, undefined, undefined]);
  });
});
