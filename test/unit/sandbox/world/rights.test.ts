import { beforeEach, describe, expect, it } from 'vitest';
import type { AuthKey, TlObject } from '../../../../sandbox/rpc.ts';
import { accessHash } from '../../../../sandbox/world/access-hash.ts';
import type { UserRow } from '../../../../sandbox/world/state/rows.ts';
import { type Bench, openBench } from '../../../support/sandbox/world-fixture.ts';

let bench: Bench;
let ann: AuthKey;
beforeEach(async () => {
  bench = await openBench({ differenceSlice: 3 });
  ann = await bench.logIn(1001);
});

const user = (viewer: number, id: number): TlObject => ({
  _: 'inputPeerUser',
  user_id: BigInt(id),
  access_hash: accessHash(bench.world, viewer, 'user', id),
});
const slow = (viewer: number): TlObject => ({
  _: 'inputPeerChannel',
  channel_id: 3004n,
  access_hash: accessHash(bench.world, viewer, 'channel', 3004),
});
let lastRandomId = 0n;
const send = (peer: TlObject, key = ann) => {
  lastRandomId += 1n;
  return bench.call(key, 'messages.sendMessage', { peer, message: 'x', random_id: lastRandomId });
};
const edit = (id: number, fields: Partial<UserRow>) =>
  bench.world.tables.users.put({ ...(bench.world.tables.users.get(id) as UserRow), ...fields });
const rejected = (code: number, text: string) => ({ code, text });

describe('slow mode', () => {
  it('says how long to wait, whatever became of the message before', async () => {
    const { updates } = await send(slow(1001));
    bench.clock.time += 11_000;
    await expect(send(slow(1001))).rejects.toMatchObject(rejected(420, 'SLOWMODE_WAIT_19'));
    await bench.call(ann, 'channels.deleteMessages', { channel: channel3004(), id: [updates[0].id] });
    await expect(send(slow(1001))).rejects.toMatchObject(rejected(420, 'SLOWMODE_WAIT_19'));
    bench.clock.time += 19_000;
    expect(await send(slow(1001))).toMatchObject({ _: 'updates' });
  });

  it('holds for each one alone, not for typing', async () => {
    await send(slow(1001));
    const cara = await bench.logIn(1003);
    expect(await send(slow(1003), cara)).toMatchObject({ _: 'updates' });
    const typing = { peer: slow(1001), action: { _: 'sendMessageTypingAction' } };
    expect(await bench.call(ann, 'messages.setTyping', typing)).toBe(true);
  });

  const channel3004 = (): TlObject => ({ ...slow(1001), _: 'inputChannel' });
});

describe('a person', () => {
  it('whom the sender has blocked, or who blocked the sender, gets nothing', async () => {
    edit(1001, { blocked: [1002] });
    await expect(send(user(1001, 1002))).rejects.toMatchObject(rejected(400, 'YOU_BLOCKED_USER'));
    edit(1001, { blocked: [] });
    edit(1002, { blocked: [1001] });
    await expect(send(user(1001, 1002))).rejects.toMatchObject(rejected(400, 'USER_IS_BLOCKED'));
  });

  it('may take messages of contacts and premium users alone', async () => {
    const cara = await bench.logIn(1003);
    edit(1002, { contactsOnly: true, contacts: [] });
    await expect(send(user(1003, 1002), cara)).rejects.toMatchObject(rejected(403, 'PRIVACY_PREMIUM_REQUIRED'));
    edit(1003, { premium: true });
    expect(await send(user(1003, 1002), cara)).toMatchObject({ out: true });
    edit(1003, { premium: false });
    edit(1002, { contacts: [1003] });
    expect(await send(user(1003, 1002), cara)).toMatchObject({ out: true });
  });
});

describe('the random_id of what was sent', () => {
  const missed = async (key: AuthKey, pts: number): Promise<TlObject[]> => {
    const { other_updates } = await bench.call(key, 'updates.getDifference', { pts, date: 0, qts: 0 });
    return other_updates.filter(({ _: name }: TlObject) => name === 'updateMessageID');
  };

  it('is in the difference of the login that sent it, and of no other', async () => {
    const { pts } = bench.world.tables.box('user:1001');
    const other = await bench.logIn(1001);
    const { id } = await send(user(1001, 1002));
    expect(await missed(ann, pts)).toEqual([{ _: 'updateMessageID', id, random_id: lastRandomId }]);
    expect(await missed(other, pts)).toEqual([]);
  });

  it('stays taken when the message is deleted', async () => {
    const { id } = await send(user(1001, 1002));
    await bench.call(ann, 'messages.deleteMessages', { id: [id], revoke: true });
    lastRandomId -= 1n;
    await expect(send(user(1001, 1002))).rejects.toMatchObject(rejected(500, 'RANDOM_ID_DUPLICATE'));
  });
});
