import { afterAll, beforeAll, expect, it } from 'vitest';
import { allowedHosts } from '../../../src/outbound/allowed-hosts.ts';
import { createOutbound } from '../../../src/outbound/outbound.ts';
import { createDrivenClock } from '../../support/kit/clock.ts';
import { startWebServer, type WebServer } from '../../support/kit/web-server.ts';

let server: WebServer;
beforeAll(async () => {
  server = await startWebServer((_request, response) => response.end());
});
afterAll(() => server.close());

/** Posts to a host whose name has these addresses; `true`, or why it was refused. */
async function reaches(host: string, hosts: readonly string[], addresses = ['127.0.0.1']): Promise<unknown> {
  const outbound = createOutbound({
    clock: createDrivenClock(),
    allowPrivate: false,
    isAllowedHost: allowedHosts(hosts),
    resolve: () => Promise.resolve(addresses),
  });
  try {
    await outbound.post(`http://${host}:${server.port}/`, {
      sessionId: 'one',
      body: '{}',
      headers: {},
      timeoutMs: 10_000,
    });
    return true;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await outbound.close();
  }
}

const refused = 'its address is not public';

it('[SR1.7] a listed name is connected to, and no other', async () => {
  expect(await reaches('n8n', ['n8n'])).toBe(true);
  expect(await reaches('n8n', ['N8N.'])).toBe(true);
  expect(await reaches('other', ['n8n'])).toBe(refused);
  expect(await reaches('n8n.other', ['n8n'])).toBe(refused);
  expect(await reaches('127.0.0.1', ['n8n'])).toBe(refused);
  expect(await reaches('n8n', [])).toBe(refused);
});

it('[SR1.7] a listed address or range is connected to by any name, and nothing beside it', async () => {
  expect(await reaches('other', ['127.0.0.0/8'])).toBe(true);
  expect(await reaches('127.0.0.1', ['127.0.0.1'])).toBe(true);
  expect(await reaches('other', ['127.0.0.2', '10.0.0.0/8', '::1', 'fd00::/8'])).toBe(refused);
});

it('[SR1.7] a name is refused if one of its addresses is not listed', async () => {
  expect(await reaches('other', ['127.0.0.1'], ['127.0.0.1', '10.1.2.3'])).toBe(refused);
  expect(await reaches('other', ['127.0.0.1', '10.0.0.0/8'], ['127.0.0.1', '10.1.2.3'])).toBe(true);
});
