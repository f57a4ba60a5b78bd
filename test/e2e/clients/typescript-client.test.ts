import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import {
  AccessError,
  Gateway,
  type GatewayEvent,
  type GatewaySession,
  LoginError,
  SessionNotConnectedError,
  SessionNotFoundError,
} from '../../../clients/typescript/src/index.ts';
import { ann, bob, bobsPassword, openScene, type Scene } from '../../support/e2e/scene.ts';

/** The TypeScript client with a gateway, which has an API key, and a sandbox. */

const apiKey = 'the-key-of-the-owner-of-this-gateway';
const pollMs = 5;
const quickly = { pollMs };

let scene: Scene;
let gateway: Gateway;
beforeAll(async () => {
  scene = await openScene({ environment: { API_KEY: apiKey } });
  gateway = new Gateway({ baseUrl: `${scene.gateway.url}/`, apiKey, fetch: (url, init) => fetch(toNow(url), init) });
});
afterAll(() => scene.close());

/** The gateway is on another port after a restart. */
function toNow(url: string): string {
  const { pathname, search, protocol } = new URL(url);
  return `${protocol}//${new URL(scene.gateway.url).host}${pathname}${search}`;
}

class MovingSocket extends WebSocket {
  constructor(url: string, options: object) {
    super(toNow(url), options);
  }
}

async function connected(userId = ann): Promise<GatewaySession> {
  const session = await gateway.createSession({ label: 'Desk' });
  await session.waitForLogin({
    ...quickly,
    onQr: ({ link }) => scene.sandbox.scan(link, userId),
    password: () => bobsPassword,
  });
  return session;
}

const failureOf = (work: PromiseLike<unknown>): Promise<Error> =>
  Promise.resolve(work).then(
    () => new Error('it did not fail'),
    (error: Error) => error,
  );

describe('logging in', () => {
  it('[TC1.3] by a QR code, whose link a phone opens, and a password that is asked for until it is right', async () => {
    const session = await gateway.createSession();
    const asked: [string, boolean][] = [];
    const account = await session.waitForLogin({
      ...quickly,
      onQr: ({ link }) => scene.sandbox.scan(link, bob),
      password: (hint, isAgain) => {
        asked.push([hint, isAgain]);
        return isAgain ? bobsPassword : 'a wrong one';
      },
    });
    expect(account).toMatchObject({ id: session.id, isConnected: true, username: 'bobstone' });
    expect(asked.map(([, isAgain]) => isAgain)).toEqual([false, true]);
  });

  it('[TC1.3] by the code that Telegram sends to a phone number', async () => {
    const session = await gateway.createSession({ login: { phone: '+1 555 000 0001' } });
    const asked: [string, boolean][] = [];
    await session.waitForLogin({
      ...quickly,
      code: async (sentTo, isAgain) => {
        asked.push([sentTo, isAgain]);
        if (!isAgain) return '00000';
        const [sent] = await scene.sandbox.call<{ code: string }[]>('GET', `/accounts/${ann}/codes`);
        return sent?.code ?? '';
      },
    });
    expect(asked.map(([, isAgain]) => isAgain)).toEqual([false, true]);
    expect(asked[0]?.[0]).not.toBe('');
  });

  it('[TC1.3] without what it needs is an error that says what to do', async () => {
    const session = await gateway.createSession();
    const error = await failureOf(
      session.waitForLogin({ ...quickly, onQr: ({ link }) => scene.sandbox.scan(link, bob) }),
    );
    expect(error).toBeInstanceOf(LoginError);
    expect(error.message).toContain('`password`');
  });

  it('[TC1.3] shows each new QR code, and says when none was scanned in time', async () => {
    const session = await gateway.createSession();
    const links: string[] = [];
    const waiting = failureOf(session.waitForLogin({ ...quickly, onQr: ({ link }) => void links.push(link) }));
    await expect.poll(() => links.length).toBe(1);
    await scene.pass(31_000);
    await expect.poll(() => links.length).toBeGreaterThan(1);
    await scene.pass(3 * 60_000);
    const error = await waiting;
    expect(error).toBeInstanceOf(LoginError);
    expect(error).toMatchObject({ code: 'login_expired', status: 404 });
    expect(new Set(links).size).toBe(links.length);
  });
});

