import fc from 'fast-check';
import { Api } from 'telegram/tl/index.js';
import { describe, expect, it } from 'vitest';
import { chatMessage } from '../../../../../src/telegram/gramjs/chats/chat-message.ts';
import { type AskHistory, historyPage, type Messages } from '../../../../../src/telegram/gramjs/chats/history.ts';

/** A history as Telegram keeps it: message IDs in falling order, what is deleted left out. */
interface History {
  ids: readonly number[];
  services: ReadonlySet<number>;
  /** How an answer says how many there are. */
  form: 'channel' | 'slice' | 'inexact';
  /** Telegram may give fewer messages than asked for, though there are more. */
  mostGiven: number;
}

const peerId = new Api.PeerChannel({ channelId: 4001n as unknown as Api.long });

function telegram({ ids, services, form, mostGiven }: History): AskHistory & { asked: number } {
  const ask: AskHistory & { asked: number } = async (offsetId, limit) => {
    ask.asked += 1;
    const older = offsetId === 0 ? ids : ids.filter((id) => id < offsetId);
    const messages = older
      .slice(0, Math.min(limit, mostGiven))
      .map((id) =>
        services.has(id)
          ? new Api.MessageService({ id, peerId, date: id, action: new Api.MessageActionPinMessage() })
          : new Api.Message({ id, peerId, date: id, message: `Message ${id}` }),
      );
    const all = { count: ids.length, messages, chats: [], users: [] };
    if (form === 'channel') return new Api.messages.ChannelMessages({ ...all, pts: 1, topics: [] });
    if (messages.length === ids.length) return new Api.messages.Messages(all);
    return new Api.messages.MessagesSlice({
      ...all,
      inexact: form === 'inexact',
      count: all.count + 7 * +(form === 'inexact'),
    });
  };
  ask.asked = 0;
  return ask;
}

const shown = (answer: Messages): number[] =>
  answer.messages.filter((message) => message instanceof Api.Message).map((message) => chatMessage(message).id);

async function walk(history: History): Promise<{ shown: number[]; befores: number[] }> {
  const ask = telegram(history);
  const found: number[] = [];
  const befores: number[] = [];
  for (let before = 0; befores.length === 0 || before !== 0; ) {
    const page = await historyPage(ask, before);
    found.push(...shown(page.answer));
    before = page.before;
    befores.push(before);
  }
  return { shown: found, befores };
}

const histories = fc
  .record({
    kept: fc.array(
      fc.nat(4).map((drawn) => drawn > 0),
      { maxLength: 430, size: 'max' },
    ),
    serviceEvery: fc.integer({ min: 1, max: 9 }),
    startsAt: fc.constantFrom(1, 2, 50),
    form: fc.constantFrom('channel', 'slice', 'inexact'),
    mostGiven: fc.constantFrom(100, 100, 63, 1),
  })
  .map(({ kept, serviceEvery, startsAt, form, mostGiven }): History => {
    const ids = kept.flatMap((isKept, place) => (isKept ? [place + startsAt] : [])).toReversed();
    return { ids, services: new Set(ids.filter((id) => id % serviceEvery === 0)), form, mostGiven };
  });

const range = (length: number, from = 1): number[] => Array.from({ length }, (_, place) => from + place).toReversed();
const plain = (ids: readonly number[], more: Partial<History> = {}): History => ({
  ids,
  services: new Set(),
  form: 'channel',
  mostGiven: 100,
  ...more,
});

describe('a page of history', () => {
  it('[CH2.1] any walk over the pages gives the whole history, and ends with 0', async () => {
    let pages = 0;
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const { shown: ids, befores } = await walk(history);
        pages += befores.length;
        expect(ids).toEqual(history.ids.filter((id) => !history.services.has(id)));
        expect(befores.at(-1)).toBe(0);
        // The last page is the one that reaches the beginning: never an empty one after it.
        expect(befores.length).toBe(Math.max(1, Math.ceil(history.ids.length / history.mostGiven)));
      }),
      { seed: 20260105, numRuns: 150 },
    );
    expect(pages).toBeGreaterThan(450);
  });

  it('[CH2.1] `before` is the lowest ID of the page, service messages among them, or 0', async () => {
    await fc.assert(
      fc.asyncProperty(histories, fc.nat(500), async (history, before) => {
        const page = await historyPage(telegram(history), before);
        const older = history.ids.filter((id) => before === 0 || id < before);
        const given = older.slice(0, history.mostGiven);
        expect(page.before).toBe(older.length > given.length ? given.at(-1) : 0);
      }),
      { seed: 20260106, numRuns: 150 },
    );
  });

  it.each<[string, History, number, number, number]>([
    ['nothing at all', plain([]), 0, 0, 1],
    ['fewer than 100', plain(range(99)), 0, 0, 1],
    ['exactly 100', plain(range(100)), 0, 0, 1],
    ['exactly 100, the first ones deleted', plain(range(100, 50)), 0, 0, 1],
    ['101', plain(range(101)), 0, 2, 1],
    ['the last 100 of 200', plain(range(200)), 101, 0, 1],
    ['the last 100 of 200, the first ones deleted', plain(range(200, 50)), 150, 0, 2],
    ['100 in the middle', plain(range(300)), 201, 101, 2],
    ['all of them service messages', plain(range(150), { services: new Set(range(150)) }), 0, 51, 1],
    ['a short page, and more behind it', plain(range(150), { mostGiven: 40 }), 0, 111, 2],
    ['before the first one', plain(range(10)), 1, 0, 1],
    ['before one that is deleted', plain([9, 8, 3, 2]), 7, 0, 2],
  ])('[CH2.1] %s', async (_name, history, before, expected, requests) => {
    const ask = telegram(history);
    expect((await historyPage(ask, before)).before).toBe(expected);
    expect(ask.asked).toBe(requests);
  });
});
