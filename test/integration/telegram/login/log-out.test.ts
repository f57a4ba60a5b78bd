import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConnectionGate } from '../../../../src/telegram/connection/connection-gate.ts';
import { Dialler } from '../../../../src/telegram/connection/dialler.ts';
import { createTelegram } from '../../../../src/telegram/gramjs/telegram.ts';
import { readLogin } from '../../../../src/telegram/login/login-state.ts';
import { settleNetwork, whileTimePasses } from '../../../support/kit/passing-time.ts';
import { anyTime, openScene, type Scene, until, watch } from '../../../support/telegram/scene.ts';

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.close());

const devices = (): Promise<unknown[]> => scene.control('GET', '/accounts/1001/devices');

it('[SE9.4] the turns of other connections are not part of the limit', async () => {
  await scene.loggedIn('patient', '1001');
  await scene.telegram.close();
  const gate = new ConnectionGate(scene.clock, 1);
  const dialler = new Dialler(scene.options.dialler.addresses, gate);
  scene.telegram = createTelegram({ ...scene.options, dialler });
  const others = Array.from({ length: 20 }, () => gate.enter(anyTime));
  const link = scene.link('patient');
  link.startQrLogin(2);
  await until(async () => {
    await scene.clock.advance(500);
    return link.facts.some(({ type }) => type === 'QrIssued');
  });
  await Promise.all(others);
  await scene.clock.advance(2_000);
  await link.close();
  expect(await devices()).toEqual([]);
  expect(scene.logins.get('patient')).toBeUndefined();
});

it('[SE9.4] after a reset that nothing answers, the former login is logged out when another succeeds', async () => {
  const link = await scene.loggedIn('reset', '1001');
  const stored = scene.logins.get('reset');
  await scene.control('POST', '/network', { action: 'blackhole', userId: '1001' });
  link.logOut();
  link.startQrLogin(2);
  const { link: qr } = await link.next('QrIssued');
  await scene.clock.advance(10_000);
  expect(scene.logins.get('reset')).toBe(stored);
  await scene.control('POST', '/network', { action: 'accept' });
  await scene.control('POST', '/qr/scan', { link: qr, userId: '1001' });
  await link.next('LoggedIn');
  await until(async () => (await devices()).length === 1);
  expect(scene.logins.get('reset')).not.toBe(stored);
});

it('[SE9.4] after such a reset a code asked for, and a restart, leave the former login to the one that succeeds', async () => {
  const link = await scene.loggedIn('by-code', '1001');
  const former = (await devices()).length;
  await scene.control('POST', '/network', { action: 'blackhole', userId: '1001' });
  link.logOut();
  link.startQrLogin(2);
  await link.next('QrIssued');
  await scene.clock.advance(10_000);
  await scene.control('POST', '/network', { action: 'accept' });
  expect(await link.sendCode(2, '15550000001')).toBe('sent');
  expect(readLogin(scene.logins.get('by-code') ?? '')?.former).toHaveLength(former);
  await scene.restart();
  const next = scene.link('by-code');
  next.awaitCode(2);
  const [{ code } = { code: '' }] = await scene.control<{ code: string }[]>('GET', '/accounts/1001/codes');
  expect(await next.submitCode(2, code)).toBe('accepted');
  await until(async () => (await devices()).length === 1);
  expect(readLogin(scene.logins.get('by-code') ?? '')?.stage).toBe('complete');
});

it('[SE14.1] a code that a caller waits for goes before connections that nobody waits for', async () => {
  await scene.telegram.close();
  const gate = new ConnectionGate(scene.clock, 1);
  const dialler = new Dialler(scene.options.dialler.addresses, gate);
  scene.telegram = createTelegram({ ...scene.options, dialler });
  let admitted = 0;
  const others = Array.from({ length: 20 }, async () => {
    await gate.enter(anyTime);
    admitted += 1;
  });
  const asking = watch(scene.link('urgent').logIn(1, { phone: '15550000001' }));
  await until(async () => {
    await scene.clock.advance(500);
    return asking.settled !== 'no';
  });
  expect(asking.settled).toBe('resolved');
  expect(admitted).toBeLessThan(10);
  while (admitted < others.length) await scene.clock.advance(500);
});

describe('a session that leaves while Telegram does not answer its log-out', () => {
  const isAway = async (): Promise<boolean> =>
    (await scene.control<{ connections: number }>('GET', '/stats')).connections === 0;

  it.each(['over its connection', 'over a new connection'])(
    '[CL4.6] keeps nothing waiting, and is logged out by its next owner: %s',
    async (way) => {
      let link = await scene.loggedIn('leaving', '1001');
      const stored = scene.logins.get('leaving');
      await scene.control('POST', '/network', { action: 'blackhole', userId: '1001' });
      if (way.endsWith('new connection')) {
        await scene.restart();
        link = scene.link('leaving');
      }
      link.logOut();
      await settleNetwork();
      const before = scene.clock.elapsed();
      link.giveUpLogOuts();
      await whileTimePasses(scene.clock, link.close());
      expect(scene.clock.elapsed() - before).toBe(0);
      await until(isAway);
      expect([scene.logins.get('leaving'), scene.clock.armed()]).toEqual([stored, 0]);
      await scene.control('POST', '/network', { action: 'accept' });
      const next = scene.link('leaving');
      next.logOut();
      await next.next('LoggedOut');
      await next.close();
      expect([scene.logins.get('leaving'), await devices()]).toEqual([undefined, []]);
    },
  );

  it('[SE9.4] waits for the answer if the process ends alone', async () => {
    const link = await scene.loggedIn('alone', '1001');
    await scene.control('POST', '/network', { action: 'blackhole', userId: '1001' });
    link.logOut();
    const closing = watch(link.close());
    await scene.clock.advance(4_900);
    expect(closing.settled).toBe('no');
    await scene.clock.advance(10_000);
    await until(() => closing.settled === 'resolved');
  });
});
