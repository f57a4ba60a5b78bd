import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytesOf, exchange, fetchHead } from '../../support/e2e/raw-http.ts';
import { openScene, type Scene } from '../../support/e2e/scene.ts';

/** Requests over a real socket that no client of good manners sends. */

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.close());

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
      'two hosts',
      'GET /session HTTP/1.1\r\nHost: 127.0.0.1\r\nhOST: 127.0.0.1\r\n\r\n',
      400,
      'host header is repeated',
    ],
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
  ])('[ER1.1] %s', async (_what, bytes, statusCode, message) => {
    const { status, headers, text } = await exchange(scene.gateway.url, bytes);
    expect([status, text]).toEqual([statusCode, `${JSON.stringify({ statusCode, message })}\n`]);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(headers['content-length']).toBe(String(Buffer.byteLength(text)));
    // Nothing of it has hurt.
    expect((await scene.gateway.http.request('GET', '/health/live')).status).toBe(200);
  });

  it('[ER1.1] 405 says what is allowed', async () => {
    const { headers } = await exchange(scene.gateway.url, bytesOf('PUT /session'));
    expect(headers['allow']).toBe('DELETE, GET, PATCH, POST');
    expect((await exchange(scene.gateway.url, bytesOf('GET /message'))).headers['allow']).toBe('DELETE, PATCH, POST');
  });

  it('[ER1.1] HEAD gets the head of the same answer', async () => {
    expect(await fetchHead(scene.gateway.url + '/message')).toMatchObject({
      status: 405,
      headers: { allow: 'DELETE, PATCH, POST' },
    });
    expect(await fetchHead(scene.gateway.url + '/nowhere')).toMatchObject({ status: 404 });
  });
});
