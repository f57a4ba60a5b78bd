import { beforeEach, describe, expect, it } from 'vitest';
import type { AuthKey, TlObject } from '../../../../sandbox/rpc.ts';
import {
  annId,
  bobId,
  caraId,
  dailyId,
  type MessageScene,
  makersId,
  openMessageScene,
  refusedWith,
} from '../../../support/sandbox/message-scene.ts';

let scene: MessageScene;
let second: AuthKey;
beforeEach(async () => {
  scene = await openMessageScene();
  second = await scene.logIn(annId);
  scene.pushed.length = 0;
});

const dialogPeer = (peer: TlObject) => ({ _: 'inputDialogPeer', peer });
const toBob = () => scene.user(scene.ann, bobId);
const toCara = () => scene.user(scene.ann, caraId);
const daily = () => scene.channel(scene.ann, dailyId);
const makers = () => scene.channel(scene.ann, makersId);
const pin = (peer: TlObject, pinned = true, key = scene.ann) =>
  scene.call(key, 'messages.toggleDialogPin', { peer: dialogPeer(peer), pinned });
const idOf = ({ user_id, chat_id, channel_id }: TlObject) => Number(user_id ?? chat_id ?? channel_id);
const dialogs = async (more: Record<string, unknown> = {}): Promise<TlObject[]> => {
  const from = { offset_peer: { _: 'inputPeerEmpty' }, offset_date: 0, offset_id: 0, limit: 100 };
  return (await scene.call(scene.ann, 'messages.getDialogs', { ...from, ...more }))['dialogs'];
};
const pinnedIds = async (folder_id = 0) =>
  (await scene.call(scene.ann, 'messages.getPinnedDialogs', { folder_id }))['dialogs'].map(({ peer }: TlObject) =>
    idOf(peer),
  );

describe('pinned chats', () => {
  it('[SM7.1] come first, the one that was pinned last on top, on all devices', async () => {
    await pin(toBob());
    await pin(daily());
    expect(scene.pushedTo(second)).toMatchObject([
      { _: 'updateDialogPinned', pinned: true, peer: { peer: { user_id: 1002n } } },
      { _: 'updateDialogPinned', pinned: true, peer: { peer: { channel_id: 4001n } } },
    ]);
    expect(await pinnedIds()).toEqual([dailyId, bobId]);
    const shown = await dialogs();
    expect(shown.slice(0, 3).map(({ peer, pinned }) => [idOf(peer), pinned])).toEqual([
      [dailyId, true],
      [bobId, true],
      [expect.any(Number), false],
    ]);
    const others = await dialogs({ exclude_pinned: true });
    expect(others.map(({ peer }) => idOf(peer))).not.toContain(dailyId);
    await pin(daily(), false);
    expect(await pinnedIds()).toEqual([bobId]);
  });

  it('[SM7.1] are put in order', async () => {
    await pin(toBob());
    await pin(daily());
    await pin(makers());
    const reorder = (order: TlObject[], more: object = {}) =>
      scene.call(scene.ann, 'messages.reorderPinnedDialogs', { folder_id: 0, order: order.map(dialogPeer), ...more });
    await reorder([toBob(), daily()]);
    expect(await pinnedIds()).toEqual([bobId, dailyId, makersId]);
    await reorder([daily(), toBob()], { force: true });
    expect(await pinnedIds()).toEqual([dailyId, bobId]);
    expect(scene.pushedTo(second).at(-1)).toMatchObject({ _: 'updatePinnedDialogs', order: [{}, {}] });
  });

  it('[SM7.1] are five without premium', async () => {
    const ann = scene.world.tables.users.get(annId);
    if (ann) scene.world.tables.users.put({ ...ann, premium: false });
    const others = [3002, 3003, 3004].map((id) => scene.channel(scene.ann, id));
    for (const peer of [toBob(), daily(), ...others]) await pin(peer);
    await expect(pin(makers())).rejects.toMatchObject(refusedWith('PINNED_DIALOGS_TOO_MUCH'));
    const stranger = pin(scene.user(scene.ann, 5002));
    await expect(stranger).rejects.toMatchObject(refusedWith('PEER_HISTORY_EMPTY'));
  });
});

