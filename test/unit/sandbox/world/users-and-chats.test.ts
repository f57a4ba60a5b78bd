import { beforeEach, describe, expect, it } from 'vitest';
import type { TlObject } from '../../../../sandbox/rpc.ts';
import { updatesAfter } from '../../../../sandbox/world/messages/message-boxes.ts';
import { sendMessage } from '../../../../sandbox/world/messages/send-message.ts';
import { channelPeer } from '../../../../sandbox/world/state/peer.ts';
import { refusedWith } from '../../../support/sandbox/message-scene.ts';
import { openSendingFixture, type SendingFixture } from '../../../support/sandbox/sending-fixture.ts';

let fixture: SendingFixture;
beforeEach(async () => {
  fixture = await openSendingFixture();
});

describe('users and chats', () => {
  it('pushes users whom the viewer has not met as min users, reachable through the message', async () => {
    const { message } = sendMessage(fixture.world, 5002, channelPeer(3001), { text: 'a stranger' });
    const { pushUpdates } = await import('../../../../sandbox/api/push/push-updates.ts');
    const row = updatesAfter(fixture.world, 'channel:3001', fixture.world.tables.box('channel:3001').pts - 1);
    pushUpdates(fixture.world, row);
    const [stranger] = fixture.pushed.at(-1)?.updates.users ?? [];
    expect(stranger).toMatchObject({ id: 5002n, min: true });
    const asMin = { _: 'inputPeerUser', user_id: 5002n, access_hash: stranger.access_hash };
    await expect(fixture.send(asMin, 'hi')).rejects.toMatchObject(refusedWith('PEER_ID_INVALID'));
    const peer = fixture.channel(1001, 3001);
    const from = { _: 'inputPeerUserFromMessage', peer, msg_id: message.id, user_id: 5002n };
    expect(await fixture.send(from, 'hi')).toMatchObject({ _: 'updateShortSentMessage' });
  });

  it('hides phone numbers, and does not find users by a hidden one', async () => {
    const resolve = (phone: string) => fixture.call(fixture.ann, 'contacts.resolvePhone', { phone });
    expect((await resolve('+1 555 000 0002')).peer).toEqual({ _: 'peerUser', user_id: 1002n });
    await expect(resolve('15550000003')).rejects.toMatchObject(refusedWith('PHONE_NOT_OCCUPIED'));
    const [cara] = (await fixture.call(fixture.ann, 'users.getUsers', {
      id: [fixture.user(1001, 1003)],
    })) as unknown as TlObject[];
    expect(cara).toMatchObject({ first_name: 'Cara' });
    expect(cara?.phone).toBeUndefined();
  });

  it('resolves usernames', async () => {
    const resolve = (username: string) => fixture.call(fixture.ann, 'contacts.resolveUsername', { username });
    expect((await resolve('BOB')).peer).toEqual({ _: 'peerUser', user_id: 1002n });
    expect((await resolve('daily')).peer).toEqual({ _: 'peerChannel', channel_id: 4001n });
    await expect(resolve('nobody_here')).rejects.toMatchObject(refusedWith('USERNAME_NOT_OCCUPIED'));
    await expect(resolve('a b')).rejects.toMatchObject(refusedWith('USERNAME_INVALID'));
  });

  it('lists members if the group allows it', async () => {
    const members = (id: number, offset = 0) =>
      fixture.call(fixture.ann, 'channels.getParticipants', {
        channel: { ...fixture.channel(1001, id), _: 'inputChannel' },
        filter: { _: 'channelParticipantsRecent' },
        offset,
        limit: 1_000,
      });
    expect((await members(3001)).participants).toHaveLength(200);
    expect((await members(3001, 200)).participants).toHaveLength(50);
    await expect(members(3002)).rejects.toMatchObject(refusedWith('CHAT_ADMIN_REQUIRED'));
    await expect(members(4002)).rejects.toMatchObject(refusedWith('CHAT_ADMIN_REQUIRED'));
    expect((await members(4001)).count).toBe(3);
  });

  it('pages through dialogs', async () => {
    const all: string[] = [];
    let offset: Record<string, unknown> = { offset_peer: { _: 'inputPeerEmpty' }, offset_date: 0, offset_id: 0 };
    for (;;) {
      const page = await fixture.call(fixture.ann, 'messages.getDialogs', { ...offset, limit: 4 });
      all.push(...page.dialogs.map(({ peer }: TlObject) => JSON.stringify(Object.values(peer).map(String))));
      if (page.dialogs.length < 4) break;
      const last = page.dialogs.at(-1).peer;
      const id = Number(last.user_id ?? last.channel_id ?? last.chat_id);
      const peers: Record<string, TlObject> = {
        peerUser: fixture.user(1001, id),
        peerChannel: fixture.channel(1001, id),
        peerChat: { _: 'inputPeerChat', chat_id: BigInt(id) },
      };
      offset = { offset_peer: peers[last._], offset_date: page.messages.at(-1).date, offset_id: 0 };
    }
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBe(11);
  });
});

describe('unknown methods', () => {
  it('are refused and logged', async () => {
    await expect(fixture.call(fixture.ann, 'stories.getAllStories')).rejects.toMatchObject(
      refusedWith('METHOD_INVALID'),
    );
    expect(fixture.world.calls.list({ method: 'stories.getAllStories' })).toMatchObject([
      { userId: '1001', error: '400 METHOD_INVALID' },
    ]);
  });
});
