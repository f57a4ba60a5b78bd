import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ann, bob, bobsPassword, type Caller, type SessionBody } from '../../support/e2e/scene.ts';
import { openProxyScene, type ProxyScene, proxyLogin, proxySecret } from '../../support/proxies/proxy-scene.ts';

/** The proxy of a session (LG3), over HTTP, real proxies and MTProto. */

const minute = 60_000;
const domain = Buffer.from('example.com').toString('hex');

let scene: ProxyScene;
let log: string[];
beforeEach(async () => {
  log = [];
  scene = await openProxyScene({ logTo: { write: (line) => void log.push(line) } });
});
afterEach(() => scene.close());

const cannot = (why: string) => ({
  status: 400,
  body: { statusCode: 400, message: `proxy cannot be used: ${why}` },
});
const audit = async ({ id }: Caller): Promise<{ type: string; state: string; reason: string; data: object }[]> =>
  (await scene.gateway.http.request<{ docs: never[] }>('GET', `/sessions/${id}/events`)).body.docs;
const typesOf = async (caller: Caller): Promise<string[]> => (await audit(caller)).map(({ type }) => type);
const devices = (account = ann): Promise<unknown[]> => scene.sandbox.call('GET', `/accounts/${account}/devices`);
const isConnected = (session: SessionBody): boolean => session.isConnected;

describe('PUT /session/proxy', () => {
  it('[LG3.2] has a connected session go through it at once, and through the next one, and directly again', async () => {
    const caller = await scene.connected(ann);
    const socks = await scene.socks('127.0.0.2', proxyLogin);
    const http = await scene.http();
    const expected = { url: `socks5://127.0.0.1:${socks.port}` };
    expect(await scene.setProxy(caller, socks.url)).toMatchObject({
      status: 200,
      body: { id: caller.id, proxy: expected },
    });
    expect(await scene.say(caller, 'through SOCKS5')).toBe(200);
    expect([socks.open, (await scene.stats()).connections]).toEqual([1, 1]);
    expect((await scene.read(caller))['proxy']).toEqual(expected);
    expect((await scene.setProxy(caller, http.url)).status).toBe(200);
    expect(await scene.say(caller, 'through HTTP')).toBe(200);
    expect([socks.open, http.targets.length > 1]).toEqual([0, true]);
    for (const secret of [proxySecret, `dd${proxySecret}`, `ee${proxySecret}${domain}`]) {
      expect((await scene.setProxy(caller, await scene.mtproxy(secret))).status).toBe(200);
      expect(await scene.say(caller, 'through MTProto')).toBe(200);
    }
    const [through, direct] = [http.targets.length + socks.targets.length, (await scene.stats()).accepted];
    expect(await scene.setProxy(caller, '')).toMatchObject({ status: 200, body: { proxy: { url: '' } } });
    expect(await scene.say(caller, 'directly')).toBe(200);
    expect([http.targets.length + socks.targets.length, (await scene.stats()).accepted]).toEqual([through, direct + 1]);
    expect((await scene.read(caller))['proxy']).toBeUndefined();
    expect((await scene.stats()).duplicatedLogins).toBe(0);
    expect((await typesOf(caller)).filter((type) => type !== 'ProxySet')).toEqual([
      'SessionCreated',
      'QrIssued',
      'LoggedIn',
    ]);
  });

  it('[LG3.3] that carries nothing is refused with the reason, and nothing changes', async () => {
    const caller = await scene.connected(ann);
    const locked = await scene.socks('127.0.0.2', proxyLogin);
    const wrong = locked.url.replace(proxyLogin.password, 'wrong');
    const auth = 'it does not accept the user name and password, or the secret';
    expect(await scene.setProxy(caller, wrong)).toMatchObject(cannot(auth));
    expect(await scene.setProxy(caller, (await scene.http()).url.replace(proxyLogin.password, 'no'))).toMatchObject(
      cannot(auth),
    );
    const secret = `ee${proxySecret}${domain}`;
    const link = (await scene.mtproxy(secret)).replace(secret, `ee${'11'.repeat(16)}${domain}`);
    expect((await scene.setProxy(caller, link)).status).toBe(400);
    const refusing = await scene.socks();
    refusing.mode = 'refuse';
    expect(await scene.setProxy(caller, refusing.url)).toMatchObject(cannot('it does not connect to Telegram'));
    refusing.mode = 'drop';
    const tried = await scene.whilePassing(scene.setProxy(caller, refusing.url));
    expect(tried).toMatchObject(cannot('Telegram does not answer through it'));
    await refusing.close();
    expect(await scene.setProxy(caller, refusing.url)).toMatchObject(cannot('could not connect to it'));
    expect(await scene.say(caller, 'still connected')).toBe(200);
    expect(await typesOf(caller)).not.toContain('ProxySet');
    expect([(await scene.stats()).connections, (await scene.read(caller))['proxy']]).toEqual([1, undefined]);
  });

  it('[LG3.3] at an address that is not public is refused, at each connection', async () => {
    const caller = await scene.connected(ann);
    const proxy = await scene.socks();
    expect((await scene.setProxy(caller, proxy.url)).status).toBe(200);
    await scene.restart({ environment: { ALLOW_PRIVATE_URLS: 'false' } });
    await scene.whilePassing(scene.gateway.started);
    const before = proxy.targets.length;
    await scene.pass(minute / 2);
    expect([proxy.targets.length, (await scene.stats()).connections]).toEqual([before, 0]);
    expect(await scene.setProxy(caller, proxy.url)).toMatchObject(cannot('its address is not public'));
    expect((await audit(caller)).at(-1)).toMatchObject({ type: 'ProxyFailed', reason: 'proxy-unreachable' });
    await scene.restart({ environment: { ALLOW_PRIVATE_URLS: 'false', ALLOWED_PRIVATE_HOSTS: '127.0.0.1' } });
    await scene.whilePassing(scene.read(caller, isConnected));
    expect(proxy.open).toBe(1);
  });
});

