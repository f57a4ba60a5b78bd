import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readLogin } from '../../../../src/telegram/login/login-state.ts';
import { NotConnectedError } from '../../../../src/telegram/port/errors.ts';
import { anyTime, type Observed, openScene, type Scene, scan, until } from '../../../support/telegram/scene.ts';

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.close());

const chaos = (body: object): Promise<unknown> => scene.control('POST', '/chaos', body);
const network = (action: string): Promise<unknown> => scene.control('POST', '/network', { action, userId: '1001' });
const connections = (): number => scene.sandbox.protocol.stats().connections;
const devices = (): Promise<unknown[]> => scene.control('GET', '/accounts/1001/devices');
/** Lets time pass until something is so, the network having its chance at each step; how long it took. */
async function pass(stepMs: number, isSo: () => boolean): Promise<number> {
  const start = scene.clock.now();
  await until(async () => {
    if (!isSo()) await scene.live(stepMs);
    return isSo();
  });
  return scene.clock.now() - start;
}
const has = (link: Observed, fact: string): boolean => link.facts.some(({ type }) => type === fact);
const typesOf = (link: Observed): string[] => link.facts.map(({ type }) => type);

describe('a transport error in an open connection', () => {
  it.each([-404, -429, -444])('[SE9.3] %i, five times, is waited out with the backoff', async (transportError) => {
    const link = await scene.loggedIn('shaken', '1001');
    const { accepted } = scene.sandbox.protocol.stats();
    const start = scene.clock.now();
    await chaos({ transportError, times: 5 });
    const opened: number[] = [];
    await pass(100, () => {
      const tries = scene.sandbox.protocol.stats().accepted - accepted;
      while (opened.length < tries) opened.push(scene.clock.now() - start);
      return tries === 5 && has(link, 'ConnectionLost') === has(link, 'ConnectionRestored');
    });
    const pauses = opened.map((at, index) => at - (opened[index - 1] ?? 0));
    expect(Math.min(...pauses.slice(1))).toBeGreaterThanOrEqual(900);
    expect(typesOf(link).filter((type) => type === 'LoginLost')).toEqual([]);
    expect(await devices()).toHaveLength(1);
    await link.account().byUsername('bob', anyTime);
  });
});

