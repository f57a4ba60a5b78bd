import { once } from 'node:events';
import { request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createSecureContext, createServer } from 'node:tls';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import { openFakeNode } from '../../../support/cluster/fake-node.ts';
import { openTwoNodes, type TwoNodes } from '../../../support/cluster/two-nodes.ts';
import type { SessionHeaders } from '../../../support/gateway/http-app.ts';
import { settleNetwork } from '../../../support/kit/passing-time.ts';
import { testCertificate, testCertificateKey } from '../../../support/outbound/test-certificate.ts';

/** A node behind a proxy that ends TLS. */

let nodes: TwoNodes;
let headers: SessionHeaders;
/** The names that connections to the proxy came for; false: none. */
let named: (string | false | null)[];

beforeEach(async () => {
  nodes = await openTwoNodes();
  headers = await nodes.one.gate.session();
  await nodes.one.gate.connect(headers);
  named = [];
  // The certificate is nobody's but the test's.
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  onTestFinished(() => void vi.unstubAllEnvs());
});

/** @param host in the URL of the first node */
async function putTlsBefore(host: string): Promise<void> {
  const { port } = new URL(nodes.one.url);
  const identity = { key: testCertificateKey, cert: testCertificate };
  const open = new Set<Socket>();
  const proxy = createServer(
    { ...identity, SNICallback: (_name, done) => done(null, createSecureContext(identity)) },
    (socket) => {
      named.push(socket.servername);
      const inner = connect(Number(port), '127.0.0.1');
      for (const side of [socket, inner]) {
        open.add(side);
        side.on('error', () => {});
        side.once('close', () => {
          socket.destroy();
          inner.destroy();
        });
      }
      socket.pipe(inner).pipe(socket);
    },
  );
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    proxy.close();
  });
  Object.assign(nodes.one.cluster.self, { url: `https://${host}:${(proxy.address() as AddressInfo).port}` });
}

/** The caller's own name for the gateway is not the node's. */
async function askFor(host: string): Promise<number | undefined> {
  const asking = request(`${nodes.two.url}/session/pace`, { headers: { ...headers, host }, agent: false }).end();
  const [response] = (await once(asking, 'response')) as [{ statusCode?: number; resume: () => void }];
  response.resume();
  return response.statusCode;
}

it('[CL5.21] is reached under the name in its URL, whatever name the caller has for the gateway', async () => {
  await putTlsBefore('localhost');
  expect(await askFor('gateway.example')).toBe(200);
  expect(await askFor('gateway.test:3000')).toBe(200);
  await nodes.two.hops.seen.keysRead();
  // One connection is kept for all.
  expect(named).toEqual(['localhost']);
});

it('[CL5.21] has its WebSockets asked for under that name too', async () => {
  await putTlsBefore('localhost');
  const url = `${nodes.two.url.replace('http', 'ws')}/session/messages?reader=r`;
  const socket = new WebSocket(url, { headers: { ...headers, host: 'gateway.example' } });
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  expect(named).toEqual(['localhost']);
});

it.each([
  ['localhost', 'localhost'],
  ['127.0.0.1', false],
])('[CL5.21] [CL5.26] has a channel in TLS: %s', async (host, name) => {
  await putTlsBefore(host);
  let channels = 0;
  nodes.one.gate.app.server.on('upgrade', () => {
    channels += 1;
  });
  const command = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: '{}' };
  expect((await fetch(`${nodes.two.url}/message`, command)).status).toBe(400);
  await settleNetwork();
  expect([named, channels]).toEqual([[name, name], 1]);
  expect((await fetch(`${nodes.two.url}/message`, command)).status).toBe(400);
  expect(nodes.two.outcomes).toEqual(['answered', 'answered']);
});

it('[CL5.21] has no name in TLS if its URL has an address', async () => {
  await putTlsBefore('127.0.0.1');
  expect(await askFor('gateway.example')).toBe(200);
  await nodes.two.hops.seen.keysRead();
  expect(named).toEqual([false]);
});

it('[CL5.4] that takes no connection within a second is not reached, for a WebSocket too', async () => {
  // It takes the TCP connection, and never answers in TLS.
  await openFakeNode(nodes.owners, headers.id);
  const fake = nodes.owners.members.at(-1);
  Object.assign(fake?.self ?? {}, { url: fake?.self.url.replace('http', 'https') });
  const url = `${nodes.two.url.replace('http', 'ws')}/session/messages?reader=r`;
  const socket = new WebSocket(url, { headers: { ...headers } });
  onTestFinished(() => socket.terminate());
  const opened = once(socket, 'open');
  await settleNetwork();
  expect(nodes.two.outcomes).toEqual([]);
  await nodes.clock.advance(1_000);
  await settleNetwork();
  expect(nodes.two.outcomes).toEqual(['unreached']);
  nodes.owners.set(headers.id, 'one');
  await opened;
});
