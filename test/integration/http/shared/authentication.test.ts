import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type SessionHeaders, startTestApp, type TestApp } from '../../../support/gateway/http-app.ts';

let gate: TestApp;
beforeEach(async () => {
  gate = await startTestApp();
});
afterEach(() => gate.close());

const sessionRoutes = [
  ['GET', '/session'],
  ['POST', '/session/password'],
  ['POST', '/session/reset'],
  ['DELETE', '/session'],
  ['PUT', '/session/webhook'],
  ['POST', '/session/webhook'],
  ['GET', '/session/webhook'],
  ['POST', '/message'],
] as const;
const notFound = { status: 404, body: { statusCode: 404, message: 'session not found' } };
const invalidHeader = { status: 400, body: { statusCode: 400, message: 'invalid header' } };

describe.each(sessionRoutes)('%s %s', (method, path) => {
  it('[AU2.1] 400 without both headers, before anything else', async () => {
    const headers = await gate.session();
    const wrong = { body: 'not json', headers: {} };
    expect(await gate.call(method, path, wrong)).toMatchObject(invalidHeader);
    expect(await gate.call(method, path, { ...wrong, headers: { id: headers.id } })).toMatchObject(invalidHeader);
    expect(await gate.call(method, path, { ...wrong, headers: { 'session-id': headers['session-id'] } })).toMatchObject(
      invalidHeader,
    );
    expect(await gate.call(method, path, { headers: { ...headers, id: '' } })).toMatchObject(invalidHeader);
  });

  it('[AU2.1] 404 for wrong ones, before the body is looked at', async () => {
    const headers = await gate.session();
    const other = await gate.session();
    for (const wrong of [
      { id: 'unknown', 'session-id': headers['session-id'] },
      { id: headers.id, 'session-id': 'unknown' },
      { id: headers.id, 'session-id': other['session-id'] },
      { id: headers.id, 'session-id': `${headers['session-id']}x` },
      { id: headers.id.toUpperCase(), 'session-id': headers['session-id'] },
    ]) {
      expect(await gate.call(method, path, { headers: wrong, body: 'not json' })).toMatchObject(notFound);
    }
  });

  it('[AU2.1] 404 for a deleted session', async () => {
    const headers = await gate.session();
    expect((await gate.call('DELETE', '/session', { headers })).status).toBe(200);
    expect(await gate.call(method, path, { headers, body: 'not json' })).toMatchObject(notFound);
  });
});

describe('order of the checks', () => {
  const body = { type: 'text' };

  it('[AU2.1] validation, then loading, then connected, then receiver', async () => {
    const headers = await gate.session();
    const state = gate.sessions.state.bind(gate.sessions);
    gate.sessions.state = () => 'loading';
    expect(await gate.call('POST', '/message', { headers, body })).toMatchObject({
      status: 400,
      body: { message: 'text should not be empty' },
    });
    const loading = await gate.call('POST', '/message', { headers, body: { ...body, text: 'hi' } });
    expect(loading).toMatchObject({ status: 500, body: { statusCode: 500, message: 'session not found' } });
    expect(Number(loading.headers['retry-after'])).toBeGreaterThan(0);
    gate.sessions.state = state;
    expect(await gate.call('POST', '/message', { headers, body: { ...body, text: 'hi' } })).toMatchObject({
      status: 500,
      body: { statusCode: 500, message: 'session not connected' },
    });
    await gate.connect(headers);
    expect(await gate.call('POST', '/message', { headers, body: { ...body, text: 'hi' } })).toMatchObject({
      status: 400,
      body: { message: 'invalid phone, username, user, group or channel' },
    });
  });

  it.each(['GET', 'DELETE'] as const)('[AU2.1] %s /session is 500 session not found while loading', async (method) => {
    const headers = await gate.session();
    gate.sessions.state = () => 'loading';
    expect(await gate.call(method, '/session', { headers })).toMatchObject({
      status: 500,
      body: { statusCode: 500, message: 'session not found' },
    });
  });
});

