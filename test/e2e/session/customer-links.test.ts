import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ann, bob, bobsPassword, openScene, type Scene } from '../../support/e2e/scene.ts';
import { type Answer, readQr } from '../../support/gateway/gateway.ts';
import { openProxyScene, proxyLogin } from '../../support/proxies/proxy-scene.ts';

/** The links that a support desk sends to its customers (OS5), as the page and its maker see them. */

const minute = 60_000;
const day = 24 * 60 * minute;

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.close());

interface View {
  state: string;
  deadline: string;
  qrcode: string;
  sessionsLeft: number;
}
interface Link {
  id: string;
  token: string;
}

async function makeLink(body: object = {}): Promise<Link> {
  const { status, body: made } = await desk('POST', '/links', body);
  expect(status).toBe(200);
  return { id: String(made['id']), token: String(made['url']).split('#')[1] ?? '' };
}
const desk = (method: string, path: string, body?: object): Promise<Answer> =>
  scene.gateway.http.request(method, path, body === undefined ? {} : { body });
const customer = ({ token }: Link, method: string, step: string, body?: object) =>
  scene.gateway.http.request<View>(method, `/link/${step}`, { headers: { 'link-token': token }, body });
const look = (link: Link) => customer(link, 'GET', 'session');
const press = (link: Link) => customer(link, 'POST', 'session');
const notFound = { status: 404, body: { statusCode: 404, message: 'link not found' } };

/** What the customer sees, once it is as wanted. */
async function seen(link: Link, wanted: (view: View) => boolean): Promise<View> {
  for (;;) {
    const { body } = await look(link);
    if (wanted(body)) return body;
    await scene.pass(0);
  }
}
async function scanAs(link: Link, userId: string): Promise<void> {
  const { qrcode } = await seen(link, (view) => view.qrcode !== '');
  await scene.sandbox.scan(await readQr(qrcode), userId);
}
const list = async (state = 'any') =>
  (await desk('GET', `/links?state=${state}`)).body['docs'] as Record<string, unknown>[];
const sessionCount = async () => ((await desk('GET', '/sessions?state=any')).body['docs'] as unknown[]).length;

