import bigInt from 'big-integer';
import { Api } from 'telegram';
import { beforeEach, describe, expect, it } from 'vitest';
import { TelegramError } from '../../../../../src/telegram/port/errors.ts';
import { CatchUpWorld, message, state } from '../../../../support/telegram/catch-up-world.ts';

let world: CatchUpWorld;
beforeEach(() => {
  world = new CatchUpWorld();
});

describe('catching up', () => {
  it('[D2] passes on what comes in order, without asking', async () => {
    for (const pts of [1, 2, 3]) world.catchUp.handle(world.push(pts));
    await world.clock.advance(60_000);
    expect(world.seen).toEqual(['a', 'b', 'c']);
    expect(world.asked).toEqual([]);
    expect(world.catchUp.position?.pts).toBe(3);
  });

  it('[D2] passes on nothing twice', async () => {
    for (const pts of [1, 1, 2, 1, 2]) world.catchUp.handle(world.push(pts));
    expect(world.seen).toEqual(['a', 'b']);
  });

  it('[D2] asks for what is missing half a second after a gap', async () => {
    world.held = world.held.slice(0, 3);
    for (const pts of [1, 3]) world.catchUp.handle(world.push(pts));
    await world.clock.advance(499);
    expect(world.seen).toEqual(['a']);
    await world.clock.advance(1);
    expect(world.seen).toEqual(['a', 'b*', 'c*']);
    expect(world.asked).toEqual([1]);
  });

  it('[D2] gets along with what overtakes', async () => {
    world.held = world.held.slice(0, 4);
    for (const pts of [2, 1, 4, 3]) world.catchUp.handle(world.push(pts));
    await world.clock.advance(1_000);
    expect(world.seen.map((text) => text.charAt(0))).toEqual(['a', 'b', 'c', 'd']);
  });

  it('[D2] fetches in slices, and again after a failure', async () => {
    world.sliceSize = 2;
    world.failures = 1;
    world.catchUp.handle(new Api.UpdatesTooLong());
    await world.clock.settle();
    expect(world.seen).toEqual([]);
    await world.clock.advance(5_000);
    expect(world.seen).toEqual(['a*', 'b*', 'c*', 'd*', 'e*', 'f*']);
    expect(world.asked).toEqual([0, 0, 2, 4]);
  });

  it('[D2] goes on from where Telegram is now where it does not know the position', async () => {
    world.failures = 1;
    world.failure = new TelegramError(400, 'PERSISTENT_TIMESTAMP_INVALID', 'GetDifference');
    world.present = 2;
    world.catchUp.startAt({ pts: 900, qts: 0, date: 0 });
    await world.catchUp.recover();
    expect(world.catchUp.position?.pts).toBe(2);
    expect(world.lost).toEqual(['position-unknown']);
    world.catchUp.handle(world.push(3));
    expect(world.seen).toEqual(['c']);
  });

  it('[WH5.2] passes on no update twice that says that it counts nothing', () => {
    world.catchUp.handle(world.push(1));
    world.catchUp.handle(world.push(2));
    const again = new Api.UpdateNewMessage({ message: message('a', 1), pts: 1, ptsCount: 0 });
    world.catchUp.handle(new Api.UpdateShort({ update: again, date: 0 }));
    expect(world.seen).toEqual(['a', 'b']);
    expect(world.asked).toEqual([]);
  });

  it('[D2] asks again no sooner than Telegram wants', async () => {
    world.failures = 1;
    world.failure = new TelegramError(420, 'FLOOD_WAIT_90', 'updates.GetDifference');
    await world.catchUp.recover();
    await world.clock.advance(89_999);
    expect(world.asked).toEqual([0]);
    await world.clock.advance(1);
    expect(world.asked).toEqual([0, 0]);
  });

  it('[D2] passes on once what is pushed while it is being asked for', async () => {
    world.catchUp.handle(new Api.UpdatesTooLong());
    world.held.push('g');
    world.catchUp.handle(world.push(1));
    world.catchUp.handle(world.push(7));
    await world.clock.settle();
    await world.clock.advance(10_000);
    expect(world.seen.map((text) => text.charAt(0))).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  });

  it('[D2] drops an answer that was overtaken, and asks again', async () => {
    const before = world.catchUp.request();
    if (before === undefined) throw new Error('nothing is counted');
    world.catchUp.handle(world.push(1));
    const newMessages = [message('a', 1), message('b', 2)];
    const late = { newMessages, newEncryptedMessages: [], otherUpdates: [], chats: [], users: [], state: state(2) };
    expect(world.catchUp.take(new Api.updates.Difference(late), before)).toBe(true);
    expect(world.seen).toEqual(['a']);
    await world.catchUp.recover();
    expect(world.seen).toEqual(['a', 'b*', 'c*', 'd*', 'e*', 'f*']);
  });

  it('[WH3.1] asks at once about what a push does not tell enough of, and only then', async () => {
    world.doubted.add(2);
    for (const pts of [1, 2, 2]) world.catchUp.handle(world.push(pts));
    expect(world.seen).toEqual(['a']);
    await world.clock.settle();
    expect(world.seen).toEqual(['a', 'b*', 'c*', 'd*', 'e*', 'f*']);
    world.catchUp.handle(world.push(2));
    await world.clock.settle();
    expect(world.asked[0]).toBe(1);
    expect(world.seen).toHaveLength(6);
  });

  it('[WH4.1] takes nothing where there is no room, and asks when there is', async () => {
    let free: () => void = () => {};
    world.full = new Promise((resolve) => {
      free = resolve;
    });
    for (const pts of [1, 2, 3]) world.catchUp.handle(world.push(pts));
    await world.clock.advance(60_000);
    expect([world.seen, world.asked]).toEqual([[], []]);
    expect(world.catchUp.position?.pts).toBe(0);
    expect(world.catchUp.isCurrent).toBe(false);
    world.full = undefined;
    free();
    await world.clock.settle();
    expect(world.seen).toEqual(['a*', 'b*', 'c*', 'd*', 'e*', 'f*']);
    expect(world.catchUp.isCurrent).toBe(true);
  });

  it('[WH3.2] tells by which names its own messages go before it tells of the messages', () => {
    const asking = world.catchUp.request();
    if (asking === undefined) throw new Error('nothing is counted');
    const named = new Api.UpdateMessageID({ id: 1, randomId: bigInt(5) });
    const read = new Api.UpdateReadHistoryOutbox({
      peer: new Api.PeerUser({ userId: bigInt(7) }),
      maxId: 1,
      pts: 2,
      ptsCount: 1,
    });
    const rest = { newEncryptedMessages: [], chats: [], users: [], state: state(2) };
    const newMessages = [message('a', 1)];
    world.catchUp.take(new Api.updates.Difference({ ...rest, newMessages, otherUpdates: [read, named] }), asking);
    expect(world.seen).toEqual(['UpdateMessageID*', 'a*', 'UpdateReadHistoryOutbox*']);
  });

  it('counts what its own requests have changed', async () => {
    world.catchUp.count(1, 1);
    world.catchUp.handle(world.push(2));
    expect(world.seen).toEqual(['b']);
    expect(world.asked).toEqual([]);
  });

  it('lets updates of channels and those without a number through', async () => {
    world.catchUp.handle(
      new Api.Updates({
        updates: [
          new Api.UpdateNewChannelMessage({ message: message('x', 1), pts: 900, ptsCount: 1 }),
          new Api.UpdateUserPhone({ userId: bigInt(1), phone: '1' }),
        ],
        users: [],
        chats: [],
        date: 0,
        seq: 0,
      }),
    );
    await world.clock.advance(1_000);
    expect(world.seen).toEqual(['UpdateNewChannelMessage', 'UpdateUserPhone']);
    expect(world.asked).toEqual([]);
  });

  it('writes out the short forms', () => {
    world.catchUp.handle(
      new Api.UpdateShortMessage({
        id: 5,
        userId: bigInt(9),
        message: 'short',
        pts: 1,
        ptsCount: 1,
        date: 3,
        out: true,
      }),
    );
    expect(world.seen).toEqual(['short']);
  });

  it('asks every half hour, and never once it is stopped', async () => {
    world.held = [];
    world.catchUp.startRoutine();
    await world.clock.advance(2 * 60 * 60_000);
    expect(world.asked).toHaveLength(4);
    world.catchUp.stop();
    world.catchUp.handle(new Api.UpdatesTooLong());
    await world.clock.advance(2 * 60 * 60_000);
    expect(world.asked).toHaveLength(4);
    expect(world.clock.armed()).toBe(0);
  });
});
