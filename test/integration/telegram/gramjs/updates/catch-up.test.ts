import bigInt from 'big-integer';
import { Api } from 'telegram';
import { beforeEach, describe, expect, it } from 'vitest';
import { UnreadableAnswerError } from '../../../../../src/telegram/gramjs/library/sender.ts';
import { CatchUp } from '../../../../../src/telegram/gramjs/updates/catch-up.ts';
import { TelegramError } from '../../../../../src/telegram/port/errors.ts';
import { createDrivenClock, type DrivenClock } from '../../../../support/kit/clock.ts';

let clock: DrivenClock;
let catchUp: CatchUp;
let seen: string[];
let asked: number[];
/** What Telegram holds, by pts from 1. */
let held: string[];
let limits: (number | undefined)[];
let sliceSize: number;
/** Numbers of updates that no difference with them can be read. */
let unreadable: Set<number>;
let failures: number;
/** What the failures are. */
let failure: Error;
/** Where Telegram says that the account is. */
let present: number;
/** IDs of messages that a push does not tell enough of. */
let doubted: Set<number>;
/** Resolves when there is room again. */
let full: Promise<void> | undefined;
/** Where nothing was missing. */
let current: unknown[];
let lost: string[];
/** Called with each slice that holds nothing. */
let stuck: (tries: number) => void;

const message = (text: string, id: number): Api.Message =>
  new Api.Message({ id, message: text, date: 0, peerId: new Api.PeerUser({ userId: bigInt(7) }) });
const push = (pts: number): Api.TypeUpdates =>
  new Api.UpdateShort({
    update: new Api.UpdateNewMessage({ message: message(held[pts - 1] ?? '', pts), pts, ptsCount: 1 }),
    date: 0,
  });
const state = (pts: number): Api.updates.State =>
  new Api.updates.State({ pts, qts: 0, date: 1, seq: 0, unreadCount: 0 });

beforeEach(() => {
  clock = createDrivenClock();
  seen = [];
  asked = [];
  limits = [];
  unreadable = new Set();
  held = ['a', 'b', 'c', 'd', 'e', 'f'];
  sliceSize = 100;
  failures = 0;
  failure = new Error('out of reach');
  present = 0;
  doubted = new Set();
  full = undefined;
  current = [];
  lost = [];
  stuck = () => undefined;
  catchUp = new CatchUp({
    clock,
    invoke: async ({ pts, ptsLimit }) => {
      asked.push(pts);
      limits.push(ptsLimit);
      if (failures-- > 0) throw failure;
      if (sliceSize === 0) {
        stuck(asked.length);
        const intermediateState = new Api.updates.State({ pts, qts: 0, date: 0, seq: 0, unreadCount: 0 });
        const nothing = { newMessages: [], newEncryptedMessages: [], otherUpdates: [], chats: [], users: [] };
        return new Api.updates.DifferenceSlice({ ...nothing, intermediateState });
      }
      const upTo = Math.min(held.length, pts + (ptsLimit ?? sliceSize));
      for (const each of unreadable)
        if (each > pts && each <= upTo) throw new UnreadableAnswerError('updates.GetDifference');
      if (upTo <= pts) return new Api.updates.DifferenceEmpty({ date: 2, seq: 0 });
      const newMessages = held.slice(pts, upTo).map((text, index) => message(text, pts + index + 1));
      const rest = { newMessages, newEncryptedMessages: [], otherUpdates: [], chats: [], users: [] };
      return upTo === held.length
        ? new Api.updates.Difference({ ...rest, state: state(upTo) })
        : new Api.updates.DifferenceSlice({ ...rest, intermediateState: state(upTo) });
    },
    present: async () => state(present),
    onUpdates: (updates, missed) => {
      for (const update of updates) {
        const text =
          update instanceof Api.UpdateNewMessage && update.message instanceof Api.Message && update.message.message;
        seen.push(`${text || update.className}${missed ? '*' : ''}`);
      }
    },
    isDoubtful: (update) =>
      update instanceof Api.UpdateNewMessage && update.message instanceof Api.Message && doubted.has(update.message.id),
    hasRoom: () => full === undefined,
    room: async () => full,
    onCurrent: () => {
      current.push(catchUp.position?.pts);
    },
    onGap: () => {},
    onLost: (reason) => void lost.push(reason),
  });
  catchUp.startAt({ pts: 0, qts: 0, date: 0 });
});

