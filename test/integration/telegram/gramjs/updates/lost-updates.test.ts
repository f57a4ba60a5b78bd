import { Api } from 'telegram';
import { beforeEach, describe, expect, it } from 'vitest';
import { CatchUpWorld, message, state } from '../../../../support/telegram/catch-up-world.ts';

let world: CatchUpWorld;
beforeEach(() => {
  world = new CatchUpWorld();
});

describe('catching up with what cannot be had', () => {
  it('[WH5.3] gives up only what cannot be read, and says so once for what is in a row', async () => {
    world.held = Array.from({ length: 60 }, (_, index) => `text ${index + 1}`);
    world.unreadable = new Set([20, 21, 40]);
    await world.catchUp.recover();
    expect(world.seen).toEqual(
      world.held.filter((_, index) => !world.unreadable.has(index + 1)).map((text) => `${text}*`),
    );
    expect(world.lost).toEqual(['unreadable', 'unreadable']);
    expect(world.current).toEqual([60]);
    expect(world.asked.length).toBeLessThan(40);
    expect(world.limits).toContain(1);
  });

  it('[WH5.3] goes on from where Telegram is now where nothing can be read, after a limit', async () => {
    world.held = Array.from({ length: 900 }, () => 'text');
    world.unreadable = new Set(world.held.map((_, index) => index + 1));
    world.present = 900;
    await world.catchUp.recover();
    expect(world.catchUp.position?.pts).toBe(900);
    expect(world.lost).toEqual(['unreadable']);
    expect(world.asked.length).toBeLessThan(120);
  });

  it('[WH5.3] tries a slice that does not move on three more times, after 1, 2 and 4 s', async () => {
    world.sliceSize = 0;
    world.present = 6;
    const start = world.clock.now();
    const times: number[] = [];
    world.stuck = () => void times.push(world.clock.now() - start);
    await world.catchUp.recover();
    world.catchUp.handle(new Api.UpdatesTooLong());
    await world.catchUp.recover();
    expect(world.catchUp.isCurrent).toBe(false);
    await world.clock.advance(60_000);
    expect(times).toEqual([0, 1_000, 3_000, 7_000]);
    expect(world.lost).toEqual(['stuck']);
    expect(world.catchUp.position?.pts).toBe(6);
    expect(world.catchUp.isCurrent).toBe(true);
    world.held.push('g');
    world.catchUp.handle(world.push(7));
    expect(world.seen).toEqual(['g']);
  });

  it('[WH5.3] loses nothing where a slice moves on at the third try', async () => {
    world.sliceSize = 0;
    world.stuck = (tries) => {
      if (tries === 3) world.sliceSize = 100;
    };
    await world.catchUp.recover();
    await world.clock.advance(60_000);
    expect(world.asked).toEqual([0, 0, 0, 0]);
    expect(world.seen).toEqual(['a*', 'b*', 'c*', 'd*', 'e*', 'f*']);
    expect(world.lost).toEqual([]);
  });

  it('[WH5.3] goes on after slices that move on in their date alone', () => {
    const slice = { newEncryptedMessages: [], otherUpdates: [], chats: [], users: [] };
    for (let date = 1; date <= 6; date += 1) {
      const asking = world.catchUp.request();
      if (asking === undefined) throw new Error('nothing is counted');
      const intermediateState = new Api.updates.State({ pts: 0, qts: 0, date, seq: 0, unreadCount: 0 });
      const newMessages = [message(`at ${date}`, date)];
      expect(
        world.catchUp.take(new Api.updates.DifferenceSlice({ ...slice, newMessages, intermediateState }), asking),
      ).toBe(true);
    }
    expect(world.seen).toEqual([1, 2, 3, 4, 5, 6].map((date) => `at ${date}*`));
    expect(world.catchUp.position).toEqual({ pts: 0, qts: 0, date: 6 });
    expect(world.lost).toEqual([]);
  });

  it('[WH5.3] passes on what a slice holds that does not move on, once', async () => {
    const slice = { newEncryptedMessages: [], otherUpdates: [], chats: [], users: [], intermediateState: state(0) };
    world.present = 2;
    for (let tries = 1; tries <= 4; tries++) {
      const asking = world.catchUp.request();
      if (asking === undefined) throw new Error('nothing is counted');
      const stalled = new Api.updates.DifferenceSlice({ ...slice, newMessages: [message('a', 1)] });
      Object.assign(stalled.intermediateState, { date: 0 });
      expect(world.catchUp.take(stalled, asking)).toBe(tries === 4);
    }
    await world.catchUp.recover();
    await world.clock.advance(60_000);
    expect(world.seen).toEqual(['a*']);
    expect(world.lost).toEqual(['stuck']);
  });

  it('[WH5.3] has nothing to pass on of an answer that too much was missed, if that does not move on', async () => {
    world.present = 2;
    for (let tries = 1; tries <= 4; tries++) {
      const asking = world.catchUp.request();
      if (asking === undefined) throw new Error('nothing is counted');
      expect(world.catchUp.take(new Api.updates.DifferenceTooLong({ pts: 0 }), asking)).toBe(tries === 4);
    }
    await world.catchUp.recover();
    await world.clock.advance(60_000);
    expect(world.seen).toEqual([]);
    expect(world.lost).toEqual(['stuck']);
    expect(world.catchUp.position?.pts).toBe(2);
  });

  it('[WH5.3] says so where too much was missed, and takes what Telegram still has', async () => {
    const asking = world.catchUp.request();
    if (asking === undefined) throw new Error('nothing is counted');
    expect(world.catchUp.take(new Api.updates.DifferenceTooLong({ pts: 4 }), asking)).toBe(true);
    expect(world.lost).toEqual(['too-many']);
    await world.catchUp.recover();
    expect(world.seen).toEqual(['e*', 'f*']);
    expect(world.current).toEqual([6]);
  });
});
