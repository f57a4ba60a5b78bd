import { Agent, request as ask } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { type Answer, startTestGateway } from '../support/gateway.ts';
import { type Caller, openScene, type Scene } from './scene.ts';

/** HTTP as it comes over a real socket: odd requests, credentials, limits, health. */

let scene: Scene;
let caller: Caller;
beforeAll(async () => {
  scene = await openScene();
  caller = await scene.create();
});
afterAll(() => scene.close());

interface Raw {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** Sends bytes as they are, and reads the first answer, as long as it says it is. */
function exchange(bytes: Buffer | string, localAddress = '127.0.0.1'): Promise<Raw> {
  const { port } = new URL(scene.gateway.url);
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress }, () => socket.write(bytes));
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const answer = parse(received);
      if (answer === undefined) return;
      socket.destroy();
      resolve(answer);
    });
    socket.on('end', () => reject(new Error(`ended after ${JSON.stringify(received.toString())}`)));
    socket.on('error', reject);
  });
}

function parse(received: Buffer): Raw | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [line = '', ...lines] = received.subarray(0, end).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((header) => {
      const colon = header.indexOf(':');
      return [header.slice(0, colon).toLowerCase(), header.slice(colon + 1).trim()];
    }),
  );
  const text = received.subarray(end + 4);
  if (text.length < Number(headers['content-length'])) return undefined;
  return { status: Number(line.split(' ')[1]), headers, text: text.toString() };
}

