import { beforeEach, describe, expect, it } from 'vitest';
import type { TlObject } from '../../../../../sandbox/rpc.ts';
import { type ChatCalls, chatCalls, namesOf } from '../../../../support/sandbox/chat-calls.ts';
import { openWorldFixture, type WorldFixture } from '../../../../support/sandbox/world-fixture.ts';

let fixture: WorldFixture;
let ann: ChatCalls;
let cara: ChatCalls;
let peer: TlObject;
beforeEach(async () => {
  fixture = await openWorldFixture();
  ann = chatCalls(fixture, 1001, await fixture.logIn(1001));
  cara = chatCalls(fixture, 1003, await fixture.logIn(1003));
  const { chats } = await ann.call('channels.createChannel', { megagroup: true, title: 'Boats', about: 'of wood' });
  peer = ann.channelPeer(Number(chats[0].id));
  ann.pushed();
});

const hashOf = ({ link }: TlObject): string => (link as string).split('+')[1] as string;
const exported = async (params: object = {}): Promise<string> =>
  hashOf(await ann.call('messages.exportChatInvite', { peer, ...params }));

describe('an invite link', () => {
  it('shows the chat, and lets in who follows it', async () => {
    const hash = await exported({ title: 'for the pier' });
    const shown = await cara.call('messages.checkChatInvite', { hash });
    expect(shown).toMatchObject({ _: 'chatInvite', title: 'Boats', about: 'of wood', participants_count: 1 });
    const { updates, chats } = await cara.call('messages.importChatInvite', { hash });
    expect(namesOf(updates)).toEqual(['messageActionChatJoinedByLink', 'updateChannel']);
    expect(chats).toMatchObject([{ title: 'Boats', left: false }]);
    expect(namesOf(ann.pushed())).toEqual(['messageActionChatJoinedByLink']);
    expect(await cara.call('messages.checkChatInvite', { hash })).toMatchObject({ _: 'chatInviteAlready' });
    expect(await cara.refused('messages.importChatInvite', { hash })).toBe('400 USER_ALREADY_PARTICIPANT');
    const importers = { peer, link: `https://t.me/+${hash}`, offset_user: { _: 'inputUserEmpty' }, limit: 10 };
    expect(await ann.call('messages.getChatInviteImporters', importers)).toMatchObject({
      count: 1,
      importers: [{ user_id: 1003n }],
    });
  });

  it('ends with its date, its number of users, and when it is revoked', async () => {
    const expires = fixture.world.now() + 60;
    const short = await exported({ expire_date: expires });
    const single = await exported({ usage_limit: 1 });
    const revoked = await exported();
    expect(await ann.refused('messages.exportChatInvite', { peer, expire_date: 1 })).toBe('400 EXPIRE_DATE_INVALID');
    expect(await ann.refused('messages.exportChatInvite', { peer, usage_limit: -1 })).toBe('400 USAGE_LIMIT_INVALID');
    await ann.call('messages.editExportedChatInvite', { peer, link: `https://t.me/+${revoked}`, revoked: true });
    fixture.clock.time += 60_000;
    for (const hash of [short, revoked]) {
      expect(await cara.refused('messages.importChatInvite', { hash })).toBe('400 INVITE_HASH_EXPIRED');
    }
    await cara.call('messages.importChatInvite', { hash: single });
    await cara.call('channels.leaveChannel', { channel: cara.channel(Number(peer['channel_id'])) });
    expect(await cara.refused('messages.checkChatInvite', { hash: single })).toBe('400 INVITE_HASH_EXPIRED');
    expect(await cara.refused('messages.checkChatInvite', { hash: '' })).toBe('400 INVITE_HASH_EMPTY');
    expect(await cara.refused('messages.checkChatInvite', { hash: 'nothing' })).toBe('400 INVITE_HASH_INVALID');
  });

  it('may need the approval of an administrator', async () => {
    const hash = await exported({ request_needed: true });
    expect(await cara.refused('messages.importChatInvite', { hash })).toBe('400 INVITE_REQUEST_SENT');
    expect(ann.pushed()).toMatchObject([
      { _: 'updatePendingJoinRequests', requests_pending: 1, recent_requesters: [1003n] },
    ]);
    await ann.call('messages.hideChatJoinRequest', { peer, user_id: ann.user(1003), approved: true });
    expect(namesOf(cara.pushed())).toEqual(['messageActionChatJoinedByRequest', 'updateChannel']);
    const again = { peer, user_id: ann.user(1002), approved: true };
    expect(await ann.refused('messages.hideChatJoinRequest', again)).toBe('400 HIDE_REQUESTER_MISSING');
  });

  it('is listed for its administrator, revoked ones apart', async () => {
    const first = await exported({ legacy_revoke_permanent: true });
    const second = await exported({ legacy_revoke_permanent: true });
    const list = { peer, admin_id: ann.user(1001), limit: 10 };
    const { invites } = await ann.call('messages.getExportedChatInvites', list);
    expect(invites.map(hashOf)).toEqual([second]);
    const revoked = await ann.call('messages.getExportedChatInvites', { ...list, revoked: true });
    expect(revoked.invites.map(hashOf)).toEqual([first]);
    const link = `https://t.me/+${first}`;
    expect(await ann.call('messages.deleteExportedChatInvite', { peer, link })).toBe(true);
    expect((await ann.call('messages.getExportedChatInvites', { ...list, revoked: true })).count).toBe(0);
    const family = { peer: { _: 'inputPeerChat', chat_id: 2001n } };
    expect(await cara.refused('messages.exportChatInvite', family)).toBe('400 CHAT_ADMIN_REQUIRED');
  });
});
