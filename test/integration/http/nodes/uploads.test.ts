import { once } from 'node:events';
import { type ClientRequest, createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { digestOf } from '../../../../src/hop/node-calls.ts';
import { openFakeNode } from '../../../support/cluster/fake-node.ts';
import { openTwoNodes, type TwoNodes } from '../../../support/cluster/two-nodes.ts';
import type { SessionHeaders } from '../../../support/gateway/http-app.ts';
import { settleNetwork } from '../../../support/kit/passing-time.ts';

/** Uploads that come to a node before the owner of their session can be reached. */

let nodes: TwoNodes;
let headers: SessionHeaders;

beforeEach(async () => {
  nodes = await openTwoNodes();
  headers = await nodes.one.gate.session();
  await nodes.one.gate.connect(headers);
  // It is said to be the owner, and nothing listens there.
  await (await openFakeNode(nodes.owners, headers.id)).close();
});

const chunkBytes = 65_536;

const beginUpload = (more: Record<string, number> = {}): ClientRequest =>
  request(`${nodes.two.url}/file?name=long`, {
    method: 'POST',
    agent: false,
    headers: { ...headers, 'content-type': 'text/plain', ...more },
  });

async function missTheOwner(): Promise<void> {
  await settleNetwork();
  await nodes.clock.advance(100);
  await settleNetwork();
  await nodes.clock.advance(100);
  await settleNetwork();
  expect(nodes.two.outcomes).toEqual(['unreached', 'unreached', 'unreached']);
}

/** In the place of the first node: answers with the digest of what it gets. */
async function listenForBodies(): Promise<void> {
  const server = createServer((asked, response) => void buffer(asked).then((body) => response.end(digestOf(body))));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  Object.assign(nodes.one.cluster.self, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

it.each([
  ['of a length that is known', { 'content-length': 10 * chunkBytes }],
  ['in chunks', {}],
])('[CL5.4] an upload %s is whole at the owner that is reached in the end', async (_name, more) => {
  await listenForBodies();
  const chunks = Array.from({ length: 10 }, (_, number) => Buffer.alloc(chunkBytes, number));
  const upload = beginUpload(more);
  for (const chunk of chunks.slice(0, 5)) upload.write(chunk);
  await missTheOwner();
  nodes.owners.set(headers.id, 'one');
  for (const chunk of chunks.slice(5)) upload.write(chunk);
  const [response] = (await once(upload.end(), 'response')) as [IncomingMessage];
  expect(await text(response)).toBe(digestOf(Buffer.concat(chunks)));
  expect(nodes.two.outcomes.at(-1)).toBe('answered');
});

it.each([
  // Node reads on, and finds that the connection is closed.
  ['at once', 10, []],
  // Node reads nothing more while the beginning waits to be read.
  ['when its body is read', 10 * chunkBytes, ['answered']],
])('[CL5.22] an upload whose caller has left ends %s', async (_name, bytes, last) => {
  const upload = beginUpload().on('error', () => {});
  upload.write(Buffer.alloc(bytes));
  await missTheOwner();
  upload.destroy();
  await settleNetwork();
  nodes.owners.set(headers.id, 'one');
  await settleNetwork();
  expect(nodes.two.outcomes.slice(3)).toEqual(last);
});

it('[CL5.3] an upload whose owner is never reached is 500 with Retry-After', async () => {
  const upload = beginUpload().on('error', () => {});
  upload.write(Buffer.alloc(chunkBytes));
  await missTheOwner();
  const answer = once(upload, 'response') as Promise<[IncomingMessage]>;
  await nodes.clock.advance(5_000);
  await settleNetwork();
  const [response] = await answer;
  expect([response.statusCode, response.headers['retry-after']]).toEqual([500, '2']);
});