describe('wrong credentials', () => {
  const tryOften = async (request: () => Promise<{ status: number }>): Promise<Set<number>> => {
    const seen = new Set<number>();
    for (let count = 0; count < 70; count += 1) seen.add((await request()).status);
    return seen;
  };

  it('[AU3.2] are limited for each address, with Retry-After; right ones go on', async () => {
    const headers = await gate.session();
    const wrong = { headers: { ...headers, 'session-id': 'guess' } };
    expect(await tryOften(() => gate.call('GET', '/session', wrong))).toEqual(new Set([404, 429]));
    const limited = await gate.call('GET', '/session', wrong);
    expect(limited).toMatchObject({ status: 429, body: { statusCode: 429, message: 'too many requests' } });
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
    expect((await gate.call('GET', '/session', { headers })).status).toBe(200);
    const elsewhere = await gate.app.inject({ url: '/session', headers: wrong.headers, remoteAddress: '192.0.2.7' });
    expect(elsewhere.statusCode).toBe(404);
  });

  it('[AU3.2] a client that polls a deleted session with right ones is not limited', async () => {
    const headers = await gate.session();
    await gate.call('DELETE', '/session', { headers });
    expect(await tryOften(() => gate.call('GET', '/session', { headers }))).toEqual(new Set([404]));
  });
});

describe('behind a proxy', () => {
  const guess = async (
    at: TestApp,
    headers: SessionHeaders,
    remoteAddress: string,
    client: string,
  ): Promise<number> => {
    const all = { ...headers, 'session-id': 'guess', 'x-forwarded-for': client };
    return (await at.app.inject({ url: '/session', headers: all, remoteAddress })).statusCode;
  };
  const guessOften = async (...given: Parameters<typeof guess>): Promise<number> => {
    let last = 0;
    for (let count = 0; count < 70; count += 1) last = await guess(...given);
    return last;
  };

  it('[AU3.3] wrong credentials are limited by the address of the client', async () => {
    const behind = await startTestApp({ trustedProxies: ['10.0.0.0/8'] });
    try {
      const headers = await behind.session();
      expect(await guessOften(behind, headers, '10.1.2.3', '192.0.2.1')).toBe(429);
      expect(await guess(behind, headers, '10.3.2.1', '192.0.2.1')).toBe(429);
      expect(await guess(behind, headers, '10.1.2.3', '192.0.2.2')).toBe(404);
      // What a client itself wrote into the header is not the last address in it.
      expect(await guess(behind, headers, '10.1.2.3', '192.0.2.9, 192.0.2.1')).toBe(429);
    } finally {
      await behind.close();
    }
  });

  it('[AU3.3] that is not named, the header of a stranger is not believed', async () => {
    const behind = await startTestApp({ trustedProxies: ['10.0.0.0/8'] });
    try {
      const headers = await behind.session();
      expect(await guessOften(behind, headers, '192.0.2.7', '192.0.2.1')).toBe(429);
      expect(await guess(behind, headers, '192.0.2.7', '192.0.2.2')).toBe(429);
      expect(await guess(behind, headers, '192.0.2.1', '192.0.2.7')).toBe(404);
    } finally {
      await behind.close();
    }
  });
});

describe('API key', () => {
  it('[AU4.1] is needed to create a session, and for nothing of one session', async () => {
    const keyed = await startTestApp({ apiKey: 'right' });
    try {
      const refused = { status: 401, body: { statusCode: 401, message: 'invalid api key' } };
      expect(await keyed.call('POST', '/session', { body: 'not json' })).toMatchObject(refused);
      expect(await keyed.call('POST', '/session', { headers: { 'x-api-key': 'wrong' } })).toMatchObject(refused);
      const created = await keyed.call('POST', '/session', { headers: { 'x-api-key': 'right' } });
      expect(created.status).toBe(200);
      const headers = { id: String(created.body['id']), 'session-id': String(created.body['sessionId']) };
      expect((await keyed.call('GET', '/session', { headers })).status).toBe(200);
      expect((await keyed.call('GET', '/health/ready')).status).toBe(200);
    } finally {
      await keyed.close();
    }
  });

  it('[AU4.2] is not asked for where none is configured', async () => {
    expect((await gate.call('POST', '/session')).status).toBe(200);
  });
});

describe('the log', () => {
  it('[OP7.1] has one line a request, with its id and its session, and no secret', async () => {
    const headers = await gate.session({
      name: 'n4me-marker',
      webhook: { url: 'https://h.example', token: 't0ken-marker' },
    });
    gate.logLines.length = 0;
    const body = { password: 'p4ssword-marker' };
    await gate.call('POST', '/session/password?q=qu3ry-marker', {
      headers: { ...headers, 'x-api-key': 'k3y-marker' },
      body,
    });
    await gate.call('POST', '/session', { body: '{"name":"b0dy-marker"' });
    expect(gate.logLines.map((line) => JSON.parse(line))).toMatchObject([
      { method: 'POST', path: '/session/password', status: 400, session: headers.id, reqId: expect.any(String) },
      { method: 'POST', path: '/session', status: 400, reqId: expect.any(String) },
    ]);
    expect(gate.logLines.join('')).not.toContain('marker');
    expect(gate.logLines.join('')).not.toContain(headers['session-id']);
  });
});
