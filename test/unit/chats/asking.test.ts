import { beforeEach, describe, expect, it } from 'vitest';
import { mapConcurrent } from '../../../actors/kit/map-concurrent.ts';
import { ChatCache } from '../../../src/chats/chat-cache.ts';
import { chatFields } from '../../../src/chats/chat-fields.ts';
import { FloodWaitGate } from '../../../src/chats/flood-wait-gate.ts';
import { listGroups } from '../../../src/chats/groups.ts';
import type { TelegramAccount } from '../../../src/telegram/port/account.ts';
import type { AccountChats, Chat, ChatDetails } from '../../../src/telegram/port/chats.ts';
import { NotConnectedError, TelegramError } from '../../../src/telegram/port/errors.ts';
import { createDrivenClock, type DrivenClock } from '../../support/kit/clock.ts';

const wait = (seconds: number): TelegramError =>
  new TelegramError(420, `FLOOD_WAIT_${seconds}`, 'channels.GetFullChannel');

let clock: DrivenClock;
beforeEach(() => {
  clock = createDrivenClock();
});

describe('many at a time', () => {
  it('[GR2.2] so many at once at most, the results in order', async () => {
    let running = 0;
    let most = 0;
    const items = Array.from({ length: 23 }, (_, place) => place);
    const results = await mapConcurrent(items, 4, async (item) => {
      running += 1;
      most = Math.max(most, running);
      for (let turn = 0; turn < item % 5; turn++) await Promise.resolve();
      running -= 1;
      return item * 2;
    });
    expect([most, results]).toEqual([4, items.map((item) => item * 2)]);
    expect(await mapConcurrent([], 4, () => Promise.reject(new Error('asked')))).toEqual([]);
  });

  it('[GR2.2] after a failure nothing more is begun', async () => {
    const begun: number[] = [];
    const failing = mapConcurrent([1, 2, 3, 4, 5, 6], 2, async (item) => {
      begun.push(item);
      await Promise.resolve();
      if (item === 2) throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await clock.settle();
    expect(begun.length).toBeLessThanOrEqual(3);
  });
});

describe('a wait that Telegram asks for', () => {
  it('[GR2.3] is kept, and what is left of it is said', async () => {
    const pause = new FloodWaitGate(clock);
    let asked = 0;
    const ask = (answer: () => Promise<string>): Promise<string> =>
      pause.observed(() => {
        asked += 1;
        return answer();
      });
    await expect(ask(() => Promise.reject(wait(100)))).rejects.toThrow('A wait of 100 seconds is required');
    await clock.advance(30_500);
    await expect(ask(async () => 'x')).rejects.toMatchObject({ errorName: 'FLOOD_WAIT_70', waitSeconds: 70 });
    expect(asked).toBe(1);
    await clock.advance(69_500);
    expect(await ask(async () => 'x')).toBe('x');
    const refusal = new TelegramError(400, 'CHANNEL_PRIVATE', 'channels.GetFullChannel');
    await expect(ask(() => Promise.reject(refusal))).rejects.toBe(refusal);
    expect(await ask(async () => 'y')).toBe('y');
  });
});

describe('a list', () => {
  const chat = (id: number): Chat => ({
    kind: 'group',
    id: `-100${id}`,
    name: `Group ${id}`,
    username: '',
    photo: { id: String(id), dc: 2 },
    joined: 1_770_000_000_000,
    isAdmin: false,
  });
  /** Telegram as one test wants it. */
  function directory(chats: Partial<AccountChats>) {
    const all = Array.from({ length: 10 }, (_, place) => chat(place + 1));
    const account = {
      chats: {
        joined: async () => all,
        details: async (): Promise<ChatDetails> => ({ description: 'About' }),
        photo: async () => Buffer.from('photo'),
        ...chats,
      },
    } as unknown as TelegramAccount;
    return { account, cache: new ChatCache(clock), clock };
  }

  it('[GR2.2] does not wait longer than a minute for what is asked group by group; it comes later', async () => {
    const given: (() => void)[] = [];
    let photos = 0;
    const slow = directory({
      details: () => new Promise((resolve) => given.push(() => resolve({ description: 'About' }))),
      photo: async () => {
        photos += 1;
        return Buffer.from('photo');
      },
    });
    const listing = listGroups(slow);
    await clock.advance(59_999);
    expect(given).toHaveLength(4);
    await clock.advance(1);
    const groups = await listing;
    expect(groups.map(({ description }) => description)).toEqual(Array.from({ length: 10 }, () => ''));
    // What was not begun by then is not asked for any more.
    expect([given.length, photos]).toEqual([4, 4]);
    for (const give of given) give();
    await clock.settle();
    const again = listGroups(slow);
    await clock.advance(60_000);
    expect((await again).filter(({ description }) => description !== '')).toHaveLength(4);
  });

  it('[AU2.1] fails where the account is not connected any more; a photo alone is no reason', async () => {
    const gone = (): Promise<never> => Promise.reject(new NotConnectedError('gone'));
    await expect(listGroups(directory({ details: gone }))).rejects.toThrow(NotConnectedError);
    const groups = await listGroups(directory({ photo: gone }));
    expect(groups.map(({ picture, description }) => [picture, description])).toEqual(
      Array.from({ length: 10 }, () => ['', 'About']),
    );
  });

  it('[GR2.1] one photo that two chats share, or two accounts see, is fetched once', async () => {
    let photos = 0;
    const photo = async (): Promise<Buffer> => {
      photos += 1;
      return Buffer.from('photo');
    };
    const first = directory({ photo });
    const second = { ...directory({ photo }), cache: first.cache };
    const seen = await Promise.all([first, second].map((each) => chatFields(each).picture(chat(1))));
    expect(seen).toEqual(Array.from({ length: 2 }, () => `data:image/jpeg;base64,${btoa('photo')}`));
    expect(photos).toBe(1);
    expect(await chatFields(second).picture({ ...chat(1), id: '-1009' })).toBe(seen[0]);
    expect(photos).toBe(1);
  });

  it('[GR2.1] a description is each account’s own', async () => {
    const first = directory({ details: async () => ({ description: 'One' }) });
    const second = { ...directory({ details: async () => ({ description: 'Two' }) }), cache: first.cache };
    expect(await chatFields(first).details(chat(1))).toEqual({ description: 'One' });
    expect(await chatFields(second).details(chat(1))).toEqual({ description: 'Two' });
  });

  it('[GR1.2] says 500 where Telegram does not answer at all', async () => {
    const listing = listGroups(directory({ joined: () => new Promise(() => {}) })).catch((error: unknown) => error);
    await clock.advance(240_000);
    expect(await listing).toMatchObject({ statusCode: 500, message: 'telegram did not answer in time' });
  });
});
