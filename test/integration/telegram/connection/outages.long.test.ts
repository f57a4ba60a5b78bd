import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConnectionGate } from '../../../../src/telegram/connection/connection-gate.ts';
import { Dialler } from '../../../../src/telegram/connection/dialler.ts';
import { createTelegram } from '../../../../src/telegram/gramjs/telegram.ts';
import { passTime } from '../../../support/kit/passing-time.ts';
import { anyTime, type Observed, openScene, type Scene } from '../../../support/telegram/scene.ts';

/** Twenty sessions of one process, over the real network of this machine; their time is driven. */

const sessions = 20;
const stepMs = 250;

let scene: Scene;
let links: Observed[];
beforeEach(async () => {
  scene = await openScene();
  await scene.loggedIn('s0', '1001');
});
afterEach(() => scene.close());

/** @param perSecond how many connections may be opened in a second */
async function connectAll(perSecond = 150): Promise<void> {
  const login = scene.logins.get('s0') ?? '';
  await scene.telegram.close();
  const dialler = new Dialler(scene.options.dialler.addresses, new ConnectionGate(scene.clock, perSecond));
  scene.telegram = createTelegram({ ...scene.options, dialler });
  links = Array.from({ length: sessions }, (_, index) => {
    scene.logins.set(`s${index}`, login);
    const link = scene.link(`s${index}`);
    link.connect(1);
    return link;
  });
  while (!links.every(isConnected)) await passTime(scene.clock, stepMs);
  await passTime(scene.clock, 30_000);
}

const network = (action: string): Promise<unknown> => scene.control('POST', '/network', { action });
const lastOf = ({ facts }: Observed): string | undefined =>
  facts.findLast(({ type }) => type.startsWith('Connection'))?.type;
const isConnected = (link: Observed): boolean => lastOf(link) === 'ConnectionRestored';
/** Every session has a connection on which Telegram has answered. */
const answered = (): number => scene.sandbox.protocol.stats().connections;

/** How long it takes from now until so many are back, for each number up to all; 60 s at most. */
async function comebacks(count: () => number): Promise<number[]> {
  const startedAt = scene.clock.elapsed();
  const times: number[] = [];
  while (times.length < sessions && scene.clock.elapsed() - startedAt < 60_000) {
    await passTime(scene.clock, stepMs);
    while (times.length < count()) times.push(scene.clock.elapsed() - startedAt);
  }
  return times;
}

describe('after an outage', () => {
  it.each([5, 15, 60, 180])(
    '[SE8.2] of %i s half of 20 sessions are back within 3 s, all within 10 s',
    async (seconds) => {
      await connectAll();
      await network('refuse');
      await network('cut');
      await passTime(scene.clock, seconds * 1_000);
      expect(links.filter(isConnected)).toHaveLength(seconds < 10 ? sessions : 0);
      await network('accept');
      const times = await comebacks(seconds < 10 ? answered : () => links.filter(isConnected).length);
      expect(times[sessions / 2 - 1]).toBeLessThanOrEqual(3_000);
      expect(times[sessions - 1]).toBeLessThanOrEqual(10_000);
      await Promise.all(links.map((link) => link.account().byUsername('bob', anyTime)));
    },
  );

  it.each([60, 180])('[SE8.2] of %i s on lines that swallow everything, all are back within 10 s', async (seconds) => {
    await connectAll();
    await network('blackhole');
    await passTime(scene.clock, seconds * 1_000);
    expect(links.filter(isConnected)).toEqual([]);
    await network('accept');
    const times = await comebacks(() => links.filter(isConnected).length);
    expect(times[sessions - 1]).toBeLessThanOrEqual(10_000);
  });
});

it('[SE8.4] a session with a request that waits is the first to connect', async () => {
  await connectAll(2);
  await network('cut');
  const last = links[sessions - 1];
  const asked = last?.account().byUsername('bob', anyTime);
  await passTime(scene.clock, 1_250);
  expect(answered()).toBeLessThan(sessions / 2);
  await asked;
});

it('[SE8.1] a dead line is noticed within 20 s while something is asked, 25 s without', async () => {
  await connectAll();
  const startedAt = scene.clock.elapsed();
  await network('blackhole');
  const asked = links.slice(0, 5).map((link) => link.account().byUsername('bob', anyTime));
  const ended = Promise.allSettled(asked);
  const noticed: number[] = [];
  while (noticed.length < sessions) {
    await passTime(scene.clock, 500);
    const isOut = (link: Observed): boolean => lastOf(link) === 'ConnectionLost';
    if (noticed.length === 0 && links.slice(0, 5).every(isOut)) noticed.push(scene.clock.elapsed() - startedAt);
    if (links.every(isOut)) while (noticed.length < sessions) noticed.push(scene.clock.elapsed() - startedAt);
  }
  expect(noticed[0]).toBeLessThanOrEqual(20_000);
  expect(noticed.at(-1)).toBeLessThanOrEqual(25_500);
  expect(links.every(({ facts }) => facts.findLast(({ type }) => type === 'ConnectionLost') !== undefined)).toBe(true);
  await network('accept');
  await passTime(scene.clock, 60_000);
  await ended;
});
