import { beforeEach, describe, expect, it } from 'vitest';
import { sendMessage } from '../../../../../sandbox/world/messages/send-message.ts';
import { userPeer } from '../../../../../sandbox/world/state/peer.ts';
import { refusedWith } from '../../../../support/sandbox/message-scene.ts';
import { openSendingFixture, type SendingFixture } from '../../../../support/sandbox/sending-fixture.ts';

let fixture: SendingFixture;
beforeEach(async () => {
  fixture = await openSendingFixture();
});

describe('changing messages', () => {
  it('edits all copies; refuses messages of others, and texts that stay the same', async () => {
    const { id } = await fixture.send(fixture.user(1001, 1002), 'first');
    const edit = (message: string, of = id) =>
      fixture.call(fixture.ann, 'messages.editMessage', { peer: fixture.user(1001, 1002), id: of, message });
    const answer = await edit('second');
    expect(answer.updates[0]).toMatchObject({ _: 'updateEditMessage', message: { message: 'second' } });
    const copy = fixture.world.tables.copiesOf(`user:1001/${id}`).get('user:1002') as number;
    expect(fixture.world.tables.message('user:1002', copy)?.text).toBe('second');
    await expect(edit('second')).rejects.toMatchObject(refusedWith('MESSAGE_NOT_MODIFIED'));
    const { message } = sendMessage(fixture.world, 1002, userPeer(1001), { text: 'theirs' });
    const theirs = fixture.world.tables.copiesOf(message.twin).get('user:1001') as number;
    await expect(edit('x', theirs)).rejects.toMatchObject(refusedWith('MESSAGE_AUTHOR_REQUIRED', 403));
  });

  it('deletes one copy, or all copies', async () => {
    const { id } = await fixture.send(fixture.user(1001, 1002), 'gone');
    const copy = fixture.world.tables.copiesOf(`user:1001/${id}`).get('user:1002') as number;
    const only = await fixture.call(fixture.ann, 'messages.deleteMessages', { id: [id] });
    expect(only).toMatchObject({ _: 'messages.affectedMessages', pts_count: 1 });
    expect(fixture.world.tables.message('user:1002', copy)?.text).toBe('gone');
    const both = await fixture.send(fixture.user(1001, 1002), 'gone for all');
    await fixture.call(fixture.ann, 'messages.deleteMessages', { id: [both.id], revoke: true });
    expect(fixture.world.tables.history('user:1002', 'user:1001').at(-1)).toBe(copy);
  });

  it("marks as read, and moves the sender's read position", async () => {
    const dialog = async () => {
      const peers = [{ _: 'inputDialogPeer', peer: fixture.user(1001, 1002) }];
      return (await fixture.call(fixture.ann, 'messages.getPeerDialogs', { peers })).dialogs[0];
    };
    sendMessage(fixture.world, 1002, userPeer(1001), { text: 'news' });
    expect((await dialog()).unread_count).toBeGreaterThan(0);
    const pts = fixture.world.tables.box('user:1001').pts;
    const done = await fixture.call(fixture.ann, 'messages.readHistory', { peer: fixture.user(1001, 1002), max_id: 0 });
    expect(done).toMatchObject({ pts: pts + 1, pts_count: 1 });
    expect(await dialog()).toMatchObject({ unread_count: 0, read_inbox_max_id: (await dialog()).top_message });
    expect(fixture.world.tables.dialogs.get('1002/user:1001')?.readOutbox).toBeGreaterThan(0);
    const again = await fixture.call(fixture.ann, 'messages.readHistory', {
      peer: fixture.user(1001, 1002),
      max_id: 0,
    });
    expect(again).toMatchObject({ pts_count: 0 });
  });
});
