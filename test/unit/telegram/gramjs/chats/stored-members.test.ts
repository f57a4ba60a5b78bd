import { setImmediate as nextTurn } from 'node:timers/promises';
import { Api } from 'telegram/tl/index.js';
import { expect, it } from 'vitest';
import { LightAbort } from '../../../../../actors/kit/light-abort.ts';
import { GramChats } from '../../../../../src/telegram/gramjs/chats/chats.ts';
import { PeerCache } from '../../../../../src/telegram/peer-cache.ts';
import { createDrivenClock } from '../../../../support/kit/clock.ts';
import { createGate } from '../../../../support/kit/gate.ts';

it('[GR3.2] members are handed out when they are stored', async () => {
  const stored = createGate();
  const nobody = new Api.channels.ChannelParticipants({ count: 0, participants: [], chats: [], users: [] });
  const chats = new GramChats({
    clock: createDrivenClock(),
    book: new PeerCache([{ kind: 'group', id: '-1003001', hash: '1' }]),
    call: async () => nobody,
    files: { call: () => Promise.reject(new Error('not used')) },
    stored: () => stored.passed,
  });
  let members: unknown;
  const listing = chats.members({ kind: 'group', id: '-1003001' }, 10, new LightAbort()).then((found) => {
    members = found;
  });
  await nextTurn();
  expect(members).toBeUndefined();
  stored.open();
  await listing;
  expect(members).toEqual([]);
});
