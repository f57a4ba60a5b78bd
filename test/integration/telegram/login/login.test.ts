import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyTime, openScene, type Scene, scan, until } from '../../../support/telegram/scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.close());

/** Lets time pass until something is so. */
const passUntil = (isSo: () => boolean): Promise<void> =>
  until(async () => {
    if (!isSo()) await scene.clock.advance(500);
    return isSo();
  });

describe('logging in by QR', () => {
  it('[SE10.2] shows a link, is scanned, and knows whose account it is', async () => {
    const link = scene.link('plain');
    link.startQrLogin(3);
    const qr = await link.next('QrIssued');
    expect(qr).toMatchObject({ login: 3, link: expect.stringMatching(/^tg:\/\/login\?token=[\w-]{20,}$/) });
    expect(qr.expires - scene.clock.now()).toBeGreaterThan(20_000);
    expect(qr.expires - scene.clock.now()).toBeLessThanOrEqual(31_000);
    await scan(scene, qr.link, '1001');
    expect(await link.next('LoggedIn')).toEqual({
      type: 'LoggedIn',
      login: 3,
      account: { id: '1001', name: 'Ann Lee', username: 'annlee', phone: '15550000001' },
      picture: expect.stringMatching(/^data:image\/jpeg;base64,[\w+/]{100,}={0,2}$/),
    });
    expect(scene.telegram.accounts.get('plain')).toBeDefined();
    await link.close();
    expect(scene.telegram.accounts.get('plain')).toBeUndefined();
  });

  it('[SE10.1] shows another token when one expires, and the newest can be scanned', async () => {
    const link = scene.link('rotating');
    link.startQrLogin(1);
    const first = await link.next('QrIssued');
    await scene.clock.advance(first.expires - scene.clock.now() - 1);
    expect(link.facts).toHaveLength(1);
    await scene.clock.advance(1);
    const second = await link.next('QrIssued');
    expect(second.link).not.toBe(first.link);
    await scan(scene, second.link, '1001');
    expect(await link.next('LoggedIn')).toMatchObject({ account: { id: '1001' } });
    await link.close();
  });

  it('goes to the data centre of the account, and asks for the password there', async () => {
    const link = scene.link('elsewhere');
    link.startQrLogin(1);
    await scan(scene, (await link.next('QrIssued')).link, '1002');
    expect(await link.next('PasswordRequested')).toEqual({ type: 'PasswordRequested', login: 1, hint: 'the usual' });
    expect(await link.submitPassword(1, 'wrong')).toBe('rejected');
    expect(link.facts.map(({ type }) => type)).toEqual(['QrIssued', 'PasswordRequested']);
    expect(await link.submitPassword(1, 'hunter2')).toBe('accepted');
    expect(link.facts.at(-1)).toMatchObject({ type: 'LoggedIn', account: { id: '1002', name: 'Bob Stone' } });
    await link.close();
  });

  it('has the login in the store before it tells of it', async () => {
    const stored: [string, boolean][] = [];
    const link = scene.telegram.createTelegramSession('durable', async (fact) => {
      stored.push([fact.type, scene.logins.has('durable')]);
      if (fact.type === 'QrIssued') await scan(scene, fact.link, '1002');
    });
    link.startQrLogin(1);
    await until(() => stored.some(([type]) => type === 'PasswordRequested'));
    await link.submitPassword(1, 'hunter2');
    expect(stored).toEqual([
      ['QrIssued', false],
      ['PasswordRequested', true],
      ['LoggedIn', true],
    ]);
    await link.close();
  });

  it('[ME5.1] has its photo from the data centre to which that has moved', async () => {
    await scene.control('POST', '/faults', { method: 'upload.getFile', error: 'FILE_MIGRATE_4', code: 303 });
    const link = scene.link('moved-photo');
    link.startQrLogin(1);
    await scan(scene, (await link.next('QrIssued')).link, '1001');
    expect((await link.next('LoggedIn')).picture).toMatch(/^data:image/);
    await link.close();
  });

  it('is not held up by a photo that takes long; that comes later', async () => {
    await scene.control('POST', '/faults', { method: 'upload.getFile', dropAnswer: true });
    const link = scene.link('slow-photo');
    link.startQrLogin(1);
    await scan(scene, (await link.next('QrIssued')).link, '1001');
    await until(async () => {
      await scene.clock.advance(100);
      return link.facts.some(({ type }) => type === 'AccountChanged');
    });
    expect(link.facts.slice(1)).toMatchObject([
      { type: 'LoggedIn', account: { id: '1001' }, picture: '' },
      { type: 'AccountChanged', account: { id: '1001' }, picture: expect.stringMatching(/^data:image/) },
    ]);
    await link.close();
  });

  it('keeps showing QRs over broken connections, and says nothing of them', async () => {
    const link = scene.link('shaky');
    link.startQrLogin(1);
    await link.next('QrIssued');
    await scene.control('POST', '/network', { action: 'cut' });
    await until(() => scene.sandbox.protocol.stats().connections === 0);
    await scene.clock.settle();
    await until(() => scene.clock.nextDueAt() !== undefined);
    await scene.clock.advance(500);
    const again = await link.next('QrIssued');
    await scan(scene, again.link, '1001');
    await link.next('LoggedIn');
    expect(link.facts.map(({ type }) => type)).toEqual(['QrIssued', 'QrIssued', 'LoggedIn']);
    await link.close();
  });

  it('is through where the connection breaks between the scan and the news of it', async () => {
    const link = scene.link('scanned-and-cut');
    link.startQrLogin(1);
    const { link: qr } = await link.next('QrIssued');
    await scene.control('POST', '/chaos', { loseUpdates: 1 });
    await scan(scene, qr, '1001');
    await scene.control('POST', '/network', { action: 'cut' });
    await passUntil(() => link.facts.length > 1);
    expect(link.facts.map(({ type }) => type)).toEqual(['QrIssued', 'LoggedIn']);
    await link.close();
  });

  it.each([
    ['is refused', { error: 'INTERNAL', code: 500 }],
    ['is not answered', { dropAnswer: true }],
  ])('is through where the first try in the data centre of the account %s', async (what, fault) => {
    const { userId } = await scene.control<{ userId: string }>('POST', '/accounts', { firstName: 'Eve', dc: 4 });
    const link = scene.link(`moved ${what}`);
    link.startQrLogin(1);
    const { link: qr } = await link.next('QrIssued');
    await scene.control('POST', '/faults', { method: 'auth.importLoginToken', ...fault });
    await scan(scene, qr, userId);
    await passUntil(() => link.facts.length > 1);
    expect(link.facts.map(({ type }) => type)).toEqual(['QrIssued', 'LoggedIn']);
    expect(await scene.control('GET', `/accounts/${userId}/devices`)).toHaveLength(1);
    await link.close();
  });

  it('[OP8.1] is through if the wall clock is set by a day before the second try', async () => {
    const { userId } = await scene.control<{ userId: string }>('POST', '/accounts', { firstName: 'Eve', dc: 4 });
    const link = scene.link('moved while the clock is set');
    link.startQrLogin(1);
    const { link: qr } = await link.next('QrIssued');
    await scene.control('POST', '/faults', { method: 'auth.importLoginToken', dropAnswer: true });
    const imports = async (): Promise<number> =>
      (await scene.control<unknown[]>('GET', '/calls?method=auth.importLoginToken')).length;
    const before = await imports();
    await scan(scene, qr, userId);
    await until(async () => (await imports()) > before);
    scene.clock.setWallClockBy(24 * 60 * 60_000);
    await passUntil(() => link.facts.length > 1);
    expect(link.facts.map(({ type }) => type)).toEqual(['QrIssued', 'LoggedIn']);
    await link.close();
  });

  it('begins in another data centre where Telegram wants that', async () => {
    const link = scene.link('sent-away');
    await scene.control('POST', '/faults', { method: 'auth.exportLoginToken', error: 'NETWORK_MIGRATE_4' });
    const since = Date.now();
    link.startQrLogin(1);
    await passUntil(() => link.facts.length > 0);
    const calls = await scene.control<{ dc: number }[]>('GET', `/calls?method=auth.exportLoginToken&since=${since}`);
    expect(calls.map(({ dc }) => dc)).toEqual([2, 4]);
    await link.close();
  });

  it('[SE15.1] reports why there is no QR', async () => {
    const link = scene.link('refused');
    await scene.control('POST', '/faults', { method: 'auth.exportLoginToken', error: 'API_ID_INVALID' });
    link.startQrLogin(1);
    expect(await link.next('LoginRefused')).toEqual({ type: 'LoginRefused', login: 1, reason: 'API_ID_INVALID' });
    await link.close();
  });

  it('starts anew where it is told so, and drops what was stored', async () => {
    const link = await scene.loggedIn('anew', '1001');
    link.logOut();
    link.startQrLogin(2);
    const qr = await link.next('QrIssued');
    expect(qr.login).toBe(2);
    expect(scene.logins.has('anew')).toBe(false);
    await link.close();
  });
});

