import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isLoopback } from '../../../../src/config/addresses.ts';
import { startTestApp, type TestApp } from '../../../support/gateway/http-app.ts';
import { lookOn, refused } from '../../../support/inspector/inspector-messages.ts';
import { useListeningApp } from '../../../support/inspector/listening-app.ts';

/** A gateway without an API key, and the pages of other sites that a browser of its machine shows. */

const ownAddresses = { isLoopback, publicUrl: 'https://gate.example:8443/below' };
const hostRefused = { status: 403, body: { statusCode: 403, message: 'host not allowed' } };
const originRefused = { status: 403, body: { statusCode: 403, message: 'origin not allowed' } };

describe('without an API key', () => {
  let gate: TestApp;
  beforeAll(async () => {
    gate = await startTestApp({ ownAddresses });
  });
  afterAll(() => gate.close());

  it.each([
    'localhost',
    'LOCALHOST:3000',
    '127.0.0.1:3000',
    '127.9.8.7',
    '[::1]:3000',
    'gate.example',
    'Gate.Example:8443',
  ])('[AU5.1] answers at %s', async (host) => {
    expect((await gate.call('POST', '/session', { headers: { host } })).status).toBe(200);
    expect((await gate.call('GET', '/health/live', { headers: { host } })).status).toBe(200);
  });

  it.each([
    'evil.example',
    'evil.example:3000',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'evil.example#localhost',
    'localhost@evil.example',
    'gate.example.evil.example',
    '10.0.0.1',
    '[::ffff:10.0.0.1]',
    '0.0.0.0',
  ])('[AU5.1] answers nothing to a page that calls it %s', async (host) => {
    for (const [method, url] of [
      ['POST', '/session'],
      ['GET', '/session'],
      ['GET', '/sessions'],
      ['GET', '/metrics'],
      ['GET', '/health/ready'],
      ['GET', '/console'],
      ['GET', '/docs/json'],
      ['GET', '/inspector'],
      ['GET', '/media/any'],
      ['GET', '/nowhere'],
      ['OPTIONS', '/session'],
    ] as const) {
      const { statusCode, body } = await gate.app.inject({ method, url, headers: { host } });
      expect({ url, status: statusCode, body: JSON.parse(body) }).toEqual({ url, ...hostRefused });
    }
  });

  it.each([
    [{ origin: 'https://evil.example' }],
    [{ origin: 'http://localhost:3001' }],
    [{ origin: 'null' }],
    [{ origin: 'https://gate.example' }],
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'cross-site', origin: 'http://localhost:3000' }],
  ])('[AU5.2] a page of another site changes nothing: %o', async (told) => {
    const headers = { host: 'localhost:3000', ...told };
    const session = await gate.session();
    expect(await gate.call('POST', '/session', { headers })).toMatchObject(originRefused);
    expect(await gate.call('DELETE', '/session', { headers: { ...headers, ...session } })).toMatchObject(originRefused);
    expect((await gate.call('GET', '/session', { headers: { ...headers, ...session } })).status).toBe(200);
  });

  it.each([
    [{ origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' }],
    [{ origin: 'https://gate.example:8443', 'sec-fetch-site': 'same-origin' }],
    [{ 'sec-fetch-site': 'none' }],
  ])('[AU5.2] its own pages go on: %o', async (told) => {
    const headers = { host: 'localhost:3000', ...told };
    expect((await gate.call('POST', '/session', { headers })).status).toBe(200);
  });
});

describe('a WebSocket', () => {
  const on = useListeningApp();

  it('[AU5.2] is closed to pages of other sites', async () => {
    await on.restart({ ownAddresses });
    expect(await refused(`${on.url}/inspector`, [], { origin: 'https://evil.example' })).toEqual(originRefused);
    expect(await refused(`${on.url}/inspector`, [], { headers: { 'sec-fetch-site': 'cross-site' } })).toEqual(
      originRefused,
    );
    expect(await refused(`${on.url}/inspector`, [], { headers: { host: 'evil.example' } })).toEqual(hostRefused);
    await lookOn(`${on.url}/inspector`, [], { origin: on.url });
  });
});

it.each([[{ apiKey: 'right' }], [{}]])(
  '[AU5.1] with a key, or open on purpose, any address is its own: %o',
  async (options) => {
    const gate = await startTestApp(options);
    try {
      const headers = { host: 'gate.example', origin: 'https://elsewhere.example', 'x-api-key': 'right' };
      expect((await gate.call('POST', '/session', { headers })).status).toBe(200);
    } finally {
      await gate.close();
    }
  },
);
