import { afterEach, beforeEach, expect, it } from 'vitest';
import { ConnectionGate } from '../../../../src/telegram/connection/connection-gate.ts';
import { Dialler } from '../../../../src/telegram/connection/dialler.ts';
import { createTelegram } from '../../../../src/telegram/gramjs/telegram.ts';
import { anyTime, openScene, type Scene, until } from '../../../support/telegram/scene.ts';

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
