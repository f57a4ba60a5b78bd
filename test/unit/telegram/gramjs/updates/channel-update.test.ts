import bigInt from 'big-integer';
import { Api } from 'telegram/tl/index.js';
import { describe, expect, it } from 'vitest';
import { channelRead, noteRead, numberedUpdate } from '../../../../../src/telegram/gramjs/updates/channel-update.ts';
import type { ChannelBox } from '../../../../../src/telegram/login/login-state.ts';

const channelId = bigInt(4001);
const box = (): ChannelBox => ({ id: '-1004001', pts: 10, readInbox: 20, readOutbox: 30 });
const inbox = (maxId: number): Api.TypeUpdate =>
  new Api.UpdateReadChannelInbox({ channelId, maxId, stillUnreadCount: 0, pts: 10 });
const outbox = (maxId: number): Api.TypeUpdate => new Api.UpdateReadChannelOutbox({ channelId, maxId });

describe('how far a channel is read', () => {
  it('[EV1.6] only grows, each side for itself', () => {
    const known = box();
    const boxes = new Map([[known.id, known]]);
    for (const update of [inbox(25), inbox(21), outbox(31), outbox(29)]) noteRead(boxes, update);
    expect(known).toEqual({ ...box(), readInbox: 25, readOutbox: 31 });
  });

  it('[EV1.6] is not noted of a channel that is not followed', () => {
    const known = box();
    noteRead(new Map([['-1009999', known]]), inbox(25));
    noteRead(undefined, inbox(25));
    expect(known).toEqual(box());
  });

  it('[EV1.6] is told as a push would tell it', () => {
    expect(channelRead(box(), 'readInbox')).toMatchObject({ className: 'UpdateReadChannelInbox', maxId: 20, pts: 10 });
    expect(channelRead(box(), 'readOutbox')).toMatchObject({ className: 'UpdateReadChannelOutbox', maxId: 30 });
  });
});

it('[WH5.2] updates of a channel are counted in its own box, others are not', () => {
  const deleted = new Api.UpdateDeleteChannelMessages({ channelId, messages: [1], pts: 11, ptsCount: 1 });
  expect(numberedUpdate(deleted)).toEqual({ id: '-1004001', pts: 11, ptsCount: 1 });
  expect(numberedUpdate(inbox(25))).toBeUndefined();
  const own = new Api.UpdateDeleteMessages({ messages: [1], pts: 11, ptsCount: 1 });
  expect(numberedUpdate(own)).toBeUndefined();
});
