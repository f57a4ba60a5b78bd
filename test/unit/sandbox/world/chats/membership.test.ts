import { beforeEach, describe, expect, it } from 'vitest';
import { type ChatCalls, chatCalls, namesOf } from '../../../../support/sandbox/chat-calls.ts';
import { openWorldFixture, type WorldFixture } from '../../../../support/sandbox/world-fixture.ts';

let fixture: WorldFixture;
let ann: ChatCalls;
let cara: ChatCalls;
beforeEach(async () => {
  fixture = await openWorldFixture();
  ann = chatCalls(fixture, 1001, await fixture.logIn(1001));
  cara = chatCalls(fixture, 1003, await fixture.logIn(1003));
});

const admin = { _: 'chatAdminRights', ban_users: true, invite_users: true, add_admins: true };
const ban = (rights: object, until_date = 0) => ({ _: 'chatBannedRights', ...rights, until_date });

async function newSupergroup(): Promise<number> {
  const { chats } = await ann.call('channels.createChannel', { megagroup: true, title: 'Boats', about: 'of wood' });
  return Number(chats[0].id);
}

describe('a basic group', () => {
  const create = async () => {
    const { updates } = await ann.call('messages.createChat', { users: [ann.user(1003)], title: ' Trip ' });
    return updates.chats[0];
  };

  it('is made with its first members, who are told', async () => {
    const chat = await create();
    expect(chat).toMatchObject({ _: 'chat', title: 'Trip', creator: true, participants_count: 2 });
    expect(namesOf(cara.pushed())).toEqual(['messageActionChatCreate', 'updateChatParticipants']);
    expect(await ann.refused('messages.createChat', { users: [], title: 'x' })).toBe('400 USERS_TOO_FEW');
    expect(await ann.refused('messages.createChat', { users: [ann.user(1003)], title: ' ' })).toBe(
      '400 CHAT_TITLE_EMPTY',
    );
    expect(await ann.refused('messages.createChat', { users: [ann.user(1005)], title: 'x' })).toBe(
      '400 INPUT_USER_DEACTIVATED',
    );
  });

  it('says who does not let the caller add them', async () => {
    fixture.world.tables.users.put({ ...fixture.world.tables.users.get(1002)!, blocked: [1001] });
    const { id } = await create();
    const { missing_invitees, updates } = await ann.call('messages.addChatUser', {
      chat_id: id,
      user_id: ann.user(1002),
    });
    expect(missing_invitees).toEqual([{ _: 'missingInvitee', user_id: 1002n }]);
    expect(updates.updates).toEqual([]);
  });

  it('is told who comes and goes, and with which rights', async () => {
    const { id } = await create();
    cara.pushed();
    await ann.call('messages.addChatUser', { chat_id: id, user_id: ann.user(1002), fwd_limit: 0 });
    expect(namesOf(cara.pushed())).toEqual(['messageActionChatAddUser', 'updateChatParticipants']);
    expect(await ann.refused('messages.addChatUser', { chat_id: id, user_id: ann.user(1002) })).toBe(
      '400 USER_ALREADY_PARTICIPANT',
    );
    const makeAdmin = { chat_id: id, user_id: cara.user(1003), is_admin: true };
    expect(await cara.refused('messages.editChatAdmin', makeAdmin)).toBe('400 CHAT_ADMIN_REQUIRED');
    expect(await ann.call('messages.editChatAdmin', { ...makeAdmin, user_id: ann.user(1003) })).toBe(true);
    expect(cara.pushed()[0]?.['participants'].participants).toMatchObject([
      { _: 'chatParticipantCreator', user_id: 1001n },
      { _: 'chatParticipant', user_id: 1002n },
      { _: 'chatParticipantAdmin', user_id: 1003n },
    ]);
    await ann.call('messages.deleteChatUser', { chat_id: id, user_id: ann.user(1003) });
    const gone = cara.pushed();
    expect(namesOf(gone)).toEqual(['messageActionChatDeleteUser', 'updateChatParticipants']);
    expect(gone.at(-1)).toMatchObject({ participants: { _: 'chatParticipantsForbidden' } });
    expect(await ann.refused('messages.deleteChatUser', { chat_id: id, user_id: ann.user(1003) })).toBe(
      '400 USER_NOT_PARTICIPANT',
    );
    expect(await cara.refused('messages.editChatTitle', { chat_id: id, title: 'x' })).toBe('400 CHAT_ID_INVALID');
  });

  it('is deleted by its creator alone, for all', async () => {
    const { id } = await create();
    expect(await cara.refused('messages.deleteChat', { chat_id: id })).toBe('400 CHAT_ADMIN_REQUIRED');
    cara.pushed();
    expect(await ann.call('messages.deleteChat', { chat_id: id })).toBe(true);
    expect(namesOf(cara.pushed())).toEqual(['updateDeleteMessages', 'updateChatParticipants']);
    const { chats } = await cara.call('messages.getDialogs', { offset_peer: { _: 'inputPeerEmpty' }, limit: 100 });
    expect(chats.map((chat: { id: bigint }) => chat.id)).not.toContain(id);
  });

  it('becomes a supergroup while its members are connected', async () => {
    const { id } = await create();
    cara.pushed();
    expect(await cara.refused('messages.migrateChat', { chat_id: id })).toBe('400 CHAT_ADMIN_REQUIRED');
    const { chats } = await ann.call('messages.migrateChat', { chat_id: id });
    expect(chats.map(({ _: kind }: { _: string }) => kind).toSorted()).toEqual(['channel', 'chat']);
    expect(namesOf(cara.pushed()).toSorted()).toEqual([
      'messageActionChannelMigrateFrom',
      'messageActionChatMigrateTo',
      'updateChannel',
    ]);
  });
});