describe('a key that is refused again and again', () => {
  /** Refuses the key without end, until the login is lost. */
  async function lose(link: Observed): Promise<number> {
    await chaos({ transportError: -404, times: 1_000_000, userId: '1001' });
    return pass(500, () => has(link, 'LoginLost'));
  }

  it('[SE9.3] counts as forgotten after one to two minutes, disconnected meanwhile', async () => {
    const link = await scene.loggedIn('refused', '1001');
    const tookMs = await lose(link);
    expect(typesOf(link)).toEqual(['QrIssued', 'LoggedIn', 'ConnectionLost', 'LoginLost']);
    expect(link.facts.at(-1)).toEqual({ type: 'LoginLost', login: 1, reason: 'AUTH_KEY_INVALID' });
    expect(tookMs).toBeGreaterThanOrEqual(60_000);
    expect(tookMs).toBeLessThanOrEqual(122_000);
  });

  it('[SE9.4] stays stored until another login succeeds, and is logged out then', async () => {
    const link = await scene.loggedIn('kept', '1001');
    const stored = scene.logins.get('kept');
    await lose(link);
    await chaos({ transportError: -404 });
    link.startQrLogin(2);
    const { link: qr } = await link.next('QrIssued');
    expect(scene.logins.get('kept')).toBe(stored);
    expect(await devices()).toHaveLength(1);
    await scan(scene, qr, '1001');
    await link.next('LoggedIn');
    expect(scene.logins.get('kept')).not.toBe(stored);
    await until(async () => (await devices()).length === 1);
    await link.account().byUsername('bob', anyTime);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['refused (-404)', () => chaos({ transportError: -404, times: 1_000_000, userId: '1001' })],
    ['put off (-429)', () => chaos({ transportError: -429, times: 1_000_000, userId: '1001' })],
    ['out of reach', () => network('refuse')],
    ['unanswered', () => network('blackhole')],
  ])('[SE9.4] stays stored over a restart while its log-out is %s', async (_, hinder) => {
    const lost = await scene.loggedIn('restarted', '1001');
    const stored = scene.logins.get('restarted');
    await lose(lost);
    lost.startQrLogin(2);
    await lost.next('QrIssued');
    await scene.restart();
    await chaos({ transportError: -404, times: 1, userId: '1002' });
    await hinder();
    const { accepted } = scene.sandbox.protocol.stats();
    const link = scene.link('restarted');
    link.startQrLogin(2);
    const { link: qr } = await link.next('QrIssued');
    // The log-out that was tried, and the connection that shows the QR code.
    await pass(100, () => scene.sandbox.protocol.stats().accepted === accepted + 2 && connections() === 1);
    expect(scene.logins.get('restarted')).toBe(stored);
    await chaos({ transportError: -404, times: 1, userId: '1002' });
    await network('accept');
    await scan(scene, qr, '1001');
    await link.next('LoggedIn');
    expect(scene.logins.get('restarted')).not.toBe(stored);
    await until(async () => (await devices()).length === 1);
  });

  describe('before a login that needs a password', () => {
    /** A login is lost, and the next one waits for its password. */
    async function halfLoggedIn(name: string): Promise<Observed> {
      const link = await scene.loggedIn(name, '1001');
      await scene.control('PUT', '/accounts/1001/password', { password: 'hunter2' });
      await lose(link);
      await chaos({ transportError: -404, times: 1, userId: '1002' });
      link.startQrLogin(2);
      await scan(scene, (await link.next('QrIssued')).link, '1001');
      await link.next('PasswordRequested');
      return link;
    }
    const loggedInDevices = async (): Promise<number> => (await devices()).length;

    it('[SE9.4] is logged out when the password is accepted, not before, over a restart', async () => {
      await halfLoggedIn('half');
      expect(await loggedInDevices()).toBe(1);
      await scene.restart();
      const link = scene.link('half');
      link.awaitPassword(2);
      await until(async () => (await link.submitPassword(2, 'wrong').catch(() => undefined)) === 'rejected');
      expect(await loggedInDevices()).toBe(1);
      expect(readLogin(scene.logins.get('half') ?? '')?.former).toHaveLength(1);
      expect(await link.submitPassword(2, 'hunter2')).toBe('accepted');
      await link.next('LoggedIn');
      await until(async () => (await loggedInDevices()) === 1);
      await link.account().byUsername('bob', anyTime);
      await link.close();
      expect(readLogin(scene.logins.get('half') ?? '')).not.toHaveProperty('former');
    });

    it('[SE9.4] is logged out by the next start if its log-out was not answered', async () => {
      const link = await halfLoggedIn('cut');
      await scene.control('POST', '/faults', { method: 'auth.logOut', error: 'INTERNAL', code: 500 });
      expect(await link.submitPassword(2, 'hunter2')).toBe('accepted');
      await link.next('LoggedIn');
      await link.close();
      expect(await loggedInDevices()).toBe(2);
      const again = scene.link('cut');
      again.connect(2);
      await again.next('ConnectionRestored');
      await until(async () => (await loggedInDevices()) === 1);
      await again.account().byUsername('bob', anyTime);
    });

    it('[SE9.4] is still logged out after the password was removed, when a login succeeds', async () => {
      const link = await halfLoggedIn('removed');
      await scene.control('PUT', '/accounts/1001/password', { password: '' });
      await expect(link.submitPassword(2, 'hunter2')).rejects.toThrow(NotConnectedError);
      await link.next('LoginLost');
      link.startQrLogin(3);
      const { link: qr } = await link.next('QrIssued');
      expect(await loggedInDevices()).toBe(1);
      await scan(scene, qr, '1001');
      await link.next('LoggedIn');
      await until(async () => (await loggedInDevices()) === 1);
      await link.account().byUsername('bob', anyTime);
    });

    it('[SE9.4] is logged out with a reset', async () => {
      const link = await halfLoggedIn('deleted');
      link.logOut();
      await link.close();
      expect(await loggedInDevices()).toBe(0);
      expect(scene.logins.get('deleted')).toBeUndefined();
    });
  });

  it('[SE9.4] is logged out, or tried to, when its session is deleted', async () => {
    const link = await scene.loggedIn('deleted', '1001');
    await lose(link);
    await chaos({ transportError: -404, times: 1, userId: '1002' });
    link.startQrLogin(2);
    await link.next('QrIssued');
    link.logOut();
    await link.close();
    expect(await devices()).toEqual([]);
    expect(scene.logins.get('deleted')).toBeUndefined();
  });
});
