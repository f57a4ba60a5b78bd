import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LightAbort } from '../../../../actors/kit/light-abort.ts';
import { rerouted } from '../../../../src/telegram/connection/end-reasons.ts';
import {
  type OpenConnection,
  PersistentConnection,
} from '../../../../src/telegram/connection/persistent-connection.ts';
import { LoginLostError } from '../../../../src/telegram/login/login-lost.ts';
import { NotConnectedError, TelegramError } from '../../../../src/telegram/port/errors.ts';
import { ProxyError, type ProxyFailure } from '../../../../src/telegram/proxy/proxy-error.ts';
import { createDrivenClock, createSeededRandomness, type DrivenClock } from '../../../support/kit/clock.ts';

/** A connection that lives as long as the test says, and answers pings unless told not to. */
class FakeWire implements OpenConnection {
  lastHeardAt: number | undefined;
  isDeaf = false;
  pings = 0;
  end: (error: Error) => void = () => undefined;
  readonly ended: Promise<Error>;
  readonly #clock: DrivenClock;

  constructor(clock: DrivenClock) {
    this.#clock = clock;
    this.ended = new Promise((resolve) => {
      this.end = resolve;
    });
  }

  async ping(): Promise<void> {
    this.pings += 1;
    if (this.isDeaf) return new Promise(() => undefined);
    this.lastHeardAt = this.#clock.elapsed();
  }

  close(reason = 'closed'): void {
    this.end(new Error(reason));
  }
}

let clock: DrivenClock;
let line: PersistentConnection<FakeWire>;
let wires: FakeWire[];
let news: string[];
let refusal: Error | undefined;
let tries: number[];

beforeEach(() => {
  clock = createDrivenClock();
  wires = [];
  news = [];
  refusal = undefined;
  tries = [];
  line = createLine();
  line.start();
});
afterEach(() => line.stop());

function createLine(): PersistentConnection<FakeWire> {
  const random = createSeededRandomness(5, clock);
  return new PersistentConnection(
    { clock, random },
    async () => {
      tries.push(clock.now());
      if (refusal !== undefined) throw refusal;
      const wire = new FakeWire(clock);
      wires.push(wire);
      return wire;
    },
    {
      up: () => void news.push('up'),
      down: (reason) => void news.push(`down ${reason}`),
      loginLost: (reason) => void news.push(`lost ${reason}`),
    },
  );
}

const wire = (): FakeWire => {
  const newest = wires.at(-1);
  if (newest === undefined) throw new Error('there is no connection');
  return newest;
};
const anyTime = new AbortController().signal;

describe('a line', () => {
  it('[SE8.1] says nothing of a break that is over within 10 s', async () => {
    await clock.settle();
    wire().close('connection-closed');
    await clock.advance(60_000);
    expect(wires).toHaveLength(2);
    expect(news).toEqual(['up', 'up']);
  });

  it('[SE8.2] tells after exactly 10 s out of reach, once, however many tries fail', async () => {
    await clock.settle();
    refusal = new Error('refused');
    wire().close('connection-closed');
    await clock.settle();
    await clock.advance(9_999);
    expect(news).toEqual(['up']);
    await clock.advance(1);
    expect(news).toEqual(['up', 'down connection-closed']);
    await clock.advance(24 * 60 * 60_000);
    expect(news).toEqual(['up', 'down connection-closed']);
    expect(tries.length).toBeGreaterThan(1_000);
    refusal = undefined;
    await clock.advance(60_000);
    expect(news).toEqual(['up', 'down connection-closed', 'up']);
  });

  it('[SE8.2] tries again soon, then after 1 s to 15 s for 10 minutes, then after 1 s to 60 s', async () => {
    await clock.settle();
    refusal = new Error('refused');
    const start = clock.now();
    wire().close();
    await clock.advance(60 * 60_000);
    const waits = tries
      .slice(1)
      .map((at, index) => ({ from: (tries[index] ?? start) - start, ms: at - (tries[index] ?? start) }));
    const early = waits.filter(({ from }) => from < 10 * 60_000).map(({ ms }) => ms);
    const late = waits.filter(({ from }) => from >= 10 * 60_000).map(({ ms }) => ms);
    expect(early[0]).toBeLessThanOrEqual(500);
    expect(Math.min(...early.slice(1), ...late)).toBeGreaterThanOrEqual(1_000);
    expect(Math.max(...early)).toBeGreaterThan(12_000);
    expect(Math.max(...early)).toBeLessThanOrEqual(15_000);
    expect(Math.max(...late)).toBeGreaterThan(40_000);
    expect(Math.max(...late)).toBeLessThanOrEqual(60_000);
  });

  it('[SE8.1] asks a connection every 15 s and gives it up 10 s after a question without an answer', async () => {
    await clock.settle();
    wire().isDeaf = true;
    // A question is due at the quarter second of the clock before 15 s.
    await clock.advance(14_750);
    expect(wire().pings).toBe(0);
    await clock.advance(250);
    expect(wire().pings).toBe(1);
    await clock.advance(9_750);
    expect(news).toEqual(['up']);
    await clock.advance(250);
    for (let turns = 0; turns < 60; turns++) await clock.settle();
    expect(news).toEqual(['up', 'down no-answer']);
    await clock.advance(500);
    expect(news).toEqual(['up', 'down no-answer', 'up']);
  });

  it('[SE8.1] takes anything that arrives for a sign of life', async () => {
    await clock.settle();
    wire().isDeaf = true;
    for (let i = 0; i < 20; i++) {
      await clock.advance(9_000);
      wire().lastHeardAt = clock.elapsed();
    }
    expect(news).toEqual(['up']);
    expect(wire().pings).toBeGreaterThan(8);
    await clock.advance(60_000);
    for (let turns = 0; turns < 60; turns++) await clock.settle();
    expect(news).toEqual(['up', 'down no-answer']);
  });

  it('[SE8.1] goes on asking a connection that answers', async () => {
    await clock.settle();
    await clock.advance(60 * 60_000);
    expect(wires).toHaveLength(1);
    expect(wire().pings).toBe(240);
  });

  it('[SE9.1] ends when the login is lost, by whatever it learns of it', async () => {
    await clock.settle();
    wire().end(new LoginLostError('AUTH_KEY_INVALID'));
    await clock.settle();
    expect(news).toEqual(['up', 'lost AUTH_KEY_INVALID']);
    expect(clock.armed()).toBe(0);
    await clock.advance(60 * 60_000);
    expect(tries).toHaveLength(1);
  });

  it.each([
    [401, 'AUTH_KEY_UNREGISTERED'],
    [401, 'SESSION_REVOKED'],
    [401, 'USER_DEACTIVATED_BAN'],
    [406, 'AUTH_KEY_DUPLICATED'],
  ])('[SE9.1] ends at %i %s when it connects', async (code, name) => {
    await clock.settle();
    refusal = new TelegramError(code, name, 'updates.GetDifference');
    wire().close();
    await clock.advance(500);
    expect(news).toEqual(['up', `lost ${name}`]);
    expect(clock.armed()).toBe(0);
  });

  it('makes a caller wait for the connection, but not for ever', async () => {
    await clock.settle();
    refusal = new Error('refused');
    wire().close();
    await clock.settle();
    const waiting = line.connection(anyTime);
    refusal = undefined;
    await clock.advance(500);
    expect(await waiting).toBe(wire());

    refusal = new Error('refused');
    wire().close();
    await clock.settle();
    const vain = line.connection(anyTime).catch((error: unknown) => error);
    await clock.advance(10_000);
    expect(await vain).toBeInstanceOf(NotConnectedError);

    const aborted = new AbortController();
    const given = line.connection(aborted.signal).catch((error: unknown) => error);
    aborted.abort(new Error('enough'));
    expect(await given).toBe(aborted.signal.reason);
  });

  it('has any number of callers wait, and Node take it for no leak', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error): void => void warnings.push(warning);
    process.on('warning', note);
    await clock.settle();
    refusal = new Error('refused');
    wire().close();
    await clock.settle();
    const waiting = Array.from({ length: 20 }, () => line.connection(new LightAbort()));
    refusal = undefined;
    await clock.advance(500);
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([wire()]));
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });

  it('[CL3.1] closes a connection that is open when it was stopped already, and tells of none', async () => {
    await clock.settle();
    line.stop();
    const other = createLine();
    other.start();
    other.stop();
    await clock.settle();
    expect(wires).toHaveLength(2);
    expect((await wire().ended).message).toBe('closed');
    expect(news).toEqual(['up']);
    expect(clock.armed()).toBe(0);
  });

  it('leaves nothing running when it is stopped, wherever it is', async () => {
    await clock.settle();
    line.stop();
    await clock.settle();
    expect(clock.armed()).toBe(0);
    await expect(line.connection(anyTime)).rejects.toThrow(NotConnectedError);
  });
});

