import bigInt from 'big-integer';
import { Api } from 'telegram/tl/index.js';
import { describe, expect, it } from 'vitest';
import { DifferencePace, isFurther } from '../../../../../src/telegram/gramjs/updates/difference-pace.ts';
import { flattenUpdates, placeOf, updatesIn } from '../../../../../src/telegram/gramjs/updates/flatten-updates.ts';

const at = (pts: number, qts = 0, date = 0) => ({ pts, qts, date });
const state = (place: { pts: number; qts: number; date: number }): Api.updates.State =>
  new Api.updates.State({ ...place, seq: 0, unreadCount: 0 });
const read = new Api.UpdateReadHistoryOutbox({
  peer: new Api.PeerUser({ userId: bigInt(7) }),
  maxId: 1,
  pts: 5,
  ptsCount: 1,
});
const named = new Api.UpdateMessageID({ id: 3, randomId: bigInt(9) });
const message = new Api.Message({ id: 3, peerId: new Api.PeerUser({ userId: bigInt(7) }), date: 1, message: 'x' });
const rest = { newEncryptedMessages: [], chats: [], users: [] };

describe('the updates of a difference', () => {
  it('[WH5.2] begin with the names of sent messages, then the messages, then all others', () => {
    const difference = new Api.updates.Difference({
      ...rest,
      newMessages: [message],
      otherUpdates: [read, named],
      state: state(at(6)),
    });
    expect(updatesIn(difference).map(({ className }) => className)).toEqual([
      'UpdateMessageID',
      'UpdateNewMessage',
      'UpdateReadHistoryOutbox',
    ]);
  });

  it('[WH5.2] are one for a short form, and none for too many', () => {
    expect(flattenUpdates(new Api.UpdateShort({ update: read, date: 1 }))).toEqual([read]);
    expect(flattenUpdates(new Api.UpdatesTooLong())).toEqual([]);
    const short = { id: 4, message: 'x', date: 1, pts: 8, ptsCount: 2, out: true };
    const [own] = flattenUpdates(new Api.UpdateShortMessage({ ...short, userId: bigInt(7) }));
    expect(own).toMatchObject({ className: 'UpdateNewMessage', pts: 8, ptsCount: 2 });
    expect(own).toMatchObject({ message: { id: 4, message: 'x', out: true, peerId: { className: 'PeerUser' } } });
    const [group] = flattenUpdates(new Api.UpdateShortChatMessage({ ...short, chatId: bigInt(5), fromId: bigInt(7) }));
    expect(group).toMatchObject({ message: { peerId: { className: 'PeerChat' }, fromId: { className: 'PeerUser' } } });
  });

  it('[WH5.2] have a place in the box of the account, but for those of channels', () => {
    expect(placeOf(read)).toEqual({ pts: 5, ptsCount: 1 });
    expect(placeOf(named)).toBeUndefined();
    const ofChannel = new Api.UpdateDeleteChannelMessages({ channelId: bigInt(1), messages: [1], pts: 5, ptsCount: 1 });
    expect(placeOf(ofChannel)).toBeUndefined();
  });
});

describe('the pace of differences', () => {
  it('[WH5.2] gets smaller while they cannot be read, then passes one update by at a time, then all', () => {
    const pace = new DifferencePace();
    expect([pace.limit, pace.isStepping]).toEqual([undefined, false]);
    const tries = Array.from({ length: 3 }, () => [pace.noteUnreadable(), pace.limit]);
    expect(tries).toEqual([
      ['smaller', 16],
      ['smaller', 4],
      ['smaller', 1],
    ]);
    for (let step = 0; step < 100; step += 1) expect(pace.noteUnreadable()).toBe('step');
    expect([pace.isStepping, pace.noteUnreadable(), pace.limit]).toEqual([true, 'all', 1]);
  });

  it('[WH5.2] grows again with each that is read', () => {
    const pace = new DifferencePace();
    for (let time = 0; time < 4; time += 1) pace.noteUnreadable();
    expect(pace.isStepping).toBe(true);
    const limits = Array.from({ length: 4 }, () => {
      pace.noteRead();
      return pace.limit;
    });
    expect([limits, pace.isStepping]).toEqual([[4, 16, undefined, undefined], false]);
  });

  it('[WH5.3] tries four times where they do not move on, after 1, 2 and 4 s', () => {
    const pace = new DifferencePace();
    expect(Array.from({ length: 4 }, () => pace.noteStall())).toEqual([1000, 2000, 4000, undefined]);
    pace.noteProgress();
    expect(pace.noteStall()).toBe(1000);
  });

  it('[WH5.3] is further if the numbers, the secret ones or the date are', () => {
    const slice = (place: { pts: number; qts: number; date: number }) =>
      new Api.updates.DifferenceSlice({ ...rest, newMessages: [], otherUpdates: [], intermediateState: state(place) });
    const from = at(5, 5, 5);
    for (const further of [at(6, 5, 5), at(5, 6, 5), at(5, 5, 6)]) expect(isFurther(slice(further), from)).toBe(true);
    for (const same of [from, at(4, 5, 5)]) expect(isFurther(slice(same), from)).toBe(false);
    expect(isFurther(new Api.updates.DifferenceTooLong({ pts: 5 }), from)).toBe(false);
    expect(isFurther(new Api.updates.DifferenceTooLong({ pts: 6 }), from)).toBe(true);
    const last = new Api.updates.Difference({ ...rest, newMessages: [], otherUpdates: [], state: state(from) });
    expect(isFurther(last, from)).toBe(true);
  });
});
