import { expect, it } from 'vitest';
import { RepeatedMembers } from '../../../../../src/telegram/gramjs/updates/repeated-members.ts';

it('[EV1.12] a change of a member that is told twice in a moment is one, and a later one is another', () => {
  const members = new RepeatedMembers();
  const change = { type: 'chat.member', date: 100, chatId: '-1', userId: '7', action: 'left' } as const;
  expect([change, change, { ...change, date: 105 }].map((one) => members.isRepeated(one))).toEqual([false, true, true]);
  for (const other of [
    { ...change, date: 111 },
    { ...change, userId: '8' },
    { ...change, chatId: '-2' },
    { ...change, action: 'joined' as const },
    { type: 'message.pinned' as const, date: 100, chatId: '-1', messageIds: [1], pinned: true },
  ]) {
    expect(members.isRepeated(other)).toBe(false);
  }
});