describe('a supergroup', () => {
  it('is joined by its name, left, and joined again', async () => {
    const makers = { channel: cara.channel(3001) };
    expect(await cara.refused('channels.joinChannel', makers)).toBe('400 USER_ALREADY_PARTICIPANT');
    expect(namesOf((await cara.call('channels.leaveChannel', makers)).updates)).toEqual(['updateChannel']);
    expect(await cara.refused('channels.leaveChannel', makers)).toBe('400 USER_NOT_PARTICIPANT');
    expect(namesOf(ann.pushed())).toEqual(['messageActionChatDeleteUser']);
    const joined = await cara.call('channels.joinChannel', makers);
    expect(namesOf(joined.updates)).toEqual(['messageActionChatAddUser', 'updateChannel']);
    expect(joined.chats[0]).toMatchObject({ left: false, participants_count: 250 });
    expect(namesOf(ann.pushed())).toEqual(['messageActionChatAddUser']);
  });

  it('is left by its creator never, and deleted by its creator alone', async () => {
    const id = await newSupergroup();
    await ann.call('channels.inviteToChannel', { channel: ann.channel(id), users: [ann.user(1003)] });
    expect(await ann.refused('channels.leaveChannel', { channel: ann.channel(id) })).toBe('400 USER_CREATOR');
    expect(await cara.refused('channels.deleteChannel', { channel: cara.channel(id) })).toBe('400 CHAT_ADMIN_REQUIRED');
    cara.pushed();
    const { chats } = await ann.call('channels.deleteChannel', { channel: ann.channel(id) });
    expect(chats).toMatchObject([{ _: 'channelForbidden', title: 'Boats' }]);
    expect(namesOf(cara.pushed())).toEqual(['updateChannel']);
    expect(await cara.refused('channels.getFullChannel', { channel: cara.channel(id) })).toBe('400 CHANNEL_PRIVATE');
  });

  it('is open to those whom its members may invite', async () => {
    const id = await newSupergroup();
    const invite = { channel: ann.channel(id), users: [ann.user(1003), ann.user(1004)] };
    const { updates, missing_invitees } = await ann.call('channels.inviteToChannel', invite);
    expect(missing_invitees).toEqual([]);
    expect(updates.updates[0].message.action.users).toEqual([1003n, 1004n]);
    expect(updates.users.map((user: { id: bigint }) => user.id)).toEqual(expect.arrayContaining([1003n, 1004n]));
    expect(namesOf(cara.pushed())).toEqual(['messageActionChatAddUser', 'updateChannel']);
    const strict = ban({ invite_users: true });
    await ann.call('messages.editChatDefaultBannedRights', { peer: ann.channelPeer(id), banned_rights: strict });
    const bob = { channel: cara.channel(id), users: [cara.user(1002)] };
    expect(await cara.refused('channels.inviteToChannel', bob)).toBe('400 CHAT_ADMIN_REQUIRED');
  });

  it('is closed to those who were removed, until the ban has ended', async () => {
    const id = await newSupergroup();
    const invite = { channel: ann.channel(id), users: [ann.user(1003)] };
    await ann.call('channels.inviteToChannel', invite);
    cara.pushed();
    const day = ban({ view_messages: true }, fixture.world.now() + 86_400);
    const banned = { channel: ann.channel(id), participant: ann.userPeer(1003), banned_rights: day };
    await ann.call('channels.editBanned', banned);
    expect(namesOf(cara.pushed())).toEqual(['updateChannel']);
    const { dialogs } = await cara.call('messages.getDialogs', { offset_peer: { _: 'inputPeerEmpty' }, limit: 100 });
    expect(dialogs).toContainEqual(
      expect.objectContaining({ peer: { _: 'peerChannel', channel_id: BigInt(id) }, top_message: 0, unread_count: 0 }),
    );
    const list = { channel: ann.channel(id), filter: { _: 'channelParticipantsKicked', q: '' }, offset: 0, limit: 10 };
    const { participants } = await ann.call('channels.getParticipants', list);
    expect(participants).toMatchObject([{ _: 'channelParticipantBanned', left: true, kicked_by: 1001n }]);
    fixture.clock.time += 90_000_000;
    expect((await ann.call('channels.getParticipants', list)).participants).toEqual([]);
    const me = { channel: ann.channel(id), participant: ann.userPeer(1001), banned_rights: day };
    expect(await ann.refused('channels.editBanned', me)).toBe('400 USER_ADMIN_INVALID');
  });

  it('has administrators who give no more than they have', async () => {
    const id = await newSupergroup();
    const setting = { channel: ann.channel(id), user_id: ann.user(1003), admin_rights: admin, rank: 'Captain' };
    await ann.call('channels.editAdmin', setting);
    expect(namesOf(cara.pushed())).toEqual(['messageActionChatAddUser', 'updateChannel', 'updateChannel']);
    const bob = { channel: cara.channel(id), user_id: cara.user(1002), rank: '' };
    const more = { _: 'chatAdminRights', pin_messages: true };
    expect(await cara.refused('channels.editAdmin', { ...bob, admin_rights: more })).toBe('403 RIGHT_FORBIDDEN');
    await cara.call('channels.editAdmin', { ...bob, admin_rights: { _: 'chatAdminRights', ban_users: true } });
    const creator = { ...bob, user_id: cara.user(1001), admin_rights: admin };
    expect(await cara.refused('channels.editAdmin', creator)).toBe('400 USER_CREATOR');
    const emoji = { ...setting, rank: '⛵' };
    expect(await ann.refused('channels.editAdmin', emoji)).toBe('400 ADMIN_RANK_EMOJI_NOT_ALLOWED');
    const one = { channel: ann.channel(id), participant: ann.userPeer(1003) };
    const { participant } = await ann.call('channels.getParticipant', one);
    expect(participant).toMatchObject({ _: 'channelParticipantAdmin', rank: 'Captain', promoted_by: 1001n });
    expect(participant.admin_rights).toMatchObject({ ban_users: true, pin_messages: false });
    await ann.call('channels.editAdmin', { ...setting, admin_rights: { _: 'chatAdminRights' }, rank: '' });
    expect(await cara.refused('channels.toggleSlowMode', { channel: cara.channel(id), seconds: 30 })).toBe(
      '400 CHAT_ADMIN_REQUIRED',
    );
  });
});
