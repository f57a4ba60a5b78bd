import { beforeEach, describe, expect, it } from 'vitest';
import type { TlObject } from '../../../../sandbox/rpc.ts';
import {
  bobId,
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

const daily = () => scene.channel(scene.ann, dailyId);
const toCara = () => scene.user(scene.ann, caraId);
const toBob = () => scene.user(scene.ann, bobId);
const forward = (from_peer: TlObject, id: number[], to_peer: TlObject, more: Record<string, unknown> = {}) =>
  scene.call(scene.ann, 'messages.forwardMessages', {
    from_peer,
    id,
    to_peer,
    random_id: id.map(() => scene.nextRandomId()),
    ...more,
  });
const messagesIn = (answer: TlObject): TlObject[] =>
  answer['updates'].flatMap(({ message }: TlObject) => (message ? [message] : []));

describe('messages.forwardMessages', () => {
  it('[SM2.1] names the sender and the time of a message', async () => {
    const date = scene.world.now();
    const id = await scene.send(scene.ann, toBob(), 'pass it on');
    scene.clock.time += 60_000;
    const [message] = messagesIn(await forward(toBob(), [id], toCara()));
    expect(message).toMatchObject({
      message: 'pass it on',
      out: true,
      fwd_from: { from_id: { user_id: 1001n }, date, from_name: undefined, saved_from_peer: undefined },
    });
    expect(scene.pushedTo(scene.cara)).toMatchObject([
      { _: 'updateNewMessage', message: { out: false, fwd_from: { from_id: { user_id: 1001n } } } },
    ]);
  });

  it('[SM2.1] names the channel and the post, and counts the forward', async () => {
    const [message] = messagesIn(await forward(daily(), [50], toCara()));
    expect(message).toMatchObject({ fwd_from: { from_id: { channel_id: 4001n }, channel_post: 50 } });
    const { messages } = await scene.call(scene.ann, 'channels.getMessages', {
      channel: { ...daily(), _: 'inputChannel' },
      id: [{ _: 'inputMessageID', id: 50 }],
    });
    expect(messages[0].forwards).toBe(1);
  });

  it('[SM2.1] keeps the first origin of what is forwarded again, and in Saved Messages where it came from', async () => {
    const [first] = messagesIn(await forward(daily(), [50], toCara()));
    const [second] = messagesIn(await forward(toCara(), [first?.['id']], scene.self));
    expect(second?.['fwd_from']).toMatchObject({
      from_id: { channel_id: 4001n },
      channel_post: 50,
      saved_from_peer: { user_id: 1003n },
      saved_from_msg_id: first?.['id'],
    });
  });

  it('[SM2.2] gives a name only of a sender who hides the account', async () => {
    const cara = scene.world.tables.users.get(caraId);
    if (cara) scene.world.tables.users.put({ ...cara, forwardsHidden: true });
    const id = await scene.send(scene.cara, scene.user(scene.cara, 1001), 'from me');
    const theirs = (await scene.history(scene.ann, toCara(), 1))[0]?.['id'];
    expect(id).toBeGreaterThan(0);
    const [message] = messagesIn(await forward(toCara(), [theirs], toBob()));
    expect(message?.['fwd_from']).toMatchObject({ from_id: undefined, from_name: 'Cara' });
  });

  it('[SM2.3] copies without the author, and without captions', async () => {
    const [copy] = messagesIn(await forward(daily(), [40], toCara(), { drop_author: true }));
    expect(copy).toMatchObject({ fwd_from: undefined, message: 'An album of three' });
    const bare = { drop_author: true, drop_media_captions: true };
    expect(messagesIn(await forward(daily(), [40], toCara(), bare))[0]).toMatchObject({
      message: '',
      media: { _: 'messageMediaPhoto' },
    });
    const text = await scene.send(scene.ann, toBob(), 'no caption');
    expect(messagesIn(await forward(toBob(), [text], toCara(), bare))[0]).toMatchObject({ message: 'no caption' });
  });

  it('[SM2.3] keeps albums together, and leaves a part of one alone', async () => {
    const messages = messagesIn(await forward(daily(), [40, 41, 42, 130], toCara()));
    const [first, ...others] = messages.map(({ grouped_id }) => grouped_id);
    expect(first).toEqual(expect.any(BigInt));
    expect(first).not.toBe(1_300_000_000_000_000_040n);
    expect(others).toEqual([first, first, undefined]);
  });

  it('[SM2.4] forwards all messages or none, and refuses what may not be forwarded', async () => {
    const before = await scene.history(scene.ann, toCara());
    const refusals = [
      ['MESSAGE_ID_INVALID', 400, () => forward(daily(), [50, 999], toCara())],
      ['MESSAGE_ID_INVALID', 400, () => forward(daily(), [1], toCara())],
      ['MESSAGE_IDS_EMPTY', 400, () => forward(daily(), [], toCara())],
      ['RANDOM_ID_INVALID', 400, () => forward(daily(), [50], toCara(), { random_id: [1n, 2n] })],
      ['CHAT_WRITE_FORBIDDEN', 403, () => forward(daily(), [50], scene.channel(scene.ann, 3003))],
    ] as const;
    for (const [text, code, attempt] of refusals)
      await expect(attempt()).rejects.toMatchObject(refusedWith(text, code));
    const makers = scene.world.tables.chats.get(`channel:${makersId}`);
    if (makers) scene.world.tables.chats.put({ ...makers, noForwards: true });
    const restricted = forward(scene.channel(scene.ann, makersId), [5], toCara());
    await expect(restricted).rejects.toMatchObject(refusedWith('CHAT_FORWARDS_RESTRICTED'));
    expect(await scene.history(scene.ann, toCara())).toEqual(before);
  });
});
