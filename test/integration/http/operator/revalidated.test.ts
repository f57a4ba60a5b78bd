import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { takesGzip } from '../../../../src/http/shared/revalidated.ts';
import { startTestApp, type TestApp } from '../../../support/gateway/http-app.ts';

let gate: TestApp;
beforeEach(async () => {
  gate = await startTestApp();
});
afterEach(() => gate.close());

const get = (url: string, headers: Record<string, string> = {}) => gate.app.inject({ url, headers });

it('[OS3.3] a long list has a tag, is 304 while it stays so, and is compressed for who takes it', async () => {
  const first = await gate.session();
  const short = await get('/sessions');
  expect([short.headers['etag'], short.headers['cache-control']]).toEqual([undefined, 'no-store']);
  for (let count = 0; count < 5; count += 1) await gate.session();
  for (const url of ['/sessions', '/docs/json']) {
    const plain = await get(url);
    const tag = String(plain.headers['etag']);
    expect(plain.body.length).toBeGreaterThan(1024);
    expect(tag).toMatch(/^"[\w-]{43}"$/);
    expect(plain.headers).toMatchObject({
      'cache-control': 'private, no-cache',
      vary: expect.stringContaining('x-api-key'),
    });
    const known = await get(url, { 'if-none-match': tag });
    expect([known.statusCode, known.body, known.headers['etag']]).toEqual([304, '', tag]);

    const packed = await get(url, { 'accept-encoding': 'br, gzip' });
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', etag: `W/${tag}` });
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2);
    expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body);
    const again = await get(url, { 'accept-encoding': 'gzip', 'if-none-match': `W/${tag}` });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  }
  const before = String((await get('/sessions')).headers['etag']);
  await gate.call('DELETE', '/session', { headers: first });
  expect((await get('/sessions', { 'if-none-match': before })).statusCode).toBe(200);
});

it('[OS3.3] [AU6.1] what has a secret or a person in it is neither kept nor compressed', async () => {
  const headers = await gate.session({ metadata: { note: 'x'.repeat(2000) } });
  const { headers: answer, body } = await get('/session', { ...headers, 'accept-encoding': 'gzip' });
  expect(body.length).toBeGreaterThan(1024);
  expect([answer['cache-control'], answer['etag'], answer['content-encoding']]).toEqual([
    'no-store',
    undefined,
    undefined,
  ]);
});

it.each<[string | undefined, boolean]>([
  [undefined, false],
  ['', false],
  ['gzip', true],
  ['br, GZIP;q=0.5', true],
  ['*', true],
  ['*;q=0', false],
  ['gzip;q=0, *', false],
  ['gzip; q=0.000', false],
  ['identity, br', false],
])('[OS3.3] a client with Accept-Encoding %j', (header, isTaken) => {
  expect(takesGzip(header)).toBe(isTaken);
});
