import { beforeEach, describe, expect, it } from 'vitest';
import type { AuthKey, TlObject } from '../../../../sandbox/rpc.ts';
import { accessHash } from '../../../../sandbox/world/access-hash.ts';
import { addAccount } from '../../../../sandbox/world/add-account.ts';
import { usernamePattern } from '../../../../sandbox/world/find-peer.ts';
import { forgetUpdates } from '../../../../sandbox/world/messages/message-boxes.ts';
import { placeMessage } from '../../../../sandbox/world/messages/send-message.ts';
import { userPeer } from '../../../../sandbox/world/state/peer.ts';
import { openWorldFixture, type WorldFixture } from '../../../support/sandbox/world-fixture.ts';

let fixture: WorldFixture;
let ann: AuthKey;
let cara: AuthKey;
beforeEach(async () => {
  fixture = await openWorldFixture();
  ann = await fixture.logIn(1001);
  cara = await fixture.logIn(1003);
  fixture.pushed.length = 0;
});

const channel = (viewer: number, id: number): TlObject => ({
  _: 'inputPeerChannel',
  channel_id: BigInt(id),
  access_hash: accessHash(fixture.world, viewer, 'channel', id),
});
const history = (key: AuthKey, viewer: number, id: number, limit: number) =>
  fixture.call(key, 'messages.getHistory', { peer: channel(viewer, id), offset_id: 0, add_offset: 0, limit });

describe('a post in a channel', () => {
  it('does not name its author, and is outgoing for the author only', async () => {
    await fixture.call(ann, 'messages.sendMessage', { peer: channel(1001, 4001), message: 'news', random_id: 1n });
    const [own] = (await history(ann, 1001, 4001, 1)).messages;
    expect(own).toMatchObject({ message: 'news', post: true, out: true, from_id: undefined });
    const seen = await history(cara, 1003, 4001, 100);
    expect(seen.messages.map(({ out, from_id }: TlObject) => ({ out, from_id }))).toEqual(
      seen.messages.map(() => ({ out: false, from_id: undefined })),
    );
    expect(seen.users.map(({ id }: TlObject) => id)).not.toContain(1001n);
  });

  it('is unlike a message in a supergroup, which names its sender', async () => {
    await fixture.call(ann, 'messages.sendMessage', { peer: channel(1001, 3001), message: 'hello', random_id: 1n });
    const [own] = (await history(ann, 1001, 3001, 1)).messages;
    expect(own).toMatchObject({ post: false, out: true, from_id: { _: 'peerUser', user_id: 1001n } });
  });
});

describe('messages.getDialogs', () => {
  it('takes an offset peer without an access hash: it only marks a place', async () => {
    const page = (offset_peer: TlObject) =>
      fixture.call(ann, 'messages.getDialogs', { offset_peer, offset_date: 0, offset_id: 0, limit: 100 });
    const all = (await page({ _: 'inputPeerEmpty' })).dialogs.map(({ peer }: TlObject) => peer) as TlObject[];
    const inputs: Record<string, string> = {
      peerUser: 'inputPeerUser',
      peerChannel: 'inputPeerChannel',
      peerChat: 'inputPeerChat',
    };
    for (const [index, peer] of all.entries()) {
      const { dialogs } = await page({ ...peer, _: inputs[peer._] ?? '', access_hash: 0n });
      expect(dialogs.map((dialog: TlObject) => dialog.peer)).toEqual(all.slice(index + 1));
    }
  });
});

describe('channels.getParticipant', () => {
  const ask = (method: string, more: object) =>
    fixture.call(ann, method, { channel: { ...channel(1001, 3001), _: 'inputChannel' }, ...more });
  const named = (participants: TlObject[]) =>
    participants.flatMap((each) => [each.user_id, each.inviter_id, each.promoted_by].filter((id) => id !== undefined));

  it('comes with all users that it names, as channels.getParticipants does', async () => {
    const one = await ask('channels.getParticipant', { participant: { _: 'inputPeerSelf' } });
    expect(one.participant.inviter_id).not.toBe(1001n);
    expect(one.users.map(({ id }: TlObject) => id)).toEqual(expect.arrayContaining(named([one.participant])));
    const filter = { _: 'channelParticipantsRecent' };
    for (const offset of [0, 1, 2, 100]) {
      const page = await ask('channels.getParticipants', { filter, offset, limit: 1 });
      expect(page.users.map(({ id }: TlObject) => id)).toEqual(expect.arrayContaining(named(page.participants)));
    }
  });
});

