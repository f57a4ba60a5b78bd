import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isLoopback } from '../../../../src/config/addresses.ts';
import { type SessionHeaders, startTestApp, type TestApp } from '../../../support/gateway/http-app.ts';

const page = 'https://crm.example';
const key = 'a-key-of-sixteen';
const preflight = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'id,session-id' };

describe('pages of other origins', () => {
  let gate: TestApp;
  let headers: SessionHeaders;
  beforeAll(async () => {
    gate = await startTestApp({ apiKey: key, corsOrigins: [page, 'http://localhost:5173'] });
    const { body } = await gate.call('POST', '/session', { headers: { 'x-api-key': key } });
    headers = { id: String(body['id']), 'session-id': String(body['sessionId']) };
  });
  afterAll(() => gate.close());

  const responseTo = async (method: 'GET' | 'OPTIONS', url: string, sent: Record<string, string>) => {
    const { statusCode, headers: received } = await gate.app.inject({ method, url, headers: sent });
    return { status: statusCode, origin: received['access-control-allow-origin'], received };
  };

  it('[CR1.1] those that are named may read responses', async () => {
    for (const origin of [page, 'http://localhost:5173']) {
      const { status, ...response } = await responseTo('GET', '/session', { ...headers, origin });
      expect([status, response.origin]).toEqual([200, origin]);
      expect(response.received['vary']).toBe('origin');
      expect(response.received).not.toHaveProperty('access-control-allow-credentials');
    }
  });

  it.each(['https://evil.example', `${page}.evil.example`, 'http://crm.example', `${page}:8443`, 'null', ''])(
    '[CR1.1] the page %j may not',
    async (origin) => {
      const response = await responseTo('GET', '/session', { ...headers, origin });
      expect(response).toMatchObject({ status: 200, origin: undefined });
      expect(response.received['vary']).toBe('origin');
      expect(await responseTo('OPTIONS', '/message', { origin, ...preflight })).toMatchObject({
        status: 405,
        origin: undefined,
      });
    },
  );

  it.each([
    [400, '/session', {}],
    [401, '/sessions', {}],
    [404, '/nowhere', {}],
  ] as const)('[CR1.1] reads the error %i of %s', async (status, url, sent) => {
    expect(await responseTo('GET', url, { origin: page, ...sent })).toMatchObject({ status, origin: page });
  });

  it.each(['/message', '/session', '/sessions', '/file'])('[CR1.1] a preflight of %s needs no key', async (url) => {
    const { status, origin, received } = await responseTo('OPTIONS', url, { origin: page, ...preflight });
    expect([status, origin]).toEqual([204, page]);
    expect(String(received['access-control-allow-methods']).split(', ')).toEqual(
      expect.arrayContaining(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
    );
    expect(String(received['access-control-allow-headers']).split(', ')).toEqual(
      expect.arrayContaining(['id', 'session-id', 'x-api-key', 'authorization', 'idempotency-key', 'range']),
    );
  });

  it('[CR1.1] OPTIONS without a preflight is what it was', async () => {
    expect(await responseTo('OPTIONS', '/session', { origin: page })).toMatchObject({ status: 405, origin: page });
  });

  it('[CR1.2] scripts may read the headers that say what to do next', async () => {
    const { received } = await responseTo('GET', '/session', { ...headers, origin: page });
    expect(String(received['access-control-expose-headers']).split(', ')).toEqual(
      expect.arrayContaining(['retry-after', 'ratelimit', 'x-request-id', 'x-error-code', 'etag', 'content-range']),
    );
  });
});

it('[CR1.1] without CORS_ORIGINS no page may read, and with * each may', async () => {
  const closed = await startTestApp();
  const open = await startTestApp({ apiKey: key, corsOrigins: '*' });
  try {
    const none = await closed.app.inject({ url: '/health/live', headers: { origin: page } });
    expect(Object.keys(none.headers).filter((name) => /^(access-control|vary)/.test(name))).toEqual([]);
    const any = await open.app.inject({ url: '/health/live', headers: { origin: page } });
    expect(any.headers).toMatchObject({ 'access-control-allow-origin': '*' });
    expect(any.headers).not.toHaveProperty('vary');
  } finally {
    await closed.close();
    await open.close();
  }
});

it('[CR1.3] without an API key they change nothing, and foreign hosts are refused all the same', async () => {
  const gate = await startTestApp({ ownAddresses: { isLoopback, publicUrl: undefined }, corsOrigins: [page] });
  try {
    const inject = async (method: 'POST' | 'GET' | 'OPTIONS', host: string) => {
      const { statusCode, body } = await gate.app.inject({
        method,
        url: '/session',
        headers: { host, origin: page, ...(method === 'OPTIONS' && preflight) },
      });
      return [statusCode, body === '' ? '' : (JSON.parse(body) as { message: string }).message];
    };
    expect(await inject('GET', 'localhost')).toEqual([400, 'invalid header']);
    expect(await inject('POST', 'localhost')).toEqual([403, 'origin not allowed']);
    expect(await inject('OPTIONS', 'localhost')).toEqual([204, '']);
    for (const method of ['GET', 'POST', 'OPTIONS'] as const) {
      expect(await inject(method, 'evil.example')).toEqual([403, 'host not allowed']);
    }
  } finally {
    await gate.close();
  }
});
