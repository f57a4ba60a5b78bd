import { once } from 'node:events';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { allPartitions } from '../../../../actors/ports/ownership.ts';
import { channelPath } from '../../../../src/hop/channel/node-channels.ts';
import { type Hop, hopHeader, signHop } from '../../../../src/hop/hop-header.ts';
import type { TelegramAccount } from '../../../../src/telegram/port/account.ts';
import { type FakeNode, openFakeNode } from '../../../support/cluster/fake-node.ts';
import {
  clusterKey,
  openTwoNodes,
  openTwoNodesWithSession,
  type TwoNodes,
} from '../../../support/cluster/two-nodes.ts';
import type { SessionHeaders } from '../../../support/gateway/http-app.ts';
import { settleNetwork, whileTimePasses } from '../../../support/kit/passing-time.ts';

/** Requests that come to the wrong one of two nodes. */

let nodes: TwoNodes;
let headers: SessionHeaders;
let sent: string[];
let account: TelegramAccount;

beforeEach(async () => {
  ({ nodes, headers, account, sent } = await openTwoNodesWithSession());
});

const send = (text: string, more: Record<string, string> = {}): Promise<Response> =>
  fetch(`${nodes.two.url}/message`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', ...more },
    body: JSON.stringify({ user: '1002', type: 'text', text }),
  });
const lineOf = ({ gate }: { gate: { logLines: string[] } }): Record<string, unknown> =>
  JSON.parse(
    gate.logLines.findLast((line) => line.includes('"msg":"request"') && !line.includes(channelPath)) ?? '{}',
  ) as Record<string, unknown>;

describe('a request at the wrong node', () => {
  it('[CL5.1] is answered by the owner', async () => {
    const response = await send('hello');
    expect([response.status, sent]).toEqual([200, ['hello']]);
    expect(await response.json()).toMatchObject({ messageId: '1' });
    expect(nodes.two.outcomes).toEqual(['answered']);
  });

  it('[CL6.2] is counted', async () => {
    await send('hello');
    const metrics = await (await fetch(`${nodes.two.url}/metrics`)).text();
    expect(metrics).toContain('gateway_forwarded_requests_total{outcome="answered"} 1');
    expect(metrics).toContain('gateway_forwarded_requests_total{outcome="lost"} 0');
  });

  it('[CL5.1] has an error of the owner', async () => {
    const response = await send('');
    expect(response.status).toBe(400);
    expect(response.headers.get('x-error-code')).toBe('invalid_request');
    expect(nodes.two.outcomes).toEqual(['answered']);
  });

  it('[CL5.1] is refused at once with a wrong secret', async () => {
    expect((await send('hello', { 'session-id': 'wrong' })).status).toBe(404);
    expect(nodes.two.outcomes).toEqual([]);
  });

  it('[CL5.1] keeps its ID and its address, and both logs name the node that answered', async () => {
    const response = await send('hello');
    const id = response.headers.get('x-request-id');
    await settleNetwork();
    const lines = [lineOf(nodes.one), lineOf(nodes.two)];
    expect(lines).toMatchObject([
      { reqId: id, answeredBy: 'one', path: '/message', status: 200 },
      { reqId: id, answeredBy: 'one', path: '/message', status: 200 },
    ]);
  });

  it('[CL5.1] is one of the owner’s log, its own answers too', async () => {
    await fetch(`${nodes.two.url}/session`, { headers: { ...headers } });
    await settleNetwork();
    expect(lineOf(nodes.two)).toMatchObject({ answeredBy: 'two', path: '/session' });
  });

  it('[CL5.1] streams an upload through', async () => {
    let chunks = 0;
    const body = new ReadableStream({
      pull(controller) {
        chunks += 1;
        if (chunks > 40) controller.close();
        else controller.enqueue(new Uint8Array(16_384).fill(chunks));
      },
    });
    const response = await fetch(`${nodes.two.url}/file?name=long`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'text/plain' },
      body,
      duplex: 'half',
    });
    expect(await response.json()).toMatchObject({ size: 40 * 16_384, name: 'long', mimetype: 'text/plain' });
  });

  it('[CL5.1] with a body that is too large is refused as at the owner', async () => {
    const response = await send('x'.repeat(40 * 1024 * 1024));
    expect([response.status, await response.json()]).toEqual([
      413,
      { statusCode: 413, message: 'request body is too large' },
    ]);
  });

  it('[CL5.1] is a stream of events, which ends with this node', async () => {
    const response = await fetch(`${nodes.two.url}/session/messages/stream?reader=r`, { headers: { ...headers } });
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const reader = response.body?.getReader() as ReadableStreamDefaultReader<Uint8Array>;
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('retry: 2000\n\n');
    const closing = nodes.two.gate.app.close();
    expect((await reader.read()).done).toBe(true);
    await closing;
  });

  it('[CL5.1] is a WebSocket, which the owner may refuse', async () => {
    const url = nodes.two.url.replace('http', 'ws');
    const open = (path: string): WebSocket => {
      const socket = new WebSocket(`${url}${path}`, { headers: { ...headers } });
      socket.on('error', () => {});
      onTestFinished(() => socket.terminate());
      return socket;
    };
    const socket = open('/session/messages?reader=r');
    await once(socket, 'open');
    // Only the owner can know that this is no acknowledgement.
    socket.send('nonsense');
    expect((await once(socket, 'close')) as unknown[]).toEqual([1003, Buffer.from('an ack is needed')]);
    const refused = open('/session/messages?reader=%20');
    const [, answer] = (await once(refused, 'unexpected-response')) as [unknown, { statusCode: number }];
    expect(answer.statusCode).toBe(400);
    await settleNetwork();
    expect(nodes.two.outcomes).toEqual(['answered', 'answered']);
  });

  it('[CL5.1] is passed to an IPv6 address', async () => {
    const { one, two } = await openTwoNodes('::1');
    const own = await one.gate.session();
    await one.gate.connect(own, account);
    expect((await fetch(`${two.url}/session/webhooks`, { headers: { ...own } })).status).toBe(200);
    const socket = new WebSocket(`${two.url.replace('http', 'ws')}/session/messages?reader=r`, { headers: { ...own } });
    onTestFinished(() => socket.terminate());
    await once(socket, 'open');
    expect(two.outcomes).toEqual(['answered']);
  });
});