describe('a customer’s link', () => {
  it('[OS5.1] connects the customer’s account, under the names that its maker gave, and is used up', async () => {
    const link = await makeLink({ session: { externalId: 'customer-7', label: 'Shop 7' } });
    expect((await look(link)).body).toMatchObject({ state: 'waiting', qrcode: '', sessionsLeft: 10 });
    expect((await press(link)).body).toMatchObject({ state: 'qrPending', sessionsLeft: 9 });
    await scanAs(link, ann);
    await seen(link, ({ state }) => state === 'used');
    const [made] = await list();
    expect(made).toMatchObject({
      state: 'used',
      externalId: 'customer-7',
      label: 'Shop 7',
      by: 'owner',
      sessionsMade: 1,
    });
    const { body } = await desk('GET', `/sessions/${String(made?.['session'])}`);
    expect(body).toMatchObject({ state: 'connected', externalId: 'customer-7', label: 'Shop 7' });
    expect(await press(link)).toMatchObject(notFound);
  });

  it('[OS5.2] creates nothing before the button is pressed, and one session however often it is', async () => {
    const link = await makeLink();
    for (let times = 0; times < 3; times++) await look(link);
    expect(await sessionCount()).toBe(0);
    await Promise.all([press(link), press(link), press(link)]);
    expect(await sessionCount()).toBe(1);
  });

  it('[OS5.3] shows the session of its externalId that lives, and makes no other', async () => {
    const caller = await scene.create({ externalId: 'customer-7' });
    const link = await makeLink({ session: { externalId: 'customer-7' } });
    expect((await press(link)).body).toMatchObject({ state: 'qrPending', sessionsLeft: 10 });
    expect((await list())[0]).toMatchObject({ session: caller.id, sessionsMade: 0 });
    await scene.scan(caller, ann);
    await seen(link, ({ state }) => state === 'used');
  });

  it('[OS5.4] makes a new session when the time of a QR code is over, ten in all', async () => {
    const link = await makeLink();
    for (let left = 9; left >= 0; left--) {
      expect((await press(link)).body).toMatchObject({ state: 'qrPending', sessionsLeft: left });
      await scene.pass(3 * minute + 1000);
      await seen(link, ({ state }) => state === 'waiting');
    }
    expect(await press(link)).toMatchObject({ status: 400, body: { message: 'link has no more sessions' } });
  });

  it('[OS5.5] ends after 24 hours, at the time that its maker set, or when it is withdrawn', async () => {
    const [short, usual, withdrawn] = await Promise.all([
      makeLink({ expires: new Date(scene.clock.now() + 5 * minute).toISOString() }),
      makeLink(),
      makeLink(),
    ]);
    expect(await desk('DELETE', `/links/${withdrawn.id}`)).toMatchObject({ status: 200, body: { id: withdrawn.id } });
    expect(await desk('DELETE', `/links/${withdrawn.id}`)).toMatchObject(notFound);
    expect(await look(withdrawn)).toMatchObject(notFound);
    await scene.pass(5 * minute);
    expect(await look(short)).toMatchObject(notFound);
    expect(await press(short)).toMatchObject(notFound);
    await scene.pass(day - 6 * minute);
    expect((await look(usual)).status).toBe(200);
    await scene.pass(2 * minute);
    expect(await look(usual)).toMatchObject(notFound);
    expect((await list()).map(({ state }) => String(state)).toSorted()).toEqual(['expired', 'expired', 'withdrawn']);
    expect(await list('open')).toEqual([]);
  });

  it('[OS5.5] refuses a time that is none, is over, or is more than 7 days ahead', async () => {
    const at = (ms: number): string => new Date(scene.clock.now() + ms).toISOString();
    for (const [expires, message] of [
      ['soon', 'expires must be an ISO 8601 time'],
      [at(-1000), 'expires must be in the future'],
      [at(7 * day + minute), 'expires must be within 7 days'],
    ]) {
      expect(await desk('POST', '/links', { expires })).toMatchObject({ status: 400, body: { message } });
    }
  });

  it('[OS5.6] asks for the two-step password, and has no field of the account', async () => {
    const link = await makeLink();
    await press(link);
    await scanAs(link, bob);
    const waiting = await seen(link, ({ state }) => state === 'passwordRequired');
    expect(Object.keys(waiting).toSorted()).toEqual(['codeSentTo', 'deadline', 'qrcode', 'sessionsLeft', 'state']);
    expect(await customer(link, 'POST', 'password', { password: 'wrong' })).toMatchObject({
      status: 400,
      body: { message: 'invalid password' },
    });
    expect((await customer(link, 'POST', 'password', { password: bobsPassword })).status).toBe(200);
    await seen(link, ({ state }) => state === 'used');
  });

  it('[OS5.6] logs in by a code', async () => {
    const link = await makeLink();
    await press(link);
    expect((await customer(link, 'POST', 'login', { phone: '+1 555 000 0001' })).body.state).toBe('codeRequired');
    const [sent] = await scene.sandbox.call<{ code: string }[]>('GET', `/accounts/${ann}/codes`);
    await customer(link, 'POST', 'code', { code: String(sent?.code) });
    await seen(link, ({ state }) => state === 'used');
  });

  it('[OS5.7] stays over a crash, with the session that it shows', async () => {
    const [link, withdrawn] = await Promise.all([makeLink({ session: { name: 'Desk' } }), makeLink()]);
    await press(link);
    await desk('DELETE', `/links/${withdrawn.id}`);
    await scene.restart();
    expect((await look(link)).body).toMatchObject({ state: 'qrPending', sessionsLeft: 9 });
    expect(await look(withdrawn)).toMatchObject(notFound);
    await scanAs(link, ann);
    await seen(link, ({ state }) => state === 'used');
  });

  it('[OS5.8] opens for its own token alone', async () => {
    const [link, other] = await Promise.all([makeLink(), makeLink()]);
    const ends = link.token.slice(-43);
    const mixed = other.token.slice(0, -43) + ends;
    for (const token of ['', 'nothing', mixed, `${link.token}x`]) {
      expect(await look({ ...link, token })).toMatchObject(notFound);
    }
    expect(await customer(link, 'POST', 'password', { password: 'x' })).toMatchObject({ status: 404 });
  });

  it('[OS5.8] is listed without its token, and its stream is erased a week after its end', async () => {
    const link = await makeLink();
    expect(JSON.stringify(await list())).not.toContain(link.token);
    await scene.pass(9 * day);
    expect(await list()).toEqual([]);
    await scene.restart();
    expect(await list()).toEqual([]);
  });

  it('[OS5.12] has its sessions go through the proxy that its maker gave, which is tried when the button is pressed', async () => {
    const proxies = await openProxyScene();
    const before = scene;
    scene = proxies;
    try {
      const socks = await proxies.socks('127.0.0.2', proxyLogin);
      const refused = { message: 'session.proxy.url must be the url of a proxy' };
      expect((await desk('POST', '/links', { session: { proxy: { url: 'ftp://x' } } })).body).toMatchObject(refused);
      const wrong = await makeLink({ session: { proxy: { url: socks.url.replace(proxyLogin.password, 'wrong') } } });
      expect(await press(wrong)).toMatchObject({
        status: 400,
        body: { message: 'proxy cannot be used: it does not accept the user name and password, or the secret' },
      });
      expect([(await look(wrong)).body.sessionsLeft, await sessionCount()]).toEqual([10, 0]);
      const link = await makeLink({ session: { proxy: { url: socks.url }, label: 'Shop 7' } });
      expect(JSON.stringify((await desk('GET', '/links')).body)).not.toContain(proxyLogin.password);
      await scene.restart();
      expect((await press(link)).body.state).toBe('qrPending');
      await scanAs(link, ann);
      await seen(link, ({ state }) => state === 'used');
      expect([socks.open, (await proxies.stats()).connections]).toEqual([1, 1]);
    } finally {
      scene = before;
      await proxies.close();
    }
  });
});