describe('errors of the gateway', () => {
  it('[TC1.6] have their classes', async () => {
    const url = { baseUrl: scene.gateway.url };
    const session = await gateway.createSession();
    const [unknown, wrong, early] = await Promise.all([
      failureOf(new Gateway(url).session({ id: session.id, sessionId: 'wrong' }).getSession()),
      failureOf(new Gateway({ ...url, apiKey: 'wrong' }).listSessions()),
      (async () => {
        await expect.poll(async () => (await session.getSession()).qrcode).not.toBe('');
        return failureOf(session.send({ username: 'bob', type: 'text', text: 'Hello' }));
      })(),
    ]);
    expect(unknown).toBeInstanceOf(SessionNotFoundError);
    expect(wrong).toBeInstanceOf(AccessError);
    // At once: nobody scans its QR code.
    expect(early).toBeInstanceOf(SessionNotConnectedError);
  });
});

describe('a connected session', () => {
  let session: GatewaySession;
  beforeAll(async () => {
    session = await connected();
  });

  it('[TC1.5] sends once under a key, and is opened again by its id and secret, or by its id and a key', async () => {
    const message = { username: 'bob', type: 'text', text: 'once' } as const;
    const again = [
      new Gateway({ baseUrl: scene.gateway.url }).session({ id: session.id, sessionId: session.sessionId }),
      gateway.session({ id: session.id }),
    ];
    const sent = [];
    for (const one of [session, ...again]) sent.push(await one.send(message, { idempotencyKey: 'once-1' }));
    expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(1);
  });

  it('[TC1.4] goes through pages', async () => {
    for (let count = 1; count <= 7; count += 1) {
      await session.send({ user: '1003', type: 'text', text: `page ${count}` });
    }
    const texts: string[] = [];
    for await (const { text } of session.listMessages({ chatId: '1003', limit: 3 })) texts.push(text);
    expect(texts.slice(0, 7)).toEqual([7, 6, 5, 4, 3, 2, 1].map((count) => `page ${count}`));
    const events: string[] = [];
    for await (const { type } of session.listEvents({ limit: 2 })) events.push(type);
    expect(events).toEqual((await session.listEvents()).docs.map(({ type }) => type));
    const found: string[] = [];
    for await (const { id } of gateway.listSessions({ label: 'Desk', limit: 1 })) found.push(id);
    expect(found).toContain(session.id);
  });

  it('[TC1.1] uploads a file and sends it', async () => {
    const bytes = new TextEncoder().encode('the report');
    const file = await session.uploadFile(new Blob([bytes], { type: 'text/plain' }), { name: 'report.txt' });
    expect(file).toMatchObject({ name: 'report.txt', size: bytes.length });
    const document = { file: file.id, name: file.name, size: file.size, mimetype: 'text/plain' };
    expect((await session.send({ user: bob, type: 'document', document })).messageId).toMatch(/^\d+$/);
  });

  it.each(['server-sent events', 'a WebSocket'])(
    '[TC1.7] reads what people write over %s, and over a restart of the gateway',
    async (way) => {
      const reader = way.replaceAll(' ', '-');
      const ending = new AbortController();
      const { signal } = ending;
      const texts: string[] = [];
      const events = (
        way === 'a WebSocket'
          ? session.readMessages({ reader }, { WebSocket: MovingSocket, signal })
          : session.streamMessages({ reader }, { signal })
      ) as AsyncIterable<GatewayEvent>;
      const reading = (async () => {
        for await (const event of events) if (event.type === 'message') texts.push(event.data.text);
      })().catch((error: unknown) => error);
      const write = (text: string): Promise<unknown> =>
        scene.sandbox.call('POST', `/accounts/${bob}/messages`, { peer: ann, text });
      // A reader gets what comes after it first came: it is there once the first text arrives.
      for (let count = 1; texts.length === 0; count += 1) {
        await write(`${way} ${count}`);
        await new Promise((resolve) => void setImmediate(resolve));
      }
      await write('before');
      await expect.poll(() => texts).toContain('before');
      await scene.restart();
      await write('after');
      await expect.poll(() => texts.at(-1)).toBe('after');
      expect(texts.filter((text) => ['before', 'after'].includes(text))).toEqual(['before', 'after']);
      ending.abort(new Error('enough'));
      expect(String(await reading)).toBe('Error: enough');
    },
  );

  it('[TC1.7] the stream of a session ends with the session', async () => {
    const other = await connected('1003');
    const types: string[] = [];
    for await (const { type } of other.streamEvents()) {
      types.push(type);
      if (type === 'LoggedIn') await other.deleteSession();
    }
    expect(types.at(-1)).toBe('SessionDeleted');
  });
});