describe('catching up', () => {
  it('[D2] passes on what comes in order, without asking', async () => {
    for (const pts of [1, 2, 3]) catchUp.handle(push(pts));
    await clock.advance(60_000);
    expect(seen).toEqual(['a', 'b', 'c']);
    expect(asked).toEqual([]);
    expect(catchUp.position?.pts).toBe(3);
  });

  it('[D2] passes on nothing twice', async () => {
    for (const pts of [1, 1, 2, 1, 2]) catchUp.handle(push(pts));
    expect(seen).toEqual(['a', 'b']);
  });

  it('[D2] asks for what is missing half a second after a gap', async () => {
    held = held.slice(0, 3);
    for (const pts of [1, 3]) catchUp.handle(push(pts));
    await clock.advance(499);
    expect(seen).toEqual(['a']);
    await clock.advance(1);
    expect(seen).toEqual(['a', 'b*', 'c*']);
    expect(asked).toEqual([1]);
  });

  it('[D2] gets along with what overtakes', async () => {
    held = held.slice(0, 4);
    for (const pts of [2, 1, 4, 3]) catchUp.handle(push(pts));
    await clock.advance(1_000);
    expect(seen.map((text) => text.charAt(0))).toEqual(['a', 'b', 'c', 'd']);
  });

  it('[D2] fetches in slices, and again after a failure', async () => {
    sliceSize = 2;
    failures = 1;
    catchUp.handle(new Api.UpdatesTooLong());
    await clock.settle();
    expect(seen).toEqual([]);
    await clock.advance(5_000);
    expect(seen).toEqual(['a*', 'b*', 'c*', 'd*', 'e*', 'f*']);
    expect(asked).toEqual([0, 0, 2, 4]);
  });

  it('[D2] goes on from where Telegram is now where it does not know the position', async () => {
    failures = 1;
    failure = new TelegramError(400, 'PERSISTENT_TIMESTAMP_INVALID', 'GetDifference');
    present = 2;
    catchUp.startAt({ pts: 900, qts: 0, date: 0 });
    await catchUp.recover();
    expect(catchUp.position?.pts).toBe(2);
    expect(lost).toEqual(['position-unknown']);
    catchUp.handle(push(3));
    expect(seen).toEqual(['c']);
  });

  it('[WH5.3] gives up only what cannot be read, and says so once for what is in a row', async () => {
    held = Array.from({ length: 60 }, (_, index) => `text ${index + 1}`);
    unreadable = new Set([20, 21, 40]);
    await catchUp.recover();
    expect(seen).toEqual(held.filter((_, index) => !unreadable.has(index + 1)).map((text) => `${text}*`));
    expect(lost).toEqual(['unreadable', 'unreadable']);
    expect(current).toEqual([60]);
    expect(asked.length).toBeLessThan(40);
    expect(limits).toContain(1);
  });

  it('[WH5.3] goes on from where Telegram is now where nothing can be read, after a limit', async () => {
    held = Array.from({ length: 900 }, () => 'text');
    unreadable = new Set(held.map((_, index) => index + 1));
    present = 900;
    await catchUp.recover();
    expect(catchUp.position?.pts).toBe(900);
    expect(lost).toEqual(['unreadable']);
    expect(asked.length).toBeLessThan(120);
  });

  it('[WH5.3] tries a slice that does not move on three more times, after 1, 2 and 4 s', async () => {
    sliceSize = 0;
    present = 6;
    const start = clock.now();
    const times: number[] = [];
    stuck = () => void times.push(clock.now() - start);
    await catchUp.recover();
    catchUp.handle(new Api.UpdatesTooLong());
    await catchUp.recover();
    expect(catchUp.isCurrent).toBe(false);
    await clock.advance(60_000);
    expect(times).toEqual([0, 1_000, 3_000, 7_000]);
    expect(lost).toEqual(['stuck']);
    expect(catchUp.position?.pts).toBe(6);
    expect(catchUp.isCurrent).toBe(true);
    held.push('g');
    catchUp.handle(push(7));
    expect(seen).toEqual(['g']);
  });

  it('[WH5.3] loses nothing where a slice moves on at the third try', async () => {
    sliceSize = 0;
    stuck = (tries) => {
      if (tries === 3) sliceSize = 100;
    };
    await catchUp.recover();
    await clock.advance(60_000);
    expect(asked).toEqual([0, 0, 0, 0]);
    expect(seen).toEqual(['a*', 'b*', 'c*', 'd*', 'e*', 'f*']);
    expect(lost).toEqual([]);
  });

  it('[WH5.3] goes on after slices that move on in their date alone', () => {
    const slice = { newEncryptedMessages: [], otherUpdates: [], chats: [], users: [] };
    for (let date = 1; date <= 6; date += 1) {
      const asking = catchUp.request();
      if (asking === undefined) throw new Error('nothing is counted');
      const intermediateState = new Api.updates.State({ pts: 0, qts: 0, date, seq: 0, unreadCount: 0 });
      const newMessages = [message(`at ${date}`, date)];
      expect(catchUp.take(new Api.updates.DifferenceSlice({ ...slice, newMessages, intermediateState }), asking)).toBe(
        true,
      );
    }
    expect(seen).toEqual([1, 2, 3, 4, 5, 6].map((date) => `at ${date}*`));
    expect(catchUp.position).toEqual({ pts: 0, qts: 0, date: 6 });
    expect(lost).toEqual([]);
  });

  it('[WH5.3] passes on what a slice holds that does not move on, once', async () => {
    const slice = { newEncryptedMessages: [], otherUpdates: [], chats: [], users: [], intermediateState: state(0) };
    present = 2;
    for (let tries = 1; tries <= 4; tries++) {
      const asking = catchUp.request();
      if (asking === undefined) throw new Error('nothing is counted');
      const stalled = new Api.updates.DifferenceSlice({ ...slice, newMessages: [message('a', 1)] });
      Object.assign(stalled.intermediateState, { date: 0 });
      expect(catchUp.take(stalled, asking)).toBe(tries === 4);
    }
    await catchUp.recover();
    await clock.advance(60_000);
    expect(seen).toEqual(['a*']);
    expect(lost).toEqual(['stuck']);
  });

  it('[WH5.3] has nothing to pass on of an answer that too much was missed, if that does not move on', async () => {
    present = 2;
    for (let tries = 1; tries <= 4; tries++) {
      const asking = catchUp.request();
      if (asking === undefined) throw new Error('nothing is counted');
      expect(catchUp.take(new Api.updates.DifferenceTooLong({ pts: 0 }), asking)).toBe(tries === 4);
    }
    await catchUp.recover();
    await clock.advance(60_000);
    expect(seen).toEqual([]);
    expect(lost).toEqual(['stuck']);
    expect(catchUp.position?.pts).toBe(2);
  });

  it('[WH5.2] passes on no update twice that says that it counts nothing', () => {
    catchUp.handle(push(1));
    catchUp.handle(push(2));
    const again = new Api.UpdateNewMessage({ message: message('a', 1), pts: 1, ptsCount: 0 });
    catchUp.handle(new Api.UpdateShort({ update: again, date: 0 }));
    expect(seen).toEqual(['a', 'b']);
    expect(asked).toEqual([]);
  });

  it('[D2] asks again no sooner than Telegram wants', async () => {
    failures = 1;
    failure = new TelegramError(420, 'FLOOD_WAIT_90', 'updates.GetDifference');
    await catchUp.recover();
    await clock.advance(89_999);
    expect(asked).toEqual([0]);
    await clock.advance(1);
    expect(asked).toEqual([0, 0]);
  });

  it('[D2] passes on once what is pushed while it is being asked for', async () => {
    catchUp.handle(new Api.UpdatesTooLong());
    held.push('g');
    catchUp.handle(push(1));
    catchUp.handle(push(7));
    await clock.settle();
    await clock.advance(10_000);
    expect(seen.map((text) => text.charAt(0))).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  });

  it('[D2] drops an answer that was overtaken, and asks again', async () => {
    const before = catchUp.request();
    if (before === undefined) throw new Error('nothing is counted');
    catchUp.handle(push(1));
    const newMessages = [message('a', 1), message('b', 2)];
    const late = { newMessages, newEncryptedMessages: [], otherUpdates: [], chats: [], users: [], state: state(2) };
    expect(catchUp.take(new Api.updates.Difference(late), before)).toBe(true);
    expect(seen).toEqual(['a']);
    await catchUp.recover();
    expect(seen).toEqual(['a', 'b*', 'c*', 'd*', 'e*', 'f*']);
  });

  it('[WH5.3] says so where too much was missed, and takes what Telegram still has', async () => {
    const asking = catchUp.request();
    if (asking === undefined) throw new Error('nothing is counted');
    expect(catchUp.take(new Api.updates.DifferenceTooLong({ pts: 4 }), asking)).toBe(true);
    expect(lost).toEqual(['too-many']);
    await catchUp.recover();
    expect(seen).toEqual(['e*', 'f*']);
    expect(current).toEqual([6]);
  });

  it('[WH3.1] asks at once about what a push does not tell enough of, and only then', async () => {
    doubted.add(2);
    for (const pts of [1, 2, 2]) catchUp.handle(push(pts));
    expect(seen).toEqual(['a']);
    await clock.settle();
    expect(seen).toEqual(['a', 'b*', 'c*', 'd*', 'e*', 'f*']);
    catchUp.handle(push(2));
    await clock.settle();
    expect(asked[0]).toBe(1);
    expect(seen).toHaveLength(6);
  });

  it('[WH4.1] takes nothing where there is no room, and asks when there is', async () => {
    let free: () => void = () => {};
    full = new Promise((resolve) => {
      free = resolve;
    });
    for (const pts of [1, 2, 3]) catchUp.handle(push(pts));
    await clock.advance(60_000);
    expect([seen, asked]).toEqual([[], []]);
    expect(catchUp.position?.pts).toBe(0);
    expect(catchUp.isCurrent).toBe(false);
    full = undefined;
    free();
    await clock.settle();
    expect(seen).toEqual(['a*', 'b*', 'c*', 'd*', 'e*', 'f*']);
    expect(catchUp.isCurrent).toBe(true);
  });

  it('[WH3.2] tells by which names its own messages go before it tells of the messages', () => {
    const asking = catchUp.request();
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
    catchUp.take(new Api.updates.Difference({ ...rest, newMessages, otherUpdates: [read, named] }), asking);
    expect(seen).toEqual(['UpdateMessageID*', 'a*', 'UpdateReadHistoryOutbox*']);
  });

  it('counts what its own requests have changed', async () => {
    catchUp.count(1, 1);
    catchUp.handle(push(2));
    expect(seen).toEqual(['b']);
    expect(asked).toEqual([]);
  });

  it('lets updates of channels and those without a number through', async () => {
    catchUp.handle(
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
    await clock.advance(1_000);
    expect(seen).toEqual(['UpdateNewChannelMessage', 'UpdateUserPhone']);
    expect(asked).toEqual([]);
  });

  it('writes out the short forms', () => {
    catchUp.handle(
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
    expect(seen).toEqual(['short']);
  });

  it('asks every half hour, and never once it is stopped', async () => {
    held = [];
    catchUp.startRoutine();
    await clock.advance(2 * 60 * 60_000);
    expect(asked).toHaveLength(4);
    catchUp.stop();
    catchUp.handle(new Api.UpdatesTooLong());
    await clock.advance(2 * 60 * 60_000);
    expect(asked).toHaveLength(4);
    expect(clock.armed()).toBe(0);
  });
});
