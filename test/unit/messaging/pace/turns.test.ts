import { describe, expect, it } from 'vitest';
import { turnsOf, type Waiting } from '../../../../src/messaging/pace/turns.ts';

const now = 1_000_000;
const minute = 60_001;
const day = 86_400_001;
const one: Waiting = { messages: 1, isNew: false };
const fresh: Waiting = { messages: 1, isNew: true };
const ended = (endedAt: number, messages = 1) => ({ messages, endedAt });

describe('turns', () => {
  it('[OS7.1] are at once as long as a minute has room', () => {
    const waiting = Array.from({ length: 3 }, () => one);
    expect(turnsOf({ perMinute: 3 }, [], [], waiting, now)).toEqual([now, now, now]);
  });

  it('[OS7.1] come a minute after the message whose place they take', () => {
    const taken = [ended(now - 30_000), ended(now - 10_000)];
    const waiting = Array.from({ length: 4 }, () => one);
    const first = now - 30_000 + minute;
    const second = now - 10_000 + minute;
    expect(turnsOf({ perMinute: 2 }, taken, [], waiting, now)).toEqual([
      first,
      second,
      first + minute,
      second + minute,
    ]);
  });

  it('[OS7.1] of several messages at once come when there is room for all', () => {
    const taken = [ended(now - 30_000), ended(now - 10_000)];
    const album = { messages: 2, isNew: false };
    expect(turnsOf({ perMinute: 3 }, taken, [], [album, one], now)).toEqual([
      now - 30_000 + minute,
      now - 10_000 + minute,
    ]);
    expect(turnsOf({ perMinute: 3 }, [ended(now - 5_000, 3)], [], [album], now)).toEqual([now - 5_000 + minute]);
  });

  it('[OS7.1] count what is under way as if it ended now', () => {
    expect(turnsOf({ perMinute: 1 }, [{ messages: 1, endedAt: undefined }], [], [one], now)).toEqual([now + minute]);
  });

  it('[OS7.1] have no order of their own: the messages that ended first leave first', () => {
    const taken = [ended(now - 1_000), ended(now - 50_000)];
    expect(turnsOf({ perMinute: 2 }, taken, [], [one], now)).toEqual([now - 50_000 + minute]);
  });

  it('[OS7.6] of new chats come a day after the chat whose place they take, and hold up no other', () => {
    const chats = [now - day + 5_000, now - 1_000];
    expect(turnsOf({ newChatsPerDay: 2 }, [], chats, [fresh, fresh, one], now)).toEqual([
      now + 5_000,
      now - 1_000 + day,
      now,
    ]);
    expect(turnsOf({ perMinute: 1, newChatsPerDay: 2 }, [], chats, [fresh, one], now)).toEqual([
      now + 5_000,
      now + 5_000 + minute,
    ]);
  });

  it('[OS7.1] without limits are at once', () => {
    expect(turnsOf({}, [ended(now)], [now], [fresh, one], now)).toEqual([now, now]);
  });
});