describe('while a session changes hands', () => {
  it('[CL5.3] a request waits for the next owner', async () => {
    nodes.owners.set(headers.id, undefined);
    const answer = send('hello');
    await settleNetwork();
    await nodes.clock.advance(4_000);
    nodes.owners.set(headers.id, 'one');
    expect([(await answer).status, sent]).toEqual([200, ['hello']]);
  });

  it('[CL5.3] a request whose node becomes the owner is answered there, with the body that it had read', async () => {
    nodes.owners.set(headers.id, undefined);
    const answer = send('hello');
    await settleNetwork();
    await nodes.one.gate.sessions.release(allPartitions);
    await nodes.two.gate.sessions.take({ has: (id) => nodes.two.cluster.owns(id), numbers: [0] });
    nodes.owners.set(headers.id, 'two');
    await nodes.two.gate.sessions.take({ has: (id) => id === headers.id, numbers: [0] });
    const response = await whileTimePasses(nodes.clock, answer);
    // Its account does not connect there.
    expect([response.status, await response.json()]).toEqual([
      500,
      { statusCode: 500, message: 'session not connected' },
    ]);
  });

  it('[CL5.3] after 5 seconds a request is 500 with Retry-After', async () => {
    nodes.owners.set(headers.id, undefined);
    const answer = send('hello');
    await settleNetwork();
    await nodes.clock.advance(5_000);
    const response = await answer;
    expect([response.status, response.headers.get('retry-after')]).toEqual([500, '2']);
    expect(response.headers.get('x-error-code')).toBe('session_not_active');
  });

  it('[CL5.3] a view is answered all the same', async () => {
    nodes.owners.set(headers.id, undefined);
    const response = await fetch(`${nodes.two.url}/session`, { headers: { ...headers } });
    expect([response.status, await response.json()]).toMatchObject([200, { id: headers.id, isConnected: true }]);
  });

  it('[CL5.2] a node that is not the owner passes nothing on', async () => {
    // The second node believes that it is the first one's, which knows that it is the second one's.
    nodes.one.cluster.placeOf = () => ({ kind: 'there', node: nodes.two.cluster.self });
    const answer = send('hello');
    await settleNetwork();
    expect(nodes.two.outcomes).toEqual(['moved']);
    await nodes.clock.advance(100);
    await settleNetwork();
    expect(nodes.two.outcomes).toEqual(['moved', 'moved']);
    expect(nodes.one.outcomes).toEqual([]);
    nodes.owners.set(headers.id, 'nowhere');
    await nodes.clock.advance(5_000);
    expect((await answer).status).toBe(500);
  });
});

