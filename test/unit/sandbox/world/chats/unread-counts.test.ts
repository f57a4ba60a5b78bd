import { expect, it } from 'vitest';
import { addChats } from '../../../../../sandbox/world/chats/add-chats.ts';
import { unreadCount } from '../../../../../sandbox/world/dialogs.ts';
import { prepareSeed } from '../../../../../sandbox/world/seed/seed.ts';
import { channelPeer } from '../../../../../sandbox/world/state/peer.ts';
import { openWorldFixture } from '../../../../support/sandbox/world-fixture.ts';

it('what is unread is counted anew in a world that was reset', async () => {
  const { world } = await openWorldFixture();
  const group = { kind: 'supergroup', count: 1, members: 0, title: 'Boats' } as const;
  const [own] = addChats(world, 1001, group).chats;
  expect(unreadCount(world, 1001, channelPeer(own?.id ?? 0))).toBe(0);
  world.reset(await prepareSeed());
  const [theirs] = addChats(world, 1003, group).chats;
  if (theirs) world.tables.chats.put({ ...theirs, members: { ...theirs.members, 1001: { date: theirs.date } } });
  expect(theirs?.id).toBe(own?.id);
  expect(unreadCount(world, 1001, channelPeer(theirs?.id ?? 0))).toBe(1);
});
