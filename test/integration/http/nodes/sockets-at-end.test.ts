import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openTwoNodesWithSession, type TwoNodes } from '../../../support/cluster/two-nodes.ts';
import type { SessionHeaders } from '../../../support/gateway/http-app.ts';
import { passTime, settleNetwork } from '../../../support/kit/passing-time.ts';

/** WebSockets whose handshake is under way when their node ends. */

let nodes: TwoNodes;
let headers: SessionHeaders;

beforeEach(async () => {
  ({ nodes, headers } = await openTwoNodesWithSession());
});

const ids = (): string => `id: ${headers.id}\r\nsession-id: ${headers['session-id']}\r\n`;
const upgrade = `connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${Buffer.alloc(16).toString('base64')}\r\n\r\n`;

async function begin(url: string, path: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.write(`GET ${path} HTTP/1.1\r\nhost: ${new URL(url).host}\r\n`);
  await settleNetwork();
  return socket;
}

describe('a node that ends', () => {
  it.each(['/inspector', '/session/messages?reader=r'])('[OP2.2] is not held up by a late %s', async (path) => {
    const socket = await begin(nodes.one.url, path);
    const closing = nodes.one.gate.app.close();
    await settleNetwork();
    socket.write(`${ids()}${upgrade}`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toContain('the service is shutting down');
    socket.end();
    await passTime(nodes.clock, 2_000);
    await closing;
    nodes.owners.set(headers.id, undefined);
  });

  it('[OP2.2] [CL5.3] is not held up by a WebSocket that waits for its owner', async () => {
    nodes.owners.set(headers.id, 'nowhere');
    const socket = await begin(nodes.two.url, '/session/messages?reader=r');
    socket.write(`${ids()}${upgrade}`);
    await settleNetwork();
    const closing = nodes.two.gate.app.close();
    await settleNetwork();
    nodes.owners.set(headers.id, 'one');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 500 [^]*retry-after/i);
    await passTime(nodes.clock, 2_000);
    await closing;
  });

  it('[OP2.2] [CL5.3] is not held up by a stream of events that waits for its owner', async () => {
    nodes.owners.set(headers.id, 'nowhere');
    const socket = await begin(nodes.two.url, '/session/messages/stream?reader=r');
    socket.write(`${ids()}\r\n`);
    await settleNetwork();
    const closing = nodes.two.gate.app.close();
    await settleNetwork();
    nodes.owners.set(headers.id, 'one');
    let answer = '';
    for await (const chunk of socket) {
      answer += String(chunk);
      // The last chunk.
      if (answer.endsWith('\r\n0\r\n\r\n')) break;
    }
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
    await closing;
  });
});