describe('a line whose proxy fails', () => {
  const broken = (reason: ProxyFailure): Error => new Error(reason, { cause: new ProxyError(reason) });

  it('[LG3.6] says so, however the outage began', async () => {
    await clock.settle();
    refusal = broken('proxy-refused');
    wire().close('receive-failed');
    await clock.advance(12_000);
    expect(news).toEqual(['up', 'down proxy-refused']);
  });

  it('[LG3.6] says so later, once for each reason', async () => {
    await clock.settle();
    refusal = new Error('no route');
    wire().close('receive-failed');
    await clock.advance(12_000);
    refusal = broken('proxy-unreachable');
    await clock.advance(60_000);
    refusal = new Error('no route');
    await clock.advance(60_000);
    refusal = broken('proxy-auth-failed');
    await clock.advance(60_000);
    expect(news).toEqual(['up', 'down receive-failed', 'down proxy-unreachable', 'down proxy-auth-failed']);
    refusal = undefined;
    await clock.advance(20_000);
    expect(news.at(-1)).toBe('up');
  });

  it('[LG3.9] connects at once along another route, and says nothing of it', async () => {
    await clock.settle();
    wire().close(rerouted);
    await clock.settle();
    expect([tries.length, tries[1], news]).toEqual([2, tries[0], ['up', 'up']]);
  });

  it('[LG3.9] does not wait for its next attempt then', async () => {
    await clock.settle();
    refusal = broken('proxy-unreachable');
    wire().close('receive-failed');
    await clock.advance(5 * 60_000);
    refusal = undefined;
    const before = clock.elapsed();
    line.retryNow();
    await clock.advance(0);
    expect([news.at(-1), clock.elapsed() - before]).toEqual(['up', 0]);
  });

  it('[OS2.4] counts its attempts, and says when the next one is due', async () => {
    await clock.settle();
    expect(line.reconnecting).toBeUndefined();
    refusal = new Error('refused');
    wire().close('receive-failed');
    await clock.advance(60_000);
    const { attempts, reason, nextAt = 0 } = line.reconnecting ?? {};
    expect([attempts, reason]).toEqual([tries.length, 'unreachable']);
    const before = tries.length;
    await clock.advance(nextAt - clock.now() - 1);
    expect(tries.length).toBe(before);
    await clock.advance(1);
    expect([tries.length, tries.at(-1), line.reconnecting?.attempts]).toEqual([before + 1, nextAt, before + 1]);
    refusal = undefined;
    line.retryNow();
    await clock.advance(1_000);
    expect([news.at(-1), line.reconnecting]).toEqual(['up', undefined]);
  });
});
