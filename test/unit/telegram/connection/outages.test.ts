import { describe, expect, it } from 'vitest';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import { ConnectionGate } from '../../../../src/telegram/connection/connection-gate.ts';
import { DcAddresses } from '../../../../src/telegram/connection/dc-addresses.ts';
import { Dialler } from '../../../../src/telegram/connection/dialler.ts';
import {
  type OpenConnection,
  PersistentConnection,
} from '../../../../src/telegram/connection/persistent-connection.ts';
import { createDrivenClock, createSeededRandomness, type DrivenClock } from '../../../support/kit/clock.ts';

const dc = 2;
const address = { id: dc, host: '127.0.0.1', port: 443, onlyThisPort: true };
const anyTime = new AbortController().signal;

type Line = PersistentConnection<OpenConnection>;

/** Sessions of one process, and a data centre that refuses connections or accepts them. */
class Fleet {
  readonly clock: DrivenClock;
  readonly lines: Line[] = [];
  isRefusing = false;
  attempts = 0;
  readonly #open = new Set<OpenConnection>();

  constructor(sessions: number, seed: number) {
    this.clock = createDrivenClock({ turns: 1 });
    const random = createSeededRandomness(seed, this.clock);
    const dialler = new Dialler(new DcAddresses(this.clock, [address]), new ConnectionGate(this.clock, 150));
    for (let number = 0; number < sessions; number += 1) {
      const line: Line = new PersistentConnection(
        { clock: this.clock, random, onReached: (wake) => dialler.onReached(dc, wake) },
        (signal, isUrgent) => this.#connect(dialler, signal, isUrgent),
        { up: () => undefined, down: () => undefined, loginLost: () => undefined },
      );
      this.lines.push(line);
    }
  }

  async connect(): Promise<void> {
    for (const line of this.lines) line.start();
    await this.clock.advance(60_000);
    if (this.away().length > 0) throw new Error('not all are connected');
  }

  /** All connections break, and no other is accepted for this long. */
  async outage(ms: number): Promise<void> {
    this.isRefusing = true;
    for (const connection of this.#open) connection.close('cut');
    await this.clock.advance(ms);
    this.isRefusing = false;
  }

  away(): Line[] {
    return this.lines.filter(({ current }) => current === undefined);
  }

  /** How long it takes from now until each session is back, in milliseconds, in order: Infinity if longer than 60 s. */
  async comebacks(): Promise<number[]> {
    const times: number[] = [];
    const startedAt = this.clock.elapsed();
    while (times.length < this.lines.length && this.clock.elapsed() - startedAt < 60_000) {
      await this.clock.advance(50);
      const back = this.lines.length - this.away().length;
      while (times.length < back) times.push(this.clock.elapsed() - startedAt);
    }
    while (times.length < this.lines.length) times.push(Infinity);
    return times;
  }

  /** @returns how many timers are left */
  async stop(): Promise<number> {
    for (const line of this.lines) line.stop();
    await this.clock.settle();
    return this.clock.armed();
  }

  async #connect(dialler: Dialler, signal: LightAbortSignal, isUrgent: () => boolean): Promise<OpenConnection> {
    const attempt = await dialler.dial(dc, signal, isUrgent);
    this.attempts += 1;
    if (this.isRefusing) {
      attempt.refused();
      throw new Error('refused');
    }
    attempt.answered();
    let end: (reason: Error) => void = () => undefined;
    const ended = new Promise<Error>((resolve) => {
      end = resolve;
    });
    const connection: OpenConnection = {
      ended,
      lastHeardAt: undefined,
      ping: () => Promise.resolve(),
      close: (reason = 'closed') => {
        this.#open.delete(connection);
        end(new Error(reason));
      },
    };
    this.#open.add(connection);
    return connection;
  }
}

const seeds = [1, 2, 3, 4, 5];

describe('after an outage', () => {
  it.each([5, 15, 60, 180])(
    '[SE8.2] of %i s half of 20 sessions are back within 3 s, all within 10 s',
    async (seconds) => {
      for (const seed of seeds) {
        const fleet = new Fleet(20, seed);
        await fleet.connect();
        await fleet.outage(seconds * 1_000);
        const times = await fleet.comebacks();
        expect(times[9]).toBeLessThanOrEqual(3_000);
        expect(times[19]).toBeLessThanOrEqual(10_000);
        expect(await fleet.stop()).toBe(0);
      }
    },
  );

  it.each([5, 60])('[SE8.2] of %i s 1,000 sessions are back within 20 s', async (seconds) => {
    const fleet = new Fleet(1_000, 1);
    await fleet.connect();
    await fleet.outage(seconds * 1_000);
    expect((await fleet.comebacks()).at(-1)).toBeLessThanOrEqual(20_000);
    expect(await fleet.stop()).toBe(0);
  });

  it('[SE8.2] of 30 cuts in 15 s all are back within 10 s', async () => {
    for (const seed of seeds) {
      const fleet = new Fleet(20, seed);
      await fleet.connect();
      for (let cut = 0; cut < 30; cut += 1) await fleet.outage(500);
      expect((await fleet.comebacks()).at(-1)).toBeLessThanOrEqual(10_000);
      expect(await fleet.stop()).toBe(0);
    }
  });

  it('[SE8.2] while it lasts 1,000 sessions try fewer than 20 times a second, all together', async () => {
    const fleet = new Fleet(1_000, 1);
    await fleet.connect();
    const before = fleet.attempts;
    await fleet.outage(40_000);
    expect(fleet.attempts - before).toBeLessThan(800);
    expect(await fleet.stop()).toBe(0);
  });

  it('[SE8.4] the session that has a caller waiting is the first of 1,000', async () => {
    const fleet = new Fleet(1_000, 1);
    await fleet.connect();
    await fleet.outage(0);
    const last = fleet.lines.at(-1);
    const waiting = last?.connection(anyTime);
    await fleet.clock.advance(550);
    expect(last?.current).toBeDefined();
    expect(fleet.away().length).toBeGreaterThan(900);
    await waiting;
    expect(await fleet.stop()).toBe(0);
  });
});

it('[SE8.4] a caller wakes its own session, once a second at most', async () => {
  const fleet = new Fleet(1, 1);
  await fleet.connect();
  await fleet.outage(60_000);
  fleet.isRefusing = true;
  await fleet.clock.advance(60_000);
  const before = fleet.attempts;
  for (let call = 0; call < 40; call += 1) {
    const gone = new AbortController();
    fleet.lines[0]?.connection(gone.signal).catch(() => undefined);
    await fleet.clock.advance(250);
    gone.abort(new Error('gone'));
  }
  expect(fleet.attempts - before).toBeGreaterThanOrEqual(8);
  expect(fleet.attempts - before).toBeLessThanOrEqual(11);
  fleet.isRefusing = false;
  const waiting = fleet.lines[0]?.connection(anyTime);
  await fleet.clock.advance(1_250);
  expect(fleet.lines[0]?.current).toBeDefined();
  await waiting;
  expect(await fleet.stop()).toBe(0);
});