describe('a session with a proxy', () => {
  it('[LG3.4] is created through it: QR code, scan in another data centre, password, files', async () => {
    const proxy = await scene.socks();
    const before = (await scene.stats()).accepted;
    const caller = await scene.whilePassing(scene.create({ proxy: { url: proxy.url } }));
    await scene.scan(caller, bob);
    await scene.read(caller, ({ isPasswordRequired }) => isPasswordRequired);
    await scene.request(caller, 'POST', '/session/password', { password: bobsPassword });
    await scene.read(caller, isConnected);
    await scene.whilePassing(scene.request(caller, 'GET', '/group'));
    const { accepted, connections } = await scene.stats();
    expect([accepted - before, connections]).toEqual([proxy.targets.length, proxy.open]);
    expect(new Set(proxy.targets).size).toBeGreaterThan(1);
    expect((await typesOf(caller)).slice(0, 3)).toEqual(['SessionCreated', 'ProxySet', 'QrIssued']);
  });

  it('[LG3.4] is created by a code through it; a proxy that fails leaves no session', async () => {
    const proxy = await scene.socks();
    const post = (url: string) =>
      scene.whilePassing(
        scene.gateway.http.request<SessionBody>('POST', '/session', {
          body: { proxy: { url }, login: { phone: '15550000001' } },
        }),
      );
    const before = (await scene.stats()).accepted;
    expect(await post(proxy.url)).toMatchObject({ status: 200, body: { isCodeRequired: true } });
    expect((await scene.stats()).accepted - before).toBe(proxy.targets.length);
    proxy.mode = 'refuse';
    expect(await post(proxy.url)).toMatchObject(cannot('it does not connect to Telegram'));
    expect((await scene.gateway.http.request('GET', '/sessions')).body).toMatchObject({ docs: [{}] });
  });

  it('[LG3.5] goes through it after a restart and after a reset', async () => {
    const caller = await scene.connected(ann);
    const proxy = await scene.socks();
    await scene.setProxy(caller, proxy.url);
    await scene.restart();
    const [before, through] = [(await scene.stats()).accepted, proxy.targets.length];
    await scene.whilePassing(scene.read(caller, isConnected));
    await scene.request(caller, 'POST', '/session/reset');
    await scene.scan(caller, ann);
    await scene.read(caller, isConnected);
    expect((await scene.stats()).accepted - before).toBe(proxy.targets.length - through);
    expect(proxy.open).toBe(1);
    expect((await scene.read(caller))['proxy']).toEqual({ url: `socks5://127.0.0.1:${proxy.port}` });
  });

  it('[LG3.6] says that the proxy is why it is disconnected, also after a restart, and comes back with another', async () => {
    const caller = await scene.connected(ann);
    const proxy = await scene.socks();
    await scene.setProxy(caller, proxy.url);
    proxy.mode = 'refuse';
    await scene.sandbox.call('POST', '/network', { action: 'cut' });
    while ((await scene.read(caller)).isConnected) await scene.pass(1_000);
    expect((await audit(caller)).at(-1)).toMatchObject({
      type: 'ProxyFailed',
      state: 'disconnected',
      reason: 'proxy-refused',
    });
    await scene.restart();
    await scene.whilePassing(scene.gateway.started);
    expect((await audit(caller)).at(-1)).toMatchObject({ type: 'GatewayRestarted', reason: 'gateway-restart' });
    await scene.pass(minute / 2);
    const [restarted, failed] = (await audit(caller)).slice(-2);
    expect(failed).toMatchObject({ type: 'ProxyFailed', state: 'disconnected', reason: 'proxy-refused' });
    expect(Object(failed?.data)).toMatchObject(
      (({ since, deadlines }) => ({ since, deadlines }))(Object(restarted?.data)),
    );
    await scene.pass(5 * minute);
    expect((await audit(caller)).at(-1)).toEqual(failed);
    expect((await scene.setProxy(caller, (await scene.socks('127.0.0.3')).url)).status).toBe(200);
    await scene.whilePassing(scene.read(caller, isConnected));
  });

  it('[LG3.7] is logged out through it when it is deleted, however late, and never without it', async () => {
    const caller = await scene.connected(ann);
    const proxy = await scene.socks('127.0.0.2', proxyLogin);
    await scene.setProxy(caller, proxy.url);
    proxy.mode = 'refuse';
    await scene.sandbox.call('POST', '/network', { action: 'cut' });
    while ((await scene.read(caller)).isConnected) await scene.pass(1_000);
    const before = (await scene.stats()).accepted;
    expect((await scene.request(caller, 'DELETE', '/session')).status).toBe(200);
    await scene.pass(2 * minute);
    await scene.restart();
    await scene.whilePassing(scene.gateway.started);
    await scene.pass(2 * minute);
    expect([(await scene.stats()).accepted - before, (await devices()).length]).toEqual([0, 1]);
    proxy.mode = 'serve';
    const through = proxy.targets.length;
    for (let passed = 0; passed < 3 && (await devices()).length > 0; passed += 1) await scene.pass(minute);
    expect(await devices()).toEqual([]);
    expect((await scene.stats()).accepted - before).toBe(proxy.targets.length - through);
    while ((await typesOf(caller)).at(-1) !== 'LoggedOut') await scene.pass(100);
  });

  it('[LG3.8] shows neither password nor secret: session, audit, export, log', async () => {
    const caller = await scene.connected(ann);
    const proxy = await scene.socks('127.0.0.2', proxyLogin);
    await scene.setProxy(caller, proxy.url);
    await scene.setProxy(caller, await scene.mtproxy(`dd${proxySecret}`));
    proxy.mode = 'refuse';
    await scene.setProxy(caller, proxy.url);
    await scene.setProxy(caller, proxy.url.replace('socks5', 'http'));
    const shown = [
      await scene.read(caller),
      await scene.request(caller, 'GET', '/session/events'),
      await scene.gateway.http.request('GET', `/sessions/${caller.id}/events`),
      await scene.gateway.http.request('GET', `/sessions/${caller.id}/export`),
    ].map((answer) => JSON.stringify(answer));
    shown.push(log.join(''));
    for (const text of shown) {
      for (const secret of [proxyLogin.name + ':', proxyLogin.password, proxySecret])
        expect(text).not.toContain(secret);
    }
    expect(shown[1]).toContain(`socks5://127.0.0.1:${proxy.port}`);
  });
});