/** A request by hand: what is given, and a host. */
function bytesOf(line: string, headers: Record<string, string> = {}, body: Buffer | string = ''): Buffer {
  const length = Buffer.byteLength(body);
  const all = { host: 'gateway', ...(length === 0 ? {} : { 'content-length': String(length) }), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`${line} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'), Buffer.from(body)]);
}

const json = { 'content-type': 'application/json' };
const post = (body: Buffer | string, headers: Record<string, string> = json): Buffer =>
  bytesOf('POST /session', headers, body);

describe('an odd request gets a body of exactly statusCode and message', () => {
  const malformed = 'body must be valid JSON';
  const noJson = 'content type must be application/json';
  const unreadable = 'invalid http request';
  const tooMany = Object.fromEntries(Array.from({ length: 3_000 }, (_value, index) => [`x-${index}`, '1']));
  it.each<[string, Buffer | string, number, string]>([
    ['JSON that breaks off', post('{"name":'), 400, malformed],
    ['JSON with text behind it', post('{} {}'), 400, malformed],
    ['JSON in Latin-1', post(Buffer.from('{"name":\xe9}', 'latin1')), 400, malformed],
    ['a prototype', post('{"__proto__":{"admin":true}}'), 400, malformed],
    ['100,000 brackets', post('['.repeat(100_000)), 400, malformed],
    ['an array', post('[]'), 400, 'body must be an object'],
    ['a number', post('7'), 400, 'body must be an object'],
    [
      'a map of maps, 20,000 deep',
      post(`{"metadata":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`),
      400,
      'metadata.a must be a string',
    ],
    [
      'a list of lists, 50,000 deep',
      post(`{"name":${'['.repeat(50_000)}${']'.repeat(50_000)}}`),
      400,
      'name must be a string',
    ],
    ['a body over the limit', post(`{"name":"${'x'.repeat(300_000)}"}`), 413, 'request body is too large'],
    [
      'a body that says it is',
      bytesOf('POST /session', { ...json, 'content-length': '999999999' }),
      413,
      'request body is too large',
    ],
    [
      'a body over the limit, in chunks',
      bytesOf('POST /session', { ...json, 'transfer-encoding': 'chunked', 'content-length': '' })
        .toString('latin1')
        .replace(/content-length: \r\n/, '') + `493e0\r\n${'x'.repeat(300_000)}\r\n0\r\n\r\n`,
      413,
      'request body is too large',
    ],
    ['text', post('{}', { 'content-type': 'text/plain' }), 415, noJson],
    ['a form', post('name=x', { 'content-type': 'application/x-www-form-urlencoded' }), 415, noJson],
    ['no content type', post('{}', {}), 415, noJson],
    ['an unknown path', bytesOf('GET /nowhere/at/all'), 404, 'not found'],
    ['the root', bytesOf('GET /'), 404, 'not found'],
    ['a path upwards', bytesOf('GET /../../etc/passwd'), 404, 'not found'],
    ['an unknown path of 5,000 letters', bytesOf(`GET /${'a'.repeat(5_000)}`), 404, 'not found'],
    ['a path that cannot be decoded', bytesOf('GET /session/%zz'), 400, 'invalid url'],
    ['another method', bytesOf('PUT /session', json, '{}'), 405, 'method not allowed'],
    ['OPTIONS', bytesOf('OPTIONS /message'), 405, 'method not allowed'],
    ['TRACE', bytesOf('TRACE /session'), 405, 'method not allowed'],
    ['QUERY', bytesOf('QUERY /session'), 405, 'method not allowed'],
    ['CONNECT', bytesOf('CONNECT example.com:443'), 405, 'method not allowed'],
    ['a method that nobody knows', bytesOf('SEND /message'), 400, unreadable],
    ['no HTTP', 'good morning\r\n\r\n', 400, unreadable],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, unreadable],
    ['TLS', Buffer.from('160301020001000001fc0303', 'hex'), 400, unreadable],
    ['no host', 'GET /session HTTP/1.1\r\n\r\n', 400, 'host header is missing'],
    [
      'two lengths',
      bytesOf('POST /session', { ...json, 'Content-Length': '2', 'content-length': '3' }),
      400,
      unreadable,
    ],
    [
      'a length and chunks',
      bytesOf('POST /session', { ...json, 'content-length': '2', 'transfer-encoding': 'chunked' }),
      400,
      unreadable,
    ],
    [
      'chunks that are none',
      `${bytesOf('POST /session', { ...json, 'transfer-encoding': 'chunked' }).toString()}zz\r\n`,
      400,
      unreadable,
    ],
    ['a header with a null byte', bytesOf('GET /session', { id: 'a\0b', 'session-id': 'c' }), 400, unreadable],
    ['3,000 headers', bytesOf('GET /session', tooMany), 431, 'request headers are too large'],
    [
      'a header of 20,000 letters',
      bytesOf('GET /session', { id: 'x'.repeat(20_000) }),
      431,
      'request headers are too large',
    ],
    ['an expectation', bytesOf('GET /session', { expect: 'wonders' }), 417, 'expectation failed'],
    [
      'a wish for a websocket',
      bytesOf('GET /session', { connection: 'upgrade', upgrade: 'websocket' }),
      400,
      'invalid header',
    ],
  ])('[ER1] %s', async (_what, bytes, statusCode, message) => {
    const { status, headers, text } = await exchange(bytes);
    expect([status, text]).toEqual([statusCode, JSON.stringify({ statusCode, message })]);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(headers['content-length']).toBe(String(Buffer.byteLength(text)));
    // Nothing of it has hurt.
    expect((await scene.gateway.http.request('GET', '/health/live')).status).toBe(200);
  });

  it('[ER1] 405 says what is allowed', async () => {
    const { headers } = await exchange(bytesOf('PATCH /session'));
    expect(headers['allow']).toBe('DELETE, GET, POST');
    expect((await exchange(bytesOf('GET /message'))).headers['allow']).toBe('POST');
  });

  it('[ER1] HEAD gets the head of the same answer', async () => {
    expect(await head('/message')).toMatchObject({ status: 405, headers: { allow: 'POST' } });
    expect(await head('/nowhere')).toMatchObject({ status: 404 });
  });
});

/** HEAD: an answer without the body whose length it tells. */
async function head(path: string): Promise<{ status: number; headers: Record<string, string> }> {
  const response = await fetch(scene.gateway.url + path, { method: 'HEAD' });
  return { status: response.status, headers: Object.fromEntries(response.headers) };
}

describe('credentials', () => {
  const get = (headers: Record<string, string>, from?: string): Promise<Raw> =>
    exchange(bytesOf('GET /session', headers), from);

  it('[AU3] many wrong ones of one address have to wait; right ones, and other addresses, do not', async () => {
    const wrong = { ...caller.headers, 'session-id': 'guess' };
    const statuses = new Set<number>();
    for (let tries = 0; tries < 100; tries++) statuses.add((await get(wrong)).status);
    expect(statuses).toEqual(new Set([404, 429]));
    const limited = await get(wrong);
    expect(limited.text).toBe('{"statusCode":429,"message":"too many requests"}');
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
    expect(await get({ ...wrong, id: 'unknown' })).toMatchObject({ status: 429 });
    expect(await get(caller.headers)).toMatchObject({ status: 200 });
    expect(await get({})).toMatchObject({ status: 400, text: '{"statusCode":400,"message":"invalid header"}' });
    expect(await get(wrong, '127.0.0.2')).toMatchObject({ status: 404 });
    expect((await scene.gateway.http.request('POST', '/session')).status).toBe(200);
  });

  it('[AU4] an API key is asked for to create a session, and for nothing of one session', async () => {
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

  it('[AU4] without a key only this machine is listened to', () => {
    expect(() => readConfig({ HOST: '0.0.0.0' })).toThrow('HOST must be a loopback address');
    expect(readConfig({ HOST: '0.0.0.0', ALLOW_OPEN: 'true' }).host).toBe('0.0.0.0');
    expect(readConfig({ HOST: '0.0.0.0', API_KEY: 'x' }).host).toBe('0.0.0.0');
  });
});

describe('health', () => {
  it.each(['/health/live', '/health/ready'])('[OP2] %s', async (path) => {
    await scene.gateway.started;
    expect(await scene.gateway.http.request('GET', path)).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect(await head(path)).toMatchObject({ status: 200 });
  });
});

describe('the webhook', () => {
  const set = (body: unknown, method = 'PUT'): Promise<Answer> =>
    scene.request(caller, method, '/session/webhook', body);
  const shown = async (): Promise<unknown> => (await scene.read(caller))['webhook'];
  const off = { url: '', token: '' };
  const pair = 'url and token must be both filled, or both empty to turn the webhook off';
  const noUrl = 'url must be an http or https url';

  it('[WH2] a token that no header can carry is refused', async () => {
    const refused = { status: 400, body: { message: 'token must be printable ASCII' } };
    expect(await set({ url: 'https://hook.example', token: 'tøken' })).toMatchObject(refused);
  });

  it.each(['PUT', 'POST'])('[WH1] %s sets it and turns it off', async (method) => {
    const webhook = { url: `https://hook.example/${method}?a=b`, token: 't0ken +/=' };
    expect(await set(webhook, method)).toMatchObject({ status: 200, body: { id: caller.id, webhook } });
    expect(await shown()).toEqual(webhook);
    expect(await scene.request(caller, 'GET', '/session/webhook')).toMatchObject({ status: 200, body: { webhook } });
    expect(await set(off, method)).toMatchObject({ status: 200, body: { id: caller.id, webhook: off } });
    expect(await shown()).toEqual(off);
    expect(await set(webhook, method)).toMatchObject({ status: 200 });
    expect(await set({}, method)).toMatchObject({ status: 200, body: { webhook: off } });
  });

  it.each<[unknown, string]>([
    [{ url: 'https://hook.example/' }, pair],
    [{ token: 'x' }, pair],
    [{ url: '', token: 'x' }, pair],
    [{ url: 'https://hook.example/', token: null }, pair],
    [{ url: 'ftp://hook.example/', token: 'x' }, noUrl],
    [{ url: 'hook.example', token: 'x' }, noUrl],
    [{ url: 'javascript:alert(1)', token: 'x' }, noUrl],
    [{ url: 'ftp://hook.example/' }, `${pair}\n${noUrl}`],
    [{ url: 5, token: true }, 'url must be a string\ntoken must be a string'],
  ])('[WH1] %j is refused', async (body, message) => {
    const before = await shown();
    const answer = await set(body);
    expect([answer.status, answer.body]).toEqual([400, { statusCode: 400, message }]);
    expect(await shown()).toEqual(before);
  });

  it('[SE1] at creation it is checked like there, by its path', async () => {
    const refused = async (webhook: unknown): Promise<unknown> =>
      (await scene.gateway.http.request('POST', '/session', { body: { webhook } })).body['message'];
    expect(await refused({ url: 'https://hook.example/' })).toBe(
      'webhook.url and webhook.token must be both filled, or both empty to turn the webhook off',
    );
    expect(await refused({ url: 'x', token: 'y' })).toBe('webhook.url must be an http or https url');
    expect(await refused('https://hook.example/')).toBe('webhook must be an object');
  });
});

describe('creation', () => {
  it.each<[unknown, string]>([
    [{ name: 5 }, 'name must be a string'],
    [{ metadata: 'x' }, 'metadata must be an object'],
    [{ metadata: { a: 1, b: 'two' } }, 'metadata.a must be a string'],
    [
      { metadata: Object.fromEntries(Array.from({ length: 17 }, (_value, index) => [`k${index}`, 'v'])) },
      'metadata must have at most 16 entries',
    ],
    [
      { name: [], metadata: [], webhook: [] },
      'name must be a string\nmetadata must be an object\nwebhook must be an object',
    ],
  ])('[SE1] %j is refused', async (body, message) => {
    const answer = await scene.gateway.http.request('POST', '/session', { body });
    expect([answer.status, answer.body]).toEqual([400, { statusCode: 400, message }]);
  });
});

describe('a connection', () => {
  it('is kept for the next request', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports = new Set<number | undefined>();
    const get = (path: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        ask(`${scene.gateway.url}${path}`, { agent, headers: caller.headers }, (response) => {
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
    expect(await exchange(bytes)).toMatchObject({ status: 404 });
  });
});
