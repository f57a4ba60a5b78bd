import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { TlObject } from '../../../../../sandbox/rpc.ts';
import { type ChatCalls, chatCalls } from '../../../../support/sandbox/chat-calls.ts';
import { openWorldFixture, type WorldFixture } from '../../../../support/sandbox/world-fixture.ts';

let fixture: WorldFixture;
let ann: ChatCalls;
let cara: ChatCalls;
let id: number;
async function open(folder?: string): Promise<void> {
  fixture = await openWorldFixture(folder ? { folder } : {});
  ann = chatCalls(fixture, 1001, await fixture.logIn(1001));
  cara = chatCalls(fixture, 1003, await fixture.logIn(1003));
  const { chats } = await ann.call('channels.createChannel', { megagroup: true, title: 'Boats', about: '' });
  id = Number(chats[0].id);
  await ann.call('channels.inviteToChannel', { channel: ann.channel(id), users: [ann.user(1003)] });
}
beforeEach(() => open());

let lastRandomId = 0n;
const text = (): Record<string, unknown> => {
  lastRandomId += 1n;
  return { peer: cara.channelPeer(id), message: 'x', random_id: lastRandomId };
};
const dice = () => ({ ...text(), media: { _: 'inputMediaDice', emoticon: '🎲' } });
const forbid = (rights: Record<string, boolean>): TlObject => ({ _: 'chatBannedRights', ...rights, until_date: 0 });
const forbidAll = (rights: Record<string, boolean>) =>
  ann.call('messages.editChatDefaultBannedRights', { peer: ann.channelPeer(id), banned_rights: forbid(rights) });
const restrict = (rights: Record<string, boolean>) =>
  ann.call('channels.editBanned', {
    channel: ann.channel(id),
    participant: ann.userPeer(1003),
    banned_rights: forbid(rights),
  });

describe('sending to a group', () => {
  it('is refused by kind, to all its members', async () => {
    await forbidAll({ send_plain: true });
    expect(await cara.refused('messages.sendMessage', text())).toBe('403 CHAT_SEND_PLAIN_FORBIDDEN');
    expect(await cara.call('messages.sendMedia', dice())).toMatchObject({ _: 'updates' });
    await forbidAll({ send_messages: true });
    expect(await cara.refused('messages.sendMedia', dice())).toBe('403 CHAT_WRITE_FORBIDDEN');
    expect(await ann.call('messages.sendMessage', { ...text(), peer: ann.channelPeer(id) })).toMatchObject({
      _: 'updates',
    });
    const rights = { peer: ann.channelPeer(id), banned_rights: forbid({ send_messages: true }) };
    expect(await ann.refused('messages.editChatDefaultBannedRights', rights)).toBe('400 CHAT_NOT_MODIFIED');
  });

  it('is refused to one member, until the restriction is lifted or ends', async () => {
    await restrict({ send_messages: true });
    expect(await cara.refused('messages.sendMessage', text())).toBe('400 USER_BANNED_IN_CHANNEL');
    const one = { channel: ann.channel(id), participant: ann.userPeer(1003) };
    const { participant } = await ann.call('channels.getParticipant', one);
    expect(participant).toMatchObject({ _: 'channelParticipantBanned', left: false, kicked_by: 1001n });
    await restrict({});
    expect(await cara.call('messages.sendMessage', text())).toMatchObject({ _: 'updates' });
    const hour = { ...forbid({ send_messages: true }), until_date: fixture.world.now() + 3_600 };
    await ann.call('channels.editBanned', { ...one, banned_rights: hour });
    fixture.clock.time += 3_600_000;
    expect(await cara.call('messages.sendMessage', text())).toMatchObject({ _: 'updates' });
  });

  it('waits for slow mode, which administrators set', async () => {
    const slow = { channel: ann.channel(id), seconds: 30 };
    expect(await ann.refused('channels.toggleSlowMode', { ...slow, seconds: 7 })).toBe('400 SECONDS_INVALID');
    await ann.call('channels.toggleSlowMode', slow);
    expect(cara.pushed().at(-1)).toMatchObject({ _: 'updateChannel' });
    await cara.call('messages.sendMessage', text());
    expect(await cara.refused('messages.sendMessage', text())).toBe('420 SLOWMODE_WAIT_30');
  });
});

describe('a channel', () => {
  it('is written in by administrators who may post', async () => {
    const { chats } = await ann.call('channels.createChannel', { broadcast: true, title: 'News', about: '' });
    id = Number(chats[0].id);
    const admin = { channel: ann.channel(id), user_id: ann.user(1003), rank: '' };
    await ann.call('channels.editAdmin', { ...admin, admin_rights: { _: 'chatAdminRights', edit_messages: true } });
    expect(await cara.refused('messages.sendMessage', text())).toBe('400 CHAT_ADMIN_REQUIRED');
    await ann.call('channels.editAdmin', { ...admin, admin_rights: { _: 'chatAdminRights', post_messages: true } });
    expect(await cara.call('messages.sendMessage', text())).toMatchObject({ _: 'updates' });
  });
});

describe('what was set', () => {
  it('is there after the process was killed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'chats-'));
    await open(folder);
    await forbidAll({ send_polls: true });
    await restrict({ send_media: true });
    await ann.call('channels.toggleForum', { channel: ann.channel(id), enabled: true });
    const topic = { channel: ann.channel(id), title: 'Sails', icon_color: 0, random_id: 1n };
    await ann.call('channels.createForumTopic', topic);
    await ann.call('messages.exportChatInvite', { peer: ann.channelPeer(id), request_needed: true, title: 'pier' });
    const state = (world: WorldFixture['world']): unknown =>
      [world.tables.chats.get(`channel:${id}`), world.tables.topics, world.tables.invites, world.tables.notices].map(
        (table) => (table && 'values' in table ? [...table.values()] : table),
      );
    const before = state(fixture.world);
    const again = await openWorldFixture({ folder });
    expect(state(again.world)).toEqual(before);
    rmSync(folder, { recursive: true });
  });
});
