import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { channelPath } from '../../../../src/hop/channel/node-channels.ts';
import { hopHeader, signHop } from '../../../../src/hop/hop-header.ts';
import { digestOf } from '../../../../src/hop/node-calls.ts';
import { NodeConnections } from '../../../../src/hop/node-connections.ts';
import type { TelegramAccount } from '../../../../src/telegram/port/account.ts';
import { ScriptedCluster } from '../../../support/cluster/scripted-cluster.ts';
import { clusterKey, openTwoNodesWithSession, sendText, type TwoNodes } from '../../../support/cluster/two-nodes.ts';
import type { SessionHeaders } from '../../../support/gateway/http-app.ts';
import { passTime, settleNetwork, whileTimePasses } from '../../../support/kit/passing-time.ts';

/** What a channel between nodes bears: callers that ask much, and another node that says nothing, or takes nothing. */

let nodes: TwoNodes;
let headers: SessionHeaders;
let sent: string[];
let account: TelegramAccount;
/** The requests that did not go through a channel. */
let alone: () => number;

beforeEach(async () => {
  ({ nodes, headers, sent, account } = await openTwoNodesWithSession());
  const dispatch = vi.spyOn(NodeConnections.prototype, 'dispatch');
  onTestFinished(() => dispatch.mockRestore());
  alone = () => dispatch.mock.calls.length;
});

const send = (text: string, more?: Record<string, string>, signal?: AbortSignal): Promise<Response> =>
  sendText(nodes.two, headers, text, more, signal);
const signedHandshake = (reqId: string): string => {
  const hop = { from: 'two', to: 'one', at: nodes.clock.now(), reqId, client: '', waitMs: 0 };
  return signHop(clusterKey, { ...hop, digest: digestOf('') }, { method: 'GET', url: channelPath });
};