describe('other answers', () => {
  it('name the default folder of chats', async () => {
    const { filters } = await fixture.call(ann, 'messages.getDialogFilters');
    expect(filters).toEqual([{ _: 'dialogFilterDefault' }]);
  });

  it('say when to ask again only in the last difference of a channel', async () => {
    const peer = channel(1001, 4001);
    const { pts } = fixture.world.tables.box('channel:4001');
    for (let n = 1n; n <= 12n; n++) {
      await fixture.call(ann, 'messages.sendMessage', { peer, message: `${n}`, random_id: n });
    }
    const difference = (from: number) =>
      fixture.call(ann, 'updates.getChannelDifference', {
        channel: { ...peer, _: 'inputChannel' },
        filter: { _: 'channelMessagesFilterEmpty' },
        pts: from,
        limit: 10,
      });
    const first = await difference(pts);
    expect(first).toMatchObject({ final: false, timeout: undefined });
    expect(await difference(first.pts)).toMatchObject({ final: true, timeout: 30 });
  });

  it('give one link one web page ID, and another link another', async () => {
    const { messages } = await history(cara, 1003, 4001, 100);
    const pages = messages.flatMap(({ media }: TlObject) => (media?.webpage ? [media.webpage] : [])) as TlObject[];
    expect(pages.length).toBeGreaterThan(1);
    expect(new Set(pages.map(({ id }) => id)).size).toBe(new Set(pages.map(({ url }) => url)).size);
  });
});

describe('updates.getDifference', () => {
  const difference = (more: object) =>
    fixture.call(ann, 'updates.getDifference', { pts: 1, date: fixture.world.now(), qts: 0, ...more });

  it('is too long only for a client that has said what is', async () => {
    expect((await difference({}))._).not.toBe('updates.differenceTooLong');
    expect((await difference({ pts_total_limit: 100_000 }))._).not.toBe('updates.differenceTooLong');
    expect(await difference({ pts_total_limit: 2 })).toEqual({
      _: 'updates.differenceTooLong',
      pts: fixture.world.tables.box('user:1001').pts,
    });
    for (let n = 1n; n <= 5_100n; n++) {
      placeMessage(fixture.world, 1002, userPeer(1001), { text: `${n}` });
    }
    expect((await difference({}))._).toBe('updates.differenceSlice');
  });

  it('is too long for all clients after the fault that says so', async () => {
    forgetUpdates(fixture.world, 'user:1001');
    expect(await difference({})).toMatchObject({ _: 'updates.differenceTooLong' });
  });
});

describe('usernames', () => {
  it('have 5 characters at least; the short ones of Ann and Bob resolve, and nobody shows them', async () => {
    const resolve = (username: string) => fixture.call(ann, 'contacts.resolveUsername', { username });
    for (const name of ['bob', 'BOB', 'bobstone', 'BobStone']) {
      expect(await resolve(name)).toMatchObject({ peer: { user_id: 1002n }, users: [{ username: 'bobstone' }] });
    }
    await expect(resolve('dan')).rejects.toMatchObject({ code: 400, text: 'USERNAME_INVALID' });
    for (const user of fixture.world.tables.users.values()) {
      if (user.username !== undefined) expect(user.username).toMatch(usernamePattern);
    }
    expect(() => addAccount(fixture.world, { firstName: 'Eve', username: 'eve' })).toThrow('not a valid username');
    expect(() => addAccount(fixture.world, { firstName: 'Eve', username: 'bob' })).toThrow('taken');
  });
});
