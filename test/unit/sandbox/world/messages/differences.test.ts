import { beforeEach, describe, expect, it } from 'vitest';
import type { TlObject } from '../../../../../sandbox/rpc.ts';
import { sendMessage } from '../../../../../sandbox/world/messages/send-message.ts';
import { channelPeer, userPeer } from '../../../../../sandbox/world/state/peer.ts';
import { refusedWith } from '../../../../support/sandbox/message-scene.ts';
import { openSendingFixture, type SendingFixture } from '../../../../support/sandbox/sending-fixture.ts';

let fixture: SendingFixture;
beforeEach(async () => {
  fixture = await openSendingFixture();
});

describe('differences', () => {
  const difference = (pts: number) => fixture.call(fixture.ann, 'updates.getDifference', { pts, date: 0, qts: 0 });

  it('come in slices without gaps or repetitions', async () => {
    const { pts } = await fixture.call(fixture.ann, 'updates.getState');
    for (let number = 1; number <= 8; number += 1) {
      sendMessage(fixture.world, 1002, userPeer(1001), { text: `missed ${number}` });
    }
    const texts: string[] = [];
    const names: string[] = [];
    let at = pts as number;
    for (let answer = await difference(at); ; answer = await difference(at)) {
      names.push(answer._);
      if (answer._ === 'updates.differenceEmpty') break;
      texts.push(...answer.new_messages.map(({ message }: TlObject) => message));
      at = (answer.intermediate_state ?? answer.state).pts;
    }
    expect(texts).toEqual(Array.from({ length: 8 }, (_, index) => `missed ${index + 1}`));
    expect(names.map((name) => name.slice(8))).toEqual([
      'differenceSlice',
      'differenceSlice',
      'difference',
      'differenceEmpty',
    ]);
    expect(at).toBe(fixture.world.tables.box('user:1001').pts);
  });

  it('do not move on, or hold what no layer can read, where a fault says so', async () => {
    const { pts } = await fixture.call(fixture.ann, 'updates.getState');
    fixture.world.differenceFaults.setStuck(2, 1001);
    fixture.world.differenceFaults.setUnreadable(1, 1001);
    for (const text of ['unread', 'read']) sendMessage(fixture.world, 1002, userPeer(1001), { text });
    for (const time of [1, 2]) {
      const stuck = await difference(pts as number);
      expect(stuck, `time ${time}`).toMatchObject({
        _: 'updates.differenceSlice',
        new_messages: [],
        intermediate_state: { pts, date: 0 },
      });
    }
    expect(await difference(pts as number)).toMatchObject({
      _: 'updates.difference',
      new_messages: [{ message: 'read' }],
      other_updates: [{ _: 'updateOfLaterLayer' }],
    });
    expect(await difference((pts as number) + 1)).toMatchObject({
      new_messages: [{ message: 'read' }],
      other_updates: [],
    });
  });

  it('name the channels that have news, which have their own pts', async () => {
    const { pts } = await fixture.call(fixture.ann, 'updates.getState');
    const channelPts = fixture.world.tables.box('channel:3001').pts;
    const date = fixture.clock.time / 1000;
    for (let number = 1; number <= 5; number += 1) {
      sendMessage(fixture.world, 1002, channelPeer(3001), { text: `news ${number}` });
    }
    const answer = await fixture.call(fixture.ann, 'updates.getDifference', { pts, date, qts: 0 });
    expect(answer.other_updates).toEqual([{ _: 'updateChannelTooLong', channel_id: 3001n, pts: channelPts + 5 }]);
    const input = { ...fixture.channel(1001, 3001), _: 'inputChannel' };
    const ask = (from: number) =>
      fixture.call(fixture.ann, 'updates.getChannelDifference', { channel: input, pts: from, limit: 100, filter: {} });
    const first = await ask(channelPts);
    expect(first).toMatchObject({ final: false, pts: channelPts + 3 });
    const second = await ask(channelPts + 3);
    expect(second).toMatchObject({ final: true, pts: channelPts + 5 });
    const texts = [...first.new_messages, ...second.new_messages].map(({ message }: TlObject) => message);
    expect(texts).toEqual(['news 1', 'news 2', 'news 3', 'news 4', 'news 5']);
    expect(await ask(channelPts + 5)).toMatchObject({ _: 'updates.channelDifferenceEmpty' });
  });

  it('refuse a pts that was never reached', async () => {
    await expect(difference(10_000)).rejects.toMatchObject(refusedWith('PERSISTENT_TIMESTAMP_INVALID'));
    await expect(difference(0)).rejects.toMatchObject(refusedWith('PERSISTENT_TIMESTAMP_EMPTY'));
  });
});