/** An owner that answers what comes alone, and opens channels, in which it says nothing. */
async function openMuteOwner(): Promise<{ sockets: Socket[]; commands: string[] }> {
  const sockets: Socket[] = [];
  const commands: string[] = [];
  const server: Server = createServer((request: IncomingMessage, response) => {
    commands.push(String(request.url));
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  const channels = new WebSocketServer({ noServer: true, autoPong: false });
  server.on('upgrade', (request, socket: Socket, head) => {
    channels.handleUpgrade(request, socket, head, () => {
      sockets.push(socket);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  const owner = new ScriptedCluster('mute', nodes.owners, 0);
  Object.assign(owner.self, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  nodes.owners.set(headers.id, 'mute');
  await send('opens a channel');
  await settleNetwork();
  expect(sockets).toHaveLength(1);
  return { sockets, commands };
}

/** Sends a command whose caller leaves before it is answered. */
async function sendAndLeave(text: string): Promise<void> {
  const leaving = new AbortController();
  const answer = send(text, {}, leaving.signal).catch(() => 'left');
  await settleNetwork();
  leaving.abort();
  await answer;
  await settleNetwork();
}

describe('commands that come together', () => {
  it('[CL5.28] are all answered if their heads are long', async () => {
    const count = 100;
    await send('opens a channel');
    await settleNetwork();
    nodes.owners.set(headers.id, 'nowhere');
    const before = alone();
    const long = { 'x-long': 'ü'.repeat(15_000) };
    const answers = Promise.all(Array.from({ length: count }, () => send('hello', long)));
    await settleNetwork();
    nodes.owners.set(headers.id, 'one');
    expect(new Set((await answers).map(({ status }) => status))).toEqual(new Set([200]));
    expect([sent.length, alone()]).toEqual([count + 1, before]);
  });
});

describe('a command whose owner has a channel', () => {
  it('[CL5.28] goes alone while the owner takes nothing', async () => {
    const { sockets, commands } = await openMuteOwner();
    sockets[0]?.pause();
    for (let count = 0; commands.length === 1 && count < 100; count += 1) await sendAndLeave('x'.repeat(200_000));
    expect(commands).toEqual(['/message', '/message']);
  });

  it('[CL5.28] goes alone when the owner says nothing more', async () => {
    const { sockets, commands } = await openMuteOwner();
    const first = send('hello').catch(() => 'lost');
    await settleNetwork();
    expect(commands).toHaveLength(1);
    await nodes.clock.advance(5_000);
    expect((await send('hello')).status).toBe(200);
    expect(commands).toHaveLength(2);
    // What it was sent before, it may answer yet.
    expect(sockets[0]?.destroyed).toBe(false);
    sockets[0]?.destroy();
    expect(await first).toMatchObject({ status: 500 });
  });

  it.each([
    ['is 500 with the code node_lost', {}, 500, 'node_lost', 1],
    ['is repeated alone if it has a key', { 'idempotency-key': 'key' }, 200, null, 2],
  ] as const)(
    '[CL5.4] [CL5.28] %s after 10 seconds if the owner stays it, and answers no ping',
    async (_what, more, status, code, count) => {
      const { commands } = await openMuteOwner();
      const answer = send('hello', more);
      await settleNetwork();
      await nodes.clock.advance(5_000);
      await settleNetwork();
      expect(commands).toHaveLength(1);
      await nodes.clock.advance(5_000);
      await settleNetwork();
      expect(nodes.two.outcomes[1]).toBe('lost');
      const response = await whileTimePasses(nodes.clock, answer);
      expect([response.status, response.headers.get('x-error-code')]).toEqual([status, code]);
      expect(commands).toHaveLength(count);
    },
  );

  it('[CL5.28] is waited for as long as it takes while the owner answers pings, also in a channel for no more', async () => {
    let answerIt = (): void => {};
    await send('opens a channel');
    await settleNetwork();
    const answered = account.sendText.bind(account);
    account.sendText = async (...about) => {
      await new Promise<void>((resolve) => {
        answerIt = resolve;
      });
      return answered(...about);
    };
    const answer = send('hello');
    await settleNetwork();
    // It has been idle otherwise, and is closed when it is answered.
    await passTime(nodes.clock, 200_000);
    answerIt();
    expect((await answer).status).toBe(200);
    expect(nodes.two.outcomes).toEqual(['answered', 'answered']);
  });

  it('[CL5.28] goes through it for as long as the owner answers pings', async () => {
    await send('opens a channel');
    await settleNetwork();
    const before = alone();
    for (let count = 0; count < 20; count += 1) {
      await passTime(nodes.clock, 3_000);
      expect((await send('hello')).status).toBe(200);
    }
    expect(alone()).toBe(before);
  });
});

describe('a node', () => {
  it('[CL5.28] closes a channel in which nothing has come for 5 minutes', async () => {
    const socket = new WebSocket(`${nodes.one.url.replace('http', 'ws')}${channelPath}`, {
      headers: { [hopHeader]: signedHandshake('channel-1') },
    });
    socket.on('error', () => {});
    onTestFinished(() => socket.terminate());
    await once(socket, 'open');
    await passTime(nodes.clock, 299_000);
    expect(socket.readyState).toBe(WebSocket.OPEN);
    await passTime(nodes.clock, 1_000);
    expect(socket.readyState).toBe(WebSocket.CLOSED);
  });

  it('[CL5.28] ends, although another one opens a channel to it meanwhile', async () => {
    const { hostname, port } = new URL(nodes.one.url);
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    socket.write(`GET ${channelPath} HTTP/1.1\r\nhost: one\r\n${hopHeader}: ${signedHandshake('channel-1')}\r\n`);
    await settleNetwork();
    const closing = nodes.one.gate.app.close();
    await settleNetwork();
    socket.write('connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n');
    socket.write(`sec-websocket-key: ${Buffer.alloc(16).toString('base64')}\r\n\r\n`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 101 /);
    await passTime(nodes.clock, 1_000);
    await closing;
    nodes.owners.set(headers.id, undefined);
  });
});