describe('the two-step password', () => {
  it('waits as long as Telegram asks where that is under a minute, and passes on a longer wait', async () => {
    const link = scene.link('tried-often');
    link.startQrLogin(1);
    await scan(scene, (await link.next('QrIssued')).link, '1002');
    await link.next('PasswordRequested');
    await scene.control('POST', '/faults', { method: 'auth.checkPassword', error: 'FLOOD_WAIT_3600', code: 420 });
    await expect(link.submitPassword(1, 'hunter2')).rejects.toThrow(
      'A wait of 3600 seconds is required (caused by auth.CheckPassword)',
    );
    await scene.control('POST', '/faults', { method: 'auth.checkPassword', error: 'SRP_ID_INVALID', code: 400 });
    expect(await link.submitPassword(1, 'hunter2')).toBe('accepted');
    await link.close();
  });

  it('can be given after a restart', async () => {
    const link = scene.link('half');
    link.startQrLogin(1);
    await scan(scene, (await link.next('QrIssued')).link, '1002');
    await link.next('PasswordRequested');
    await scene.restart();
    const later = scene.link('half');
    later.awaitPassword(1);
    await until(async () => (await later.submitPassword(1, 'hunter2').catch(() => 'not yet')) === 'accepted');
    expect(later.facts.map(({ type }) => type)).toEqual(['LoggedIn']);
    await later.close();
  });

  it('that was accepted just before the process ended is not asked for again', async () => {
    await scene.loggedIn('just-in-time', '1001');
    await scene.restart();
    const later = scene.link('just-in-time');
    later.awaitPassword(1);
    expect(await later.next('LoggedIn')).toMatchObject({ login: 1, account: { id: '1001' } });
    await later.close();
  });

  it('[SE10.2] may have no hint', async () => {
    await scene.control('PUT', '/accounts/1002/password', { password: 'hunter2' });
    const link = scene.link('hintless');
    link.startQrLogin(1);
    await scan(scene, (await link.next('QrIssued')).link, '1002');
    expect(await link.next('PasswordRequested')).toMatchObject({ hint: '' });
    await scene.control('PUT', '/accounts/1002/password', { password: 'hunter2', hint: 'the usual' });
    await link.close();
  });

  it('is in no fact, no stored text and no log', async () => {
    const marker = 'correct-horse-battery';
    await scene.control('PUT', '/accounts/1002/password', { password: marker, hint: 'h' });
    const link = scene.link('quiet');
    link.startQrLogin(1);
    const qr = await link.next('QrIssued');
    await scan(scene, qr.link, '1002');
    await link.next('PasswordRequested');
    expect(await link.submitPassword(1, marker)).toBe('accepted');
    const everything = JSON.stringify([link.facts, [...scene.logins], scene.log]);
    expect(everything).not.toContain(marker);
    expect(JSON.stringify(scene.log)).not.toContain(qr.link.slice(-20));
    await scene.control('PUT', '/accounts/1002/password', { password: 'hunter2', hint: 'the usual' });
    await link.close();
  });
});