describe('folders.editPeerFolders', () => {
  const move = (peer: TlObject, folder_id: number) =>
    scene.call(scene.ann, 'folders.editPeerFolders', {
      folder_peers: [{ _: 'inputFolderPeer', peer, folder_id }],
    });

  it('[SM7.2] moves a chat into the archive with a pts of its own', async () => {
    const state = await scene.state(second);
    await pin(toBob());
    const { updates } = await move(toBob(), 1);
    const update = { _: 'updateFolderPeers', pts: state['pts'] + 1, pts_count: 1 };
    expect(updates).toMatchObject([{ ...update, folder_peers: [{ peer: { user_id: 1002n }, folder_id: 1 }] }]);
    expect(scene.pushedTo(second).at(-1)).toMatchObject(update);
    const missed = await scene.missed(second, state);
    expect(missed['other_updates'].map(({ _: name }: TlObject) => name)).toContain('updateFolderPeers');
    expect((await dialogs({ folder_id: 1 })).map(({ peer }) => idOf(peer))).toEqual([bobId]);
    expect(await pinnedIds()).toEqual([]);
    expect((await move(toBob(), 1))['updates']).toEqual([]);
    await move(toBob(), 0);
    expect(await dialogs({ folder_id: 1 })).toEqual([]);
    await expect(move(toBob(), 2)).rejects.toMatchObject(refusedWith('FOLDER_ID_INVALID'));
  });
});

describe('the unread mark', () => {
  it('[SM7.3] is set on all devices, and taken away by reading', async () => {
    const mark = (unread: boolean) =>
      scene.call(scene.ann, 'messages.markDialogUnread', { peer: dialogPeer(toCara()), unread });
    const marked = async () =>
      ((await scene.call(scene.ann, 'messages.getDialogUnreadMarks')) as unknown as TlObject[]).map(({ peer }) =>
        idOf(peer),
      );
    await mark(true);
    expect(scene.pushedTo(second)).toMatchObject([{ _: 'updateDialogUnreadMark', unread: true }]);
    expect(await marked()).toEqual([caraId]);
    expect((await dialogs()).find(({ peer }) => idOf(peer) === caraId)).toMatchObject({ unread_mark: true });
    await scene.call(scene.ann, 'messages.readHistory', { peer: toCara(), max_id: 0 });
    expect(await marked()).toEqual([]);
    await mark(true);
    await mark(false);
    expect(await marked()).toEqual([]);
  });
});

describe('notification settings', () => {
  const peer = () => ({ _: 'inputNotifyPeer', peer: toCara() });
  const update = (of: TlObject, settings: Record<string, unknown>) =>
    scene.call(scene.ann, 'account.updateNotifySettings', {
      peer: of,
      settings: { _: 'inputPeerNotifySettings', ...settings },
    });
  const read = (of: TlObject) => scene.call(scene.ann, 'account.getNotifySettings', { peer: of });

  it('[SM7.4] of a chat are stored field by field, and shown wherever the chat is', async () => {
    await update(peer(), { mute_until: 2_000_000_000 });
    await update(peer(), { show_previews: false, sound: { _: 'notificationSoundNone' } });
    const wanted = {
      mute_until: 2_000_000_000,
      show_previews: false,
      other_sound: { _: 'notificationSoundNone' },
    };
    expect(await read(peer())).toMatchObject(wanted);
    expect((await dialogs()).find((each) => idOf(each['peer']) === caraId)?.['notify_settings']).toMatchObject(wanted);
    expect(scene.pushedTo(second).at(-1)).toMatchObject({ _: 'updateNotifySettings', notify_settings: wanted });
    const { updates } = await scene.call(scene.ann, 'account.getNotifyExceptions');
    expect(updates).toMatchObject([{ peer: { peer: { user_id: 1003n } } }]);
  });

  it('[SM7.4] of all chats of a kind are their own, and all are reset at once', async () => {
    await update({ _: 'inputNotifyBroadcasts' }, { silent: true });
    await update(peer(), { silent: true });
    expect(await read({ _: 'inputNotifyBroadcasts' })).toMatchObject({ silent: true });
    expect(await read({ _: 'inputNotifyUsers' })).toEqual({ _: 'peerNotifySettings' });
    await scene.call(scene.ann, 'account.resetNotifySettings');
    for (const of of [{ _: 'inputNotifyBroadcasts' }, peer()]) {
      expect(await read(of)).toEqual({ _: 'peerNotifySettings' });
    }
  });
});
