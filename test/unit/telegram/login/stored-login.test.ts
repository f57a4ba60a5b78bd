import { beforeEach, describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../../../actors/ports/event-store.ts';
import { KeyDestroyedError } from '../../../../actors/ports/sealer.ts';
import type { TelegramFact } from '../../../../actors/ports/telegram-session.ts';
import { retryAfterMs } from '../../../../src/telegram/connection/retry-after.ts';
import { FactReporter } from '../../../../src/telegram/fact-reporter.ts';
import { LoginRepository } from '../../../../src/telegram/login/login-repository.ts';
import { type LoginState, loginForLogOut, readLogin, writeLogin } from '../../../../src/telegram/login/login-state.ts';
import { PeerCache } from '../../../../src/telegram/peer-cache.ts';
import { TelegramError } from '../../../../src/telegram/port/errors.ts';
import { createDrivenClock, createSeededRandomness, type DrivenClock } from '../../../support/kit/clock.ts';

const login: LoginState = {
  stage: 'complete',
  dc: 4,
  keys: new Map([
    [2, Buffer.alloc(256, 2)],
    [4, Buffer.alloc(256, 4)],
  ]),
  account: { id: '1001', name: 'Ann', username: 'ann', phone: '1' },
  photoId: '99',
  position: { pts: 5, qts: 0, date: 7 },
  peers: [
    { kind: 'user', id: '1002', hash: '-123456789012345678' },
    { kind: 'group', id: '-2001' },
    { kind: 'channel', id: '-1004003', hash: '5', left: true },
  ],
};

let clock: DrivenClock;
let log: string[];
beforeEach(() => {
  clock = createDrivenClock();
  log = [];
});
const noteLog = (_level: string, message: string): void => void log.push(message);

describe('a login as text', () => {
  it('comes back as it was', () => {
    expect(readLogin(writeLogin(login))).toEqual(login);
    const half: LoginState = { stage: 'password', dc: 2, keys: new Map([[2, Buffer.alloc(256)]]), peers: [] };
    expect(readLogin(writeLogin(half))).toEqual(half);
    const later: LoginState = { ...half, former: [{ dc: 4, key: Buffer.alloc(256, 4) }] };
    expect(readLogin(writeLogin(later))).toEqual(later);
  });

  it('[SE3.3] leaves to a log-out its keys, and nothing of the person', () => {
    const former = [{ dc: 1, key: Buffer.alloc(256, 1) }];
    const left = loginForLogOut(writeLogin({ ...login, former })) ?? '';
    expect(readLogin(left)).toEqual({
      stage: 'complete',
      dc: 4,
      keys: new Map([[4, Buffer.alloc(256, 4)]]),
      peers: [],
      former,
    });
    expect(loginForLogOut(writeLogin({ ...login, keys: new Map() }))).toBeUndefined();
    expect(() => loginForLogOut('{')).toThrow('unknown form');
  });

  it.each(['', '{', 'null', '{"version":2}', '[]'])('is none where it reads %j', (text) => {
    expect(readLogin(text)).toBeUndefined();
  });
});

describe('the peers that an account has met', () => {
  it('are a reason to save when they are news, and only then', () => {
    let changes = 0;
    const book = new PeerCache(login.peers);
    book.onChange(() => {
      changes += 1;
    });
    book.learn({ kind: 'user', id: '1002', hash: '-123456789012345678' });
    expect(changes).toBe(0);
    book.learn({ kind: 'user', id: '1002', hash: '8' });
    book.learn({ kind: 'channel', id: '-1004003', hash: '5' });
    book.learn({ kind: 'user', id: '1' });
    expect(changes).toBe(3);
    expect(book.size).toBe(4);
  });

  it('[D5] that are people, by the thousand, put out no group', () => {
    const book = new PeerCache([{ kind: 'group', id: '-1003001', hash: '1' }], 3);
    for (let user = 1; user <= 5; user += 1) book.learn({ kind: 'user', id: String(user), hash: '2' });
    expect(book.all().map(({ id }) => id)).toEqual(['-1003001', '3', '4', '5']);
    for (let group = 2; group <= 5; group += 1) book.learn({ kind: 'group', id: `-${group}` });
    expect(book.all().map(({ id }) => id)).toEqual(['-3', '-4', '-5', '3', '4', '5']);
  });
});

describe('keeping the stored login', () => {
  const keeperOf = (stored: string[], fail = () => false, route?: { url: string }): LoginRepository =>
    new LoginRepository(
      {
        clock,
        route,
        log: noteLog,
        loginStore: {
          loadLogin: async (_id, read) => {
            const text = stored.at(-1);
            return text === undefined ? undefined : read(text);
          },
          saveLogin: async (_id, text) => {
            if (fail()) throw new Error('secret');
            stored.push(text);
          },
          dropLogin: async () => void stored.splice(0),
        },
      },
      's',
    );

  it('[SE3.3] has the proxy of its session beside it, as it is now', async () => {
    const stored: string[] = [];
    const route = { url: 'socks5://127.0.0.1:1080' };
    const keeper = keeperOf(stored, () => false, route);
    await keeper.save(login);
    expect(readLogin(stored.at(-1) ?? '')).toEqual({ ...login, proxy: 'socks5://127.0.0.1:1080' });
    route.url = '';
    await keeper.save({ ...login, proxy: 'socks5://127.0.0.1:1080' });
    expect(readLogin(stored.at(-1) ?? '')).toEqual(login);
  });

  it('gathers changes for a minute, and saves what is so then', async () => {
    const stored: string[] = [];
    const keeper = keeperOf(stored);
    let pts = 0;
    const read = (): LoginState => ({ ...login, position: { pts, qts: 0, date: 0 } });
    for (pts = 1; pts < 50; pts++) {
      keeper.saveSoon(read);
      await clock.advance(1_000);
    }
    expect(stored).toHaveLength(0);
    await clock.advance(60_000);
    expect(stored.map((text) => readLogin(text)?.position?.pts)).toEqual([50]);
  });

  it('saves at once when flushed, and nothing after a drop', async () => {
    const stored: string[] = [];
    const keeper = keeperOf(stored);
    keeper.saveSoon(() => login);
    await keeper.flush();
    expect([stored.length, clock.armed()]).toEqual([1, 0]);
    keeper.saveSoon(() => login);
    await keeper.drop();
    await clock.advance(120_000);
    await keeper.flush();
    expect(stored).toHaveLength(0);
    expect(await keeper.load()).toBeUndefined();
  });

  it('does things in the order they were asked for', async () => {
    const stored: string[] = [];
    const keeper = keeperOf(stored);
    const [, before, , after] = await Promise.all([keeper.save(login), keeper.load(), keeper.drop(), keeper.load()]);
    expect(before).toEqual(login);
    expect(after).toBeUndefined();
  });

  it('survives a store that fails, and does not tell what it said', async () => {
    const keeper = keeperOf([], () => true);
    keeper.saveSoon(() => login);
    await keeper.flush();
    expect(log).toEqual(['the login could not be saved']);
    await expect(keeper.save(login)).rejects.toThrow('secret');
  });
});

describe('reporting facts', () => {
  const loginOf = (fact: TelegramFact): number => ('login' in fact ? fact.login : 0);
  const fact = (revision: number): TelegramFact => ({ type: 'LoginLost', login: revision, reason: 'x' });

  it('hands them over one after the other, each until it is recorded', async () => {
    const recorded: number[] = [];
    let failures = 2;
    const reporter = new FactReporter(
      { clock, random: createSeededRandomness(1, clock), log: noteLog },
      async (reported) => {
        const n = loginOf(reported);
        if (n === 1 && failures-- > 0) throw new StoreUnavailableError('away');
        recorded.push(n);
      },
    );
    const { signal } = new AbortController();
    const all = Promise.all([1, 2, 3].map((n) => reporter.post(fact(n), signal)));
    await clock.settle();
    expect(recorded).toEqual([]);
    await clock.advance(10_000);
    await all;
    expect(recorded).toEqual([1, 2, 3]);
  });

  it('lets go of one that is of interest no more, and goes on', async () => {
    const recorded: number[] = [];
    const reporter = new FactReporter(
      { clock, random: createSeededRandomness(1, clock), log: noteLog },
      async (reported) => {
        const n = loginOf(reported);
        if (n === 1) throw new StoreUnavailableError('away');
        recorded.push(n);
      },
    );
    const stop = new AbortController();
    const first = reporter.post(fact(1), stop.signal).catch((error: unknown) => error);
    const second = reporter.post(fact(2), new AbortController().signal);
    await clock.settle();
    stop.abort(new Error('enough'));
    expect(await first).toBe(stop.signal.reason);
    await second;
    expect(recorded).toEqual([2]);
    expect(clock.armed()).toBe(0);
  });

  it('[WH4.4] drops one that no retry can help against, says so, and reports the next', async () => {
    const recorded: number[] = [];
    const reporter = new FactReporter(
      { clock, random: createSeededRandomness(1, clock), log: noteLog },
      async (reported) => {
        const n = loginOf(reported);
        if (n === 1) throw new KeyDestroyedError('deleted');
        recorded.push(n);
      },
    );
    const { signal } = new AbortController();
    const first = reporter.post(fact(1), signal).catch((error: unknown) => error);
    await reporter.post(fact(2), signal);
    expect(await first).toBeInstanceOf(KeyDestroyedError);
    expect([recorded, log, clock.armed()]).toEqual([[2], ['a fact could not be recorded'], 0]);
  });
});

describe('sending again what Telegram refused', () => {
  const after = (code: number, name: string, faults = 1, passedMs = 0): number | undefined =>
    retryAfterMs(new TelegramError(code, name, 'x.Y'), faults, passedMs);

  it('[ER3.2] after the wait it asks for, where that is under a minute', () => {
    expect(after(420, 'FLOOD_WAIT_1')).toBe(1_000);
    expect(after(420, 'FLOOD_WAIT_59')).toBe(59_000);
    expect(after(420, 'FLOOD_WAIT_60')).toBeUndefined();
  });

  it('[ER3.3] never because of a group’s slow mode', () => {
    expect(after(420, 'SLOWMODE_WAIT_1')).toBeUndefined();
    expect(after(420, 'SLOWMODE_WAIT_300')).toBeUndefined();
  });

  it('[ER3.2] until the waits have taken 240 s, however many they were', () => {
    expect(after(420, 'FLOOD_PREMIUM_WAIT_30', 1, 239_999)).toBe(30_000);
    expect(after(420, 'FLOOD_PREMIUM_WAIT_30', 1, 240_000)).toBeUndefined();
  });

  it('[ER3.4] three times, where the fault is its own; never where it is not', () => {
    expect([1, 2, 3, 4].map((faults) => after(500, 'INTERNAL', faults))).toEqual([1_000, 2_000, 4_000, undefined]);
    expect([after(-503, 'Timeout'), after(500, 'NEVER_HEARD_OF'), after(420, 'FLOOD_SKIP_FAILED_WAIT')]).toEqual([
      1_000, 1_000, 1_000,
    ]);
    for (const [code, name] of [
      [500, 'RANDOM_ID_DUPLICATE'],
      [400, 'PEER_FLOOD'],
      [403, 'CHAT_WRITE_FORBIDDEN'],
      [406, 'INTERNAL'],
      [420, 'FROZEN_METHOD_INVALID'],
    ] as const) {
      expect(after(code, name)).toBeUndefined();
    }
  });
});
