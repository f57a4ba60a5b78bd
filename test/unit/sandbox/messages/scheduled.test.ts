import { beforeEach, describe, expect, it } from 'vitest';
import { carryOutDue } from '../../../../sandbox/api/push/carry-out-due.ts';
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
let second: AuthKey;
beforeEach(async () => {
  scene = await openMessageScene();
  second = await scene.logIn(annId);
  scene.pushed.length = 0;
});

const hour = 3_600;
const toCara = () => scene.user(scene.ann, caraId);
const inAnHour = () => scene.world.now() + hour;
const schedule = (message: string, more: Record<string, unknown> = {}, peer = toCara()) =>
  scene.call(scene.ann, 'messages.sendMessage', {
    peer,
    message,
    random_id: scene.nextRandomId(),
    schedule_date: inAnHour(),
    ...more,
  });
const queue = async (peer = toCara()) =>
  (await scene.call(scene.ann, 'messages.getScheduledHistory', { peer, hash: 0n }))['messages'] as TlObject[];
const names = (updates: readonly TlObject[]) => updates.map(({ _: name }) => name);

describe('scheduled messages', () => {
  it('[SM6.1] wait in a queue that only their sender sees, on all devices', async () => {
    const date = inAnHour();
    const { updates } = await schedule('later');
    expect(updates).toMatchObject([
      { _: 'updateMessageID', id: 1 },
      { _: 'updateNewScheduledMessage', message: { id: 1, message: 'later', date, out: true } },
    ]);
    expect(scene.pushedTo(second)).toMatchObject([{ _: 'updateNewScheduledMessage', message: { message: 'later' } }]);
    expect(scene.pushedTo(scene.cara)).toEqual([]);
    expect(await queue()).toMatchObject([{ id: 1, message: 'later', date }]);
    expect((await scene.history(scene.ann, toCara(), 1))[0]?.['message']).not.toBe('later');
    const { full_user } = await scene.call(scene.ann, 'users.getFullUser', { id: { ...toCara(), _: 'inputUser' } });
    expect(full_user.has_scheduled).toBe(true);
  });

  it("[SM6.2] leave at their time on the world's clock", async () => {
    await schedule('later');
    const state = await scene.state(second);
    scene.pushed.length = 0;
    scene.clock.time += hour * 1_000 - 1;
    carryOutDue(scene.world);
    expect(scene.pushed).toEqual([]);
    scene.clock.time += 1;
    carryOutDue(scene.world);
    expect(await queue()).toEqual([]);
    const [message] = await scene.history(scene.cara, scene.user(scene.cara, annId), 1);
    expect(message).toMatchObject({ message: 'later', date: scene.world.now(), from_scheduled: false });
    const sent = (await scene.history(scene.ann, toCara(), 1))[0] as TlObject;
    expect(sent).toMatchObject({ message: 'later', from_scheduled: true });
    expect(scene.pushedTo(scene.ann)).toMatchObject([
      { _: 'updateNewMessage', message: { id: sent['id'], from_scheduled: true } },
      { _: 'updateDeleteScheduledMessages', messages: [1], sent_messages: [sent['id']] },
    ]);
    expect(names(scene.pushedTo(scene.cara))).toEqual(['updateShortMessage']);
    const missed = await scene.missed(second, state);
    expect(missed['new_messages']).toMatchObject([{ message: 'later' }]);
    expect(names(missed['other_updates'])).toContain('updateDeleteScheduledMessages');
  });

  it('[SM6.2] leave in order, albums and channel posts too', async () => {
    const post = { media: { _: 'inputMediaDice', emoticon: '🎲' }, message: '' };
    const peer = scene.channel(scene.ann, dailyId);
    const send = (more: object) =>
      scene.call(scene.ann, 'messages.sendMedia', { peer, ...post, random_id: scene.nextRandomId(), ...more });
    await send({ schedule_date: inAnHour() + 20 });
    await schedule('first', {}, peer);
    scene.clock.time += 2 * hour * 1_000;
    const [newest, before] = await scene.history(scene.ann, peer, 2);
    expect(newest).toMatchObject({ media: { _: 'messageMediaDice' }, post: true, from_scheduled: true });
    expect(before).toMatchObject({ message: 'first', post: true });
    expect(await queue(peer)).toEqual([]);
  });

  it('[SM6.2] leave when their recipient is online', async () => {
    await schedule('are you there?', { schedule_date: 0x7ffffffe });
    scene.clock.time += 400 * 86_400_000;
    carryOutDue(scene.world);
    expect(await queue()).toHaveLength(1);
    await scene.call(scene.cara, 'account.updateStatus', { offline: true });
    expect(await queue()).toHaveLength(1);
    await scene.call(scene.cara, 'account.updateStatus', { offline: false });
    expect(await queue()).toEqual([]);
  });

  it('[SM6.3] are sent at once, edited and deleted', async () => {
    await schedule('one');
    await schedule('two');
    await schedule('three');
    const peer = toCara();
    const { updates } = await scene.call(scene.ann, 'messages.sendScheduledMessages', { peer, id: [2] });
    expect(names(updates)).toEqual(['updateMessageID', 'updateNewMessage', 'updateDeleteScheduledMessages']);
    expect(updates[2]).toMatchObject({ messages: [2], sent_messages: [updates[1].message.id] });
    const date = inAnHour() + 60;
    scene.pushed.length = 0;
    await scene.call(scene.ann, 'messages.editMessage', { peer, id: 1, message: 'uno', schedule_date: date });
    expect(scene.pushedTo(second)).toMatchObject([
      { _: 'updateNewScheduledMessage', message: { id: 1, message: 'uno', date } },
    ]);
    const deleted = await scene.call(scene.ann, 'messages.deleteScheduledMessages', { peer, id: [3] });
    expect(deleted['updates']).toMatchObject([{ messages: [3], sent_messages: undefined }]);
    expect((await queue()).map(({ message }) => message)).toEqual(['uno']);
    const named = await scene.call(scene.ann, 'messages.getScheduledMessages', { peer, id: [1, 3] });
    expect(named['messages'].map(({ id }: TlObject) => id)).toEqual([1]);
    for (const method of ['sendScheduledMessages', 'deleteScheduledMessages']) {
      const attempt = scene.call(scene.ann, `messages.${method}`, { peer, id: [3] });
      await expect(attempt).rejects.toMatchObject(refusedWith('MESSAGE_ID_INVALID'));
    }
  });

  it('[SM6.4] are sent now if they would leave within ten seconds', async () => {
    expect(await schedule('now', { schedule_date: scene.world.now() + 9 })).toMatchObject({
      _: 'updateShortSentMessage',
    });
  });

  it('[SM6.4] are refused as Telegram refuses them', async () => {
    const refusals = [
      ['SCHEDULE_DATE_TOO_LATE', 400, () => schedule('x', { schedule_date: scene.world.now() + 367 * 86_400 })],
      [
        'SCHEDULE_DATE_INVALID',
        400,
        () => schedule('x', { schedule_date: 0x7ffffffe }, scene.channel(scene.ann, makersId)),
      ],
      ['CHAT_WRITE_FORBIDDEN', 403, () => schedule('x', {}, scene.channel(scene.ann, 3003))],
    ] as const;
    for (const [text, code, attempt] of refusals)
      await expect(attempt()).rejects.toMatchObject(refusedWith(text, code));
    const same = { random_id: 770_000n };
    await schedule('once', same);
    await expect(schedule('once', same)).rejects.toMatchObject(refusedWith('RANDOM_ID_DUPLICATE', 500));
    for (let count = 1; count < 100; count += 1) {
      scene.pushed.length = 0;
      await schedule('many');
    }
    await expect(schedule('one more')).rejects.toMatchObject(refusedWith('SCHEDULE_TOO_MUCH'));
  });
});
