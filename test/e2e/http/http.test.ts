import { Agent, request as ask } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';
import { bytesOf, exchange, fetchHead, type RawAnswer } from '../../support/e2e/raw-http.ts';
import { type Caller, openScene, type Scene } from '../../support/e2e/scene.ts';
import { type Answer, startTestGateway } from '../../support/gateway/gateway.ts';

/** HTTP as it comes over a real socket: credentials, health, connections. */

let scene: Scene;
let caller: Caller;
beforeAll(async () => {
  scene = await openScene();
  caller = await scene.create();
});
afterAll(() => scene.close());

describe('credentials', () => {
  const get = (headers: Record<string, string>, from?: string): Promise<RawAnswer> =>
    exchange(scene.gateway.url, bytesOf('GET /session', headers), from);

  it('[AU3.2] many wrong ones of one address have to wait; right ones, and other addresses, do not', async () => {
    const wrong = { ...caller.headers, 'session-id': 'guess' };
    const statuses = new Set<number>();
    for (let tries = 0; tries < 100; tries++) statuses.add((await get(wrong)).status);
    expect(statuses).toEqual(new Set([404, 429]));
    const limited = await get(wrong);
    expect(limited.text).toBe('{"statusCode":429,"message":"too many requests"}\n');
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
    expect(await get({ ...wrong, id: 'unknown' })).toMatchObject({ status: 429 });
    expect(await get(caller.headers)).toMatchObject({ status: 200 });
    expect(await get({})).toMatchObject({ status: 400, text: '{"statusCode":400,"message":"invalid header"}\n' });
    expect(await get(wrong, '127.0.0.2')).toMatchObject({ status: 404 });
    expect((await scene.gateway.http.request('POST', '/session')).status).toBe(200);
  });

  it('[AU6.1] nothing of a session, and nothing of the operator, is kept in a cache', async () => {
    const { http } = scene.gateway;
    const answers = [
      await http.request('POST', '/session'),
      await http.request('GET', '/session', { headers: caller.headers }),
      await http.request('POST', '/session/reset', { headers: caller.headers }),
      await http.request('GET', '/session/webhook', { headers: caller.headers }),
      await http.request('GET', '/session/events', { headers: caller.headers }),
      await http.request('GET', '/sessions'),
    ];
    expect(answers.map(({ status, headers }) => [status, headers.get('cache-control')])).toEqual(
      answers.map(() => [200, 'no-store']),
    );
  });

  it('[AU4.1] [AU6.2] an API key is asked for to create a session, and for nothing of one session', async () => {
    const lines: string[] = [];
    const keyed = await startTestGateway({
      sandbox: scene.sandbox,
      environment: { API_KEY: 'open sesame' },
      logTo: { write: (line) => void lines.push(line) },
    });
    try {
      const create = (headers: Record<string, string>): Promise<Answer> =>
        keyed.http.request('POST', '/session', { headers });
      const refused = { status: 401, body: { statusCode: 401, message: 'invalid api key' } };
      expect(await create({})).toMatchObject(refused);
      expect(await create({ 'x-api-key': 'open' })).toMatchObject(refused);
      expect(await create({ authorization: 'Bearer open' })).toMatchObject(refused);
      expect(await create({ authorization: 'Basic open sesame' })).toMatchObject(refused);
      expect(await create({ authorization: 'bearer open sesame' })).toMatchObject({ status: 200 });
      const created = await create({ 'x-api-key': 'open sesame' });
      expect(created.status).toBe(200);
      const headers = { id: String(created.body['id']), 'session-id': String(created.body['sessionId']) };
      expect((await keyed.http.request('GET', '/session', { headers })).status).toBe(200);
      expect((await keyed.http.request('DELETE', '/session', { headers })).status).toBe(200);
      expect((await keyed.http.request('GET', '/health/live')).status).toBe(200);
      for (const secret of ['open sesame', headers['session-id']]) expect(lines.join('')).not.toContain(secret);
    } finally {
      await keyed.close();
    }
  });

  it('[AU4.2] without a key only this machine is listened to', () => {
    expect(() => readConfig({ HOST: '0.0.0.0' })).toThrow('HOST must be a loopback address');
    expect(readConfig({ HOST: '0.0.0.0', ALLOW_OPEN: 'true' }).host).toBe('0.0.0.0');
    expect(readConfig({ HOST: '0.0.0.0', API_KEY: 'x'.repeat(16) }).host).toBe('0.0.0.0');
  });
});

describe('pages of other sites', () => {
  const post = (headers: Record<string, string>): Promise<RawAnswer> =>
    exchange(scene.gateway.url, bytesOf('POST /session', headers));

  it('[AU5.1] [AU5.2] reach nothing where there is no key', async () => {
    expect(await post({ host: 'evil.example' })).toMatchObject({
      status: 403,
      text: '{"statusCode":403,"message":"host not allowed"}\n',
    });
    expect(await post({ origin: 'https://evil.example' })).toMatchObject({
      status: 403,
      text: '{"statusCode":403,"message":"origin not allowed"}\n',
    });
    expect(await post({ origin: 'http://localhost' })).toMatchObject({ status: 200 });
  });

  it('[AU5.1] are not looked for where everyone is let in', async () => {
    const open = await startTestGateway({ sandbox: scene.sandbox, environment: { ALLOW_OPEN: 'true' } });
    try {
      expect(await exchange(open.url, bytesOf('POST /session', { host: 'gate.example' }))).toMatchObject({
        status: 200,
      });
    } finally {
      await open.close();
    }
  });
});

describe('health', () => {
  it.each(['/health/live', '/health/ready'])('[OP2.2] %s', async (path) => {
    await scene.gateway.started;
    expect(await scene.gateway.http.request('GET', path)).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect(await fetchHead(scene.gateway.url + path)).toMatchObject({ status: 200 });
  });
});

describe('a connection', () => {
  it('is kept for the next request', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports = new Set<number | undefined>();
    const { url } = scene.gateway;
    const get = (path: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        ask(`${url}${path}`, { agent, headers: caller.headers }, (response) => {
          ports.add(response.socket.localPort);
          response.resume().on('end', () => resolve(response.statusCode));
        })
          .on('error', reject)
          .end();
      });
    const statuses = [];
    for (const path of ['/session', '/nowhere', '/session', '/message', '/health/live', '/session']) {
      statuses.push(await get(path));
    }
    agent.destroy();
    expect(statuses).toEqual([200, 404, 200, 405, 200, 200]);
    expect(ports.size).toBe(1);
  });

  it('answers what is sent in one go in the order of the requests', async () => {
    const bytes = Buffer.concat([bytesOf('GET /nowhere'), bytesOf('GET /health/live')]);
    expect(await exchange(scene.gateway.url, bytes)).toMatchObject({ status: 404 });
  });
});
