import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { hasOpenRequests } from '../../../../src/http/shared/open-requests.ts';
import { startTestApp, type TestApp } from '../../../support/gateway/http-app.ts';

let test: TestApp;

beforeEach(async () => {
  test = await startTestApp();
  await test.app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => test.close());

it('[OP2.2] the request of a WebSocket is over when that has opened: no shutdown waits for one that was ever open', async () => {
  const headers = await test.session();
  const { port } = test.app.server.address() as AddressInfo;
  const client = new WebSocket(`ws://127.0.0.1:${port}/session/messages?reader=desk`, { headers });
  await once(client, 'open');
  expect(hasOpenRequests(test.app)).toBe(false);
  client.close();
  await once(client, 'close');
  expect(hasOpenRequests(test.app)).toBe(false);
});