describe('a stored login', () => {
  it('connects again after a restart without asking for dialogs, and still knows everybody', async () => {
    const link = await scene.loggedIn('kept', '1001');
    await link.account().chatById('-1003001', anyTime);
    await scene.restart();
    await scene.control('POST', '/faults', {
      method: 'messages.getDialogs',
      error: 'INTERNAL_ALWAYS',
      code: 500,
      times: 9,
    });
    const later = scene.link('kept');
    later.connect(7);
    expect(await later.next('ConnectionRestored')).toEqual({ type: 'ConnectionRestored', login: 7 });
    expect(await later.account().chatById('-1003001', anyTime)).toEqual({ kind: 'group', id: '-1003001' });
    await scene.control('DELETE', '/faults');
    await later.close();
  });

  it('[SE9.1] that is missing is a lost one', async () => {
    const link = scene.link('never-there');
    link.connect(2);
    expect(await link.next('LoginLost')).toEqual({ type: 'LoginLost', login: 2, reason: 'LOGIN_MISSING' });
    await link.close();
  });

  it('is logged out at Telegram and dropped when told so, connected or not', async () => {
    const devices = async (): Promise<number> =>
      (await scene.control<unknown[]>('GET', '/accounts/1003/devices')).length;
    const link = await scene.loggedIn('leaving', '1003');
    expect(await devices()).toBe(1);
    link.logOut();
    await link.close();
    expect(await devices()).toBe(0);
    expect(scene.logins.has('leaving')).toBe(false);

    await scene.loggedIn('leaving', '1003');
    await scene.restart();
    const later = scene.link('leaving');
    later.logOut();
    await later.close();
    expect(await devices()).toBe(0);
    expect(scene.logins.has('leaving')).toBe(false);
  });
});