describe('a node that goes away', () => {
  const lose = (): Promise<FakeNode> => openFakeNode(nodes.owners, headers.id, (socket) => socket.destroy());

  it('[CL5.4] leaves a request undone that it may have done: 500, and nothing is repeated', async () => {
    await lose();
    const response = await send('hello');
    expect([response.status, response.headers.get('retry-after')]).toEqual([500, '1']);
    expect(response.headers.get('x-error-code')).toBe('node_lost');
    expect(nodes.two.outcomes).toEqual(['lost']);
  });

  it('[CL5.4] has a request with a key repeated at the next owner', async () => {
    await lose();
    const answer = send('hello', { 'idempotency-key': 'key' });
    await settleNetwork();
    expect(nodes.two.outcomes).toEqual(['lost']);
    nodes.owners.set(headers.id, 'one');
    await settleNetwork();
    expect([(await answer).status, sent]).toEqual([200, ['hello']]);
  });

  it('[CL5.4] has a request repeated that changes nothing', async () => {
    await lose();
    const answer = fetch(`${nodes.two.url}/session/pace`, { headers: { ...headers } });
    await settleNetwork();
    nodes.owners.set(headers.id, 'one');
    expect((await answer).status).toBe(200);
  });

  it('[CL5.4] has a request repeated that never reached it', async () => {
    const fake = await openFakeNode(nodes.owners, headers.id);
    await fake.close();
    const answer = send('hello');
    await settleNetwork();
    expect(nodes.two.outcomes[0]).toBe('unreached');
    nodes.owners.set(headers.id, 'one');
    expect([(await answer).status, sent]).toEqual([200, ['hello']]);
  });

  it('[CL5.4] and says nothing is not waited for once the session has another owner', async () => {
    await openFakeNode(nodes.owners, headers.id);
    const answer = send('hello');
    await settleNetwork();
    await nodes.clock.advance(60_000);
    nodes.owners.set(headers.id, 'one');
    await nodes.clock.advance(3_500);
    expect((await answer).headers.get('x-error-code')).toBe('node_lost');
  });
});

describe('a hop', () => {
  const target = { method: 'GET', url: '/session/pace' };
  const hopOf = (changes: Partial<Hop> = {}): Hop => ({
    from: 'two',
    to: 'one',
    at: nodes.clock.now(),
    reqId: 'request-1',
    client: '192.0.2.1',
    waitMs: 0,
    ...changes,
  });
  const call = (hop: string): Promise<Response> =>
    fetch(`${nodes.one.url}${target.url}`, { headers: { ...headers, [hopHeader]: hop } });

  it('[CL5.2] is believed if it is signed, and proves nothing about the caller', async () => {
    const signed = signHop(clusterKey, hopOf(), target);
    const response = await call(signed);
    expect([response.status, response.headers.get('x-request-id')]).toEqual([200, 'request-1']);
    const stranger = await fetch(`${nodes.one.url}${target.url}`, {
      headers: { id: headers.id, 'session-id': 'wrong', [hopHeader]: signed },
    });
    expect(stranger.status).toBe(404);
    await settleNetwork();
    expect(lineOf(nodes.one)).toMatchObject({ reqId: 'request-1', client: '192.0.2.1', status: 404 });
  });

  it('[CL5.2] is refused if it is forged, of another request, or old', async () => {
    const refused = await Promise.all(
      [
        signHop('another key', hopOf(), target),
        signHop(clusterKey, hopOf(), { ...target, method: 'DELETE' }),
        signHop(clusterKey, hopOf(), { ...target, url: '/session' }),
        signHop(clusterKey, hopOf({ at: nodes.clock.now() - 300_001 }), target),
        'nonsense',
        `${signHop(clusterKey, hopOf(), target)}.more`,
      ].map(call),
    );
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403]);
    expect(await refused[3]?.json()).toEqual({ statusCode: 403, message: 'x-gateway-hop is stale' });
  });

  it('[CL5.2] to a node of another start is 421', async () => {
    expect((await call(signHop(clusterKey, hopOf({ to: 'one, before' }), target))).status).toBe(421);
  });
});
