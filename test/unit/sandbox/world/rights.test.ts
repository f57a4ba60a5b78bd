import { beforeEach, describe, expect, it } from 'vitest';
import type { AuthKey, TlObject } from '../../../../sandbox/rpc.ts';
import { accessHash } from '../../../../sandbox/world/access-hash.ts';
import type { UserRow } from '../../../../sandbox/world/state/rows.ts';
import { openWorldFixture, type WorldFixture } from '../../../support/sandbox/world-fixture.ts';

let fixture: WorldFixture;
let ann: AuthKey;
beforeEach(async () => {
  fixture = await openWorldFixture({ differenceSlice: 3 });
  ann = await fixture.logIn(1001);
});

const user = (viewer: number, id: number): TlObject => ({
  _: 'inputPeerUser',
  user_id: BigInt(id),
  access_hash: accessHash(fixture.world, viewer, 'user', id),
});
const slow = (viewer: number): TlObject => ({
  _: 'inputPeerChannel',
  channel_id: 3004n,
  access_hash: accessHash(fixture.world, viewer, 'channel', 3004),
});
let lastRandomId = 0n;
const send = (peer: TlObject, key = ann) => {
  lastRandomId += 1n;
  return fixture.call(key, 'messages.sendMessage', { peer, message: 'x', random_id: lastRandomId });
};
const edit = (id: number, fields: Partial<UserRow>) =>
  fixture.world.tables.users.put({ ...(fixture.world.tables.users.get(id) as UserRow), ...fields });
const rejected = (code: number, text: string) => ({ code, text });

describe('slow mode', () => {
  it('answers with the seconds to wait, even if the last message was deleted', async () => {
    const { updates } = await send(slow(1001));
    fixture.clock.time += 11_000;
    await expect(send(slow(1001))).rejects.toMatchObject(rejected(420, 'SLOWMODE_WAIT_19'));
    await fixture.call(ann, 'channels.deleteMessages', { channel: channel3004(), id: [updates[0].id] });
    await expect(send(slow(1001))).rejects.toMatchObject(rejected(420, 'SLOWMODE_WAIT_19'));
    fixture.clock.time += 19_000;
    expect(await send(slow(1001))).toMatchObject({ _: 'updates' });
  });

  it('counts for each member separately, and not for typing', async () => {
    await send(slow(1001));
    const cara = await fixture.logIn(1003);
    expect(await send(slow(1003), cara)).toMatchObject({ _: 'updates' });
    const typing = { peer: slow(1001), action: { _: 'sendMessageTypingAction' } };
    expect(await fixture.call(ann, 'messages.setTyping', typing)).toBe(true);
  });

  const channel3004 = (): TlObject => ({ ...slow(1001), _: 'inputChannel' });
});

describe('sending to a user', () => {
  it('is refused if either side has blocked the other', async () => {
    edit(1001, { blocked: [1002] });
    await expect(send(user(1001, 1002))).rejects.toMatchObject(rejected(400, 'YOU_BLOCKED_USER'));
    edit(1001, { blocked: [] });
    edit(1002, { blocked: [1001] });
    await expect(send(user(1001, 1002))).rejects.toMatchObject(rejected(400, 'USER_IS_BLOCKED'));
  });

  it('may be limited to contacts and premium users', async () => {
    const cara = await fixture.logIn(1003);
    edit(1002, { contactsOnly: true, contacts: [] });
    await expect(send(user(1003, 1002), cara)).rejects.toMatchObject(rejected(403, 'PRIVACY_PREMIUM_REQUIRED'));
    edit(1003, { premium: true });
    expect(await send(user(1003, 1002), cara)).toMatchObject({ out: true });
    edit(1003, { premium: false });
    edit(1002, { contacts: [1003] });
    expect(await send(user(1003, 1002), cara)).toMatchObject({ out: true });
  });
});

describe('the random_id of a message', () => {
  const missed = async (key: AuthKey, pts: number): Promise<TlObject[]> => {
    const { other_updates } = await fixture.call(key, 'updates.getDifference', { pts, date: 0, qts: 0 });
    return other_updates.filter(({ _: name }: TlObject) => name === 'updateMessageID');
  };

  it('is in the difference of the login that sent it, and in no other', async () => {
    const { pts } = fixture.world.tables.box('user:1001');
    const other = await fixture.logIn(1001);
    const { id } = await send(user(1001, 1002));
    expect(await missed(ann, pts)).toEqual([{ _: 'updateMessageID', id, random_id: lastRandomId }]);
    expect(await missed(other, pts)).toEqual([]);
  });

  it('cannot be used again after the message was deleted', async () => {
    const { id } = await send(user(1001, 1002));
    await fixture.call(ann, 'messages.deleteMessages', { id: [id], revoke: true });
    lastRandomId -= 1n;
    await expect(send(user(1001, 1002))).rejects.toMatchObject(rejected(500, 'RANDOM_ID_DUPLICATE'));
  });
});
