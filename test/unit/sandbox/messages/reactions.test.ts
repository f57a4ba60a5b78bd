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

const emoji = (emoticon: string): TlObject => ({ _: 'reactionEmoji', emoticon });
const react = (key: AuthKey, peer: TlObject, msg_id: number, emojis: string[], more: Record<string, unknown> = {}) =>
  scene.call(key, 'messages.sendReaction', { peer, msg_id, reaction: emojis.map(emoji), ...more });
const toCara = () => scene.user(scene.ann, caraId);
const toAnn = () => scene.user(scene.cara, annId);
const sentToCara = async () => {
  const id = await scene.send(scene.ann, toCara(), 'look');
  const theirs = (await scene.history(scene.cara, toAnn(), 1))[0]?.['id'] as number;
  scene.pushed.length = 0;
  return { id, theirs };
};

describe('messages.sendReaction', () => {
  it('[SM3.1] is shown to both users, under the ID that each has', async () => {
    const { id, theirs } = await sentToCara();
    const { updates } = await react(scene.cara, toAnn(), theirs, ['👍']);
    expect(updates).toMatchObject([
      {
        _: 'updateMessageReactions',
        msg_id: theirs,
        reactions: { results: [{ chosen_order: 0, reaction: emoji('👍'), count: 1 }] },
      },
    ]);
    expect(scene.pushedTo(scene.ann)).toMatchObject([
      {
        _: 'updateMessageReactions',
        peer: { user_id: 1003n },
        msg_id: id,
        reactions: {
          can_see_list: true,
          results: [{ chosen_order: undefined, count: 1 }],
          recent_reactions: [{ peer_id: { user_id: 1003n }, unread: true, my: false }],
        },
      },
    ]);
    expect((await scene.history(scene.ann, toCara(), 1))[0]?.['reactions'].results).toHaveLength(1);
  });

  it('[SM3.1] is in the difference of a device that was away', async () => {
    const { id, theirs } = await sentToCara();
    const state = await scene.state(scene.ann);
    await react(scene.cara, toAnn(), theirs, ['🔥']);
    const { other_updates, users } = await scene.missed(scene.ann, state);
    expect(other_updates).toMatchObject([
      { _: 'updateMessageReactions', msg_id: id, reactions: { results: [{ reaction: emoji('🔥') }] } },
    ]);
    expect(users.map((user: TlObject) => user['id'])).toContain(1003n);
  });

  it('[SM3.1] replaces the reaction before, and is removed by an empty one', async () => {
    const { theirs } = await sentToCara();
    await react(scene.cara, toAnn(), theirs, ['👍']);
    const { updates } = await react(scene.cara, toAnn(), theirs, ['❤️']);
    expect(updates[0].reactions.results).toMatchObject([{ reaction: emoji('❤'), count: 1 }]);
    const removed = await react(scene.cara, toAnn(), theirs, []);
    expect(removed['updates'][0].reactions.results).toEqual([]);
    expect(scene.world.tables.reactions.size).toBe(0);
  });

  it('[SM3.2] counts those of all members, and names none in a broadcast channel', async () => {
    const post = { peer: scene.channel(scene.cara, dailyId), id: 50 };
    await react(scene.cara, post.peer, 50, ['🎉']);
    await react(scene.ann, scene.channel(scene.ann, dailyId), 50, ['🎉', '🐳']);
    const { updates } = await scene.call(scene.cara, 'messages.getMessagesReactions', {
      peer: post.peer,
      id: [50, 51],
    });
    expect(updates).toHaveLength(1);
    expect(updates[0].reactions).toMatchObject({ can_see_list: false, recent_reactions: undefined });
    expect(updates[0].reactions.results.map((each: TlObject) => [each['reaction'].emoticon, each['count']])).toEqual([
      ['🎉', 2],
      ['🐳', 1],
    ]);
    const list = scene.call(scene.cara, 'messages.getMessageReactionsList', { ...post, limit: 10 });
    await expect(list).rejects.toMatchObject(refusedWith('BROADCAST_FORBIDDEN', 403));
  });

  it('[SM3.2] lists who has reacted in a group, page by page', async () => {
    const peer = scene.channel(scene.ann, makersId);
    await react(scene.ann, peer, 5, ['👏']);
    await react(scene.cara, scene.channel(scene.cara, makersId), 5, ['👍']);
    const page = (more: object) =>
      scene.call(scene.ann, 'messages.getMessageReactionsList', { peer, id: 5, limit: 1, ...more });
    const first = await page({});
    expect(first).toMatchObject({ count: 2, reactions: [{ peer_id: { user_id: 1003n } }], next_offset: '1' });
    expect(await page({ offset: first['next_offset'] })).toMatchObject({ reactions: [{ my: true }] });
    expect(await page({ reaction: emoji('👏') })).toMatchObject({ count: 1, next_offset: undefined });
  });

  it('[SM3.3] is refused as Telegram refuses it', async () => {
    const { id, theirs } = await sentToCara();
    await react(scene.cara, toAnn(), theirs, ['👍']);
    const refusals = [
      ['MESSAGE_NOT_MODIFIED', () => react(scene.cara, toAnn(), theirs, ['👍'])],
      ['REACTION_INVALID', () => react(scene.ann, toCara(), id, ['🫠'])],
      ['REACTIONS_TOO_MANY', () => react(scene.cara, toAnn(), theirs, ['👍', '👎'])],
      ['MESSAGE_ID_INVALID', () => react(scene.ann, toCara(), 99_999, ['👍'])],
      [
        'PREMIUM_ACCOUNT_REQUIRED',
        () => {
          const [file] = scene.world.tables.files.values();
          const custom = { _: 'reactionCustomEmoji', document_id: BigInt(file?.id ?? 0) };
          return scene.call(scene.cara, 'messages.sendReaction', { peer: toAnn(), msg_id: theirs, reaction: [custom] });
        },
      ],
    ] as const;
    for (const [text, attempt] of refusals) await expect(attempt()).rejects.toMatchObject(refusedWith(text));
  });

  it('[SM3.3] is limited to the reactions that a chat allows', async () => {
    const peer = scene.channel(scene.ann, dailyId);
    const allow = (key: AuthKey, available_reactions: TlObject) =>
      scene.call(key, 'messages.setChatAvailableReactions', {
        peer: scene.channel(key, dailyId),
        available_reactions,
      });
    const some = { _: 'chatReactionsSome', reactions: [emoji('👍')] };
    await expect(allow(scene.cara, some)).rejects.toMatchObject(refusedWith('CHAT_ADMIN_REQUIRED'));
    await allow(scene.ann, some);
    expect(scene.pushedTo(scene.cara)).toMatchObject([{ _: 'updateChannel', channel_id: 4001n }]);
    await expect(allow(scene.ann, some)).rejects.toMatchObject(refusedWith('CHAT_NOT_MODIFIED'));
    await expect(react(scene.ann, peer, 50, ['🔥'])).rejects.toMatchObject(refusedWith('REACTION_INVALID'));
    await react(scene.ann, peer, 50, ['👍']);
    const { full_chat } = await scene.call(scene.ann, 'channels.getFullChannel', {
      channel: { ...peer, _: 'inputChannel' },
    });
    expect(full_chat.available_reactions).toMatchObject(some);
  });

  it('[SM3.4] is unread until its author has read it', async () => {
    const { theirs } = await sentToCara();
    await react(scene.cara, toAnn(), theirs, ['👍']);
    const unread = async () =>
      (await scene.call(scene.ann, 'messages.getPeerDialogs', { peers: [{ _: 'inputDialogPeer', peer: toCara() }] }))[
        'dialogs'
      ][0].unread_reactions_count;
    expect(await unread()).toBe(1);
    await scene.call(scene.ann, 'messages.readReactions', { peer: toCara() });
    expect(await unread()).toBe(0);
    expect((await scene.history(scene.ann, toCara(), 1))[0]?.['reactions'].recent_reactions[0].unread).toBe(false);
  });

  it('[SM3.4] is remembered as a recent one if the client says so', async () => {
    const { theirs } = await sentToCara();
    await react(scene.cara, toAnn(), theirs, ['👍'], { add_to_recent: true });
    await react(scene.cara, toAnn(), theirs, ['🔥'], { add_to_recent: true });
    const recent = () => scene.call(scene.cara, 'messages.getRecentReactions', { limit: 10, hash: 0n });
    const answer = await recent();
    expect(answer['reactions']).toEqual([emoji('🔥'), emoji('👍')]);
    const again = await scene.call(scene.cara, 'messages.getRecentReactions', { limit: 10, hash: answer['hash'] });
    expect(again).toEqual({ _: 'messages.reactionsNotModified' });
    expect(scene.pushedTo(scene.cara).map(({ _: name }) => name)).toContain('updateRecentReactions');
    await scene.call(scene.cara, 'messages.clearRecentReactions');
    expect((await recent())['reactions']).toEqual([]);
    const { reactions } = await scene.call(scene.cara, 'messages.getAvailableReactions', { hash: 0 });
    expect(reactions.length).toBeGreaterThan(20);
  });

  it('[SM3.4] ends with its message', async () => {
    const { id, theirs } = await sentToCara();
    await react(scene.cara, toAnn(), theirs, ['👍']);
    await scene.call(scene.ann, 'messages.deleteMessages', { id: [id], revoke: true });
    expect(scene.world.tables.reactions.size).toBe(0);
    expect((await scene.missed(scene.ann, { ...(await scene.state(scene.ann)) }))['other_updates'] ?? []).toEqual([]);
  });
});
