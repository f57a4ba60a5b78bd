import { beforeEach, describe, expect, it } from 'vitest';
import type { AuthKey, TlObject } from '../../../../sandbox/rpc.ts';
import {
  annId,
  caraId,
  dailyId,
  type MessageScene,
  makersId,
  openMessageScene,
  refusedWith,
} from '../../../support/sandbox/message-scene.ts';

let scene: MessageScene;
beforeEach(async () => {
  scene = await openMessageScene();
});

const toCara = () => scene.user(scene.ann, caraId);
const pin = (key: AuthKey, peer: TlObject, id: number, more: Record<string, unknown> = {}) =>
  scene.call(key, 'messages.updatePinnedMessage', { peer, id, ...more });
const names = (updates: readonly TlObject[]) => updates.map(({ _: name }) => name);
const pinned = async (peer: TlObject, key = scene.ann) => {
  const filter = { _: 'inputMessagesFilterPinned' };
  const { messages } = await scene.call(key, 'messages.search', { peer, q: '', filter, limit: 10 });
  return messages.map(({ id }: TlObject) => id) as number[];
};

describe('messages.updatePinnedMessage', () => {
  it('[SM4.1] pins for both users, and says so in a service message', async () => {
    const id = await scene.send(scene.ann, toCara(), 'pin me');
    scene.pushed.length = 0;
    const state = await scene.state(scene.ann);
    const { updates } = await pin(scene.ann, toCara(), id);
    expect(updates).toMatchObject([
      { _: 'updatePinnedMessages', pinned: true, messages: [id], pts: state['pts'] + 1, pts_count: 1 },
      {
        _: 'updateNewMessage',
        message: { action: { _: 'messageActionPinMessage' }, reply_to: { reply_to_msg_id: id } },
        pts: state['pts'] + 2,
      },
    ]);
    expect(names(scene.pushedTo(scene.cara))).toEqual(['updatePinnedMessages', 'updateNewMessage']);
    const missed = await scene.missed(await scene.logIn(annId), state);
    expect(names(missed['other_updates'])).toEqual(['updatePinnedMessages']);
    expect(await pinned(toCara())).toEqual([id]);
    const { full_user } = await scene.call(scene.ann, 'users.getFullUser', {
      id: { ...toCara(), _: 'inputUser' },
    });
    expect(full_user.pinned_msg_id).toBe(id);
  });

  it('[SM4.1] pins on one side, or in Saved Messages, without one', async () => {
    const id = await scene.send(scene.ann, toCara(), 'mine alone');
    scene.pushed.length = 0;
    const { updates } = await pin(scene.ann, toCara(), id, { pm_oneside: true });
    expect(names(updates)).toEqual(['updatePinnedMessages']);
    expect(scene.pushedTo(scene.cara)).toEqual([]);
    const note = await scene.send(scene.ann, scene.self, 'note');
    expect(names((await pin(scene.ann, scene.self, note))['updates'])).toEqual(['updatePinnedMessages']);
  });

  it("[SM4.2] uses the channel's pts, and the channel names its latest pin", async () => {
    const daily = scene.channel(scene.ann, dailyId);
    const { pts } = scene.world.tables.box('channel:4001');
    const { updates } = await pin(scene.ann, daily, 100);
    expect(updates[0]).toMatchObject({ _: 'updatePinnedChannelMessages', messages: [100], pts: pts + 1 });
    expect(scene.pushedTo(scene.cara)[0]).toMatchObject({ _: 'updatePinnedChannelMessages', channel_id: 4001n });
    const latest = () => scene.world.tables.chats.get('channel:4001')?.pinned;
    expect(latest()).toBe(100);
    const unpinned = await pin(scene.ann, daily, 100, { unpin: true });
    expect(unpinned['updates']).toMatchObject([{ _: 'updatePinnedChannelMessages', pinned: false }]);
    expect(latest()).toBe(5);
    await scene.call(scene.ann, 'channels.deleteMessages', { channel: { ...daily, _: 'inputChannel' }, id: [5] });
    expect(latest()).toBeUndefined();
  });

  it('[SM4.2] unpins all messages at once', async () => {
    const daily = scene.channel(scene.ann, dailyId);
    await pin(scene.ann, daily, 100);
    await pin(scene.ann, daily, 101);
    const { pts } = scene.world.tables.box('channel:4001');
    const answer = await scene.call(scene.ann, 'messages.unpinAllMessages', { peer: daily });
    expect(answer).toMatchObject({ _: 'messages.affectedHistory', pts: pts + 3, pts_count: 3, offset: 0 });
    expect(await pinned(daily)).toEqual([]);
  });

  it('[SM4.3] is refused as Telegram refuses it', async () => {
    const id = await scene.send(scene.ann, toCara(), 'pin me');
    await pin(scene.ann, toCara(), id);
    const makers = scene.channel(scene.cara, makersId);
    const refusals = [
      ['CHAT_NOT_MODIFIED', () => pin(scene.ann, toCara(), id)],
      ['MESSAGE_ID_INVALID', () => pin(scene.ann, toCara(), 99_999)],
      ['MESSAGE_ID_INVALID', () => pin(scene.ann, scene.channel(scene.ann, dailyId), 1)],
      ['CHAT_ADMIN_REQUIRED', () => pin(scene.cara, makers, 5)],
      ['CHAT_ADMIN_REQUIRED', () => scene.call(scene.cara, 'messages.unpinAllMessages', { peer: makers })],
    ] as const;
    for (const [text, attempt] of refusals) await expect(attempt()).rejects.toMatchObject(refusedWith(text));
  });
});
