import { once } from 'node:events';
import type { Socket } from 'node:net';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import { channelPath } from '../../../../src/hop/channel/node-channels.ts';
import { hopHeader, signHop } from '../../../../src/hop/hop-header.ts';
import { digestOf } from '../../../../src/hop/node-calls.ts';
import { NodeConnections } from '../../../../src/hop/node-connections.ts';
import { hasOpenRequests } from '../../../../src/http/shared/open-requests.ts';
import type { TelegramAccount } from '../../../../src/telegram/port/account.ts';
import { openFakeNode } from '../../../support/cluster/fake-node.ts';
import { clusterKey, openTwoNodesWithSession, sendText, type TwoNodes } from '../../../support/cluster/two-nodes.ts';
import type { SessionHeaders } from '../../../support/gateway/http-app.ts';
import { settleNetwork, whileTimePasses } from '../../../support/kit/passing-time.ts';

/** Commands that come to the wrong one of two nodes, which has a channel to the right one. */

let nodes: TwoNodes;
let headers: SessionHeaders;
let sent: string[];
let account: TelegramAccount;
/** Of the requests that did not go through the channel. */
let alonePaths: () => string[];
/** The connections to the owner that have become WebSockets. */
let channels: Socket[];

const send = (text: string, more?: Record<string, string>, signal?: AbortSignal): Promise<Response> =>
  sendText(nodes.two, headers, text, more, signal);
/** Their answers wait until it is called. */
const holdSends = (): (() => void) => {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  account.sendText = async (_peer, { text }) => {
    await held;
    return sent.push(text);
  };
  return release;
};

beforeEach(async () => {
  ({ nodes, headers, account, sent } = await openTwoNodesWithSession());
  channels = [];
  nodes.one.gate.app.server.on('upgrade', (_request, socket: Socket) => channels.push(socket));
  await send('first');
  await settleNetwork();
  const dispatch = vi.spyOn(NodeConnections.prototype, 'dispatch');
  onTestFinished(() => dispatch.mockRestore());
  alonePaths = () => dispatch.mock.calls.map(([, { path }]) => path);
});

describe('a command at a node that has a channel to its owner', () => {
  it('[CL5.26] is answered through it, as all that come with it', async () => {
    const answers = await Promise.all(['a', 'b', 'c'].map((text) => send(text)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await Promise.all(answers.map((answer) => answer.json()))).toEqual(
      expect.arrayContaining([{ messageId: '2' }, { messageId: '3' }, { messageId: '4' }]),
    );
    expect(sent.toSorted()).toEqual(['a', 'b', 'c', 'first']);
    expect([alonePaths(), channels.length]).toEqual([[], 1]);
    expect(nodes.two.outcomes).toEqual(['answered', 'answered', 'answered', 'answered']);
  });

  it('[CL5.26] has the headers that it has without one', async () => {
    const passed = await send('hello');
    const own = await fetch(`${nodes.one.url}/message`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ user: '1002', type: 'text', text: 'hello' }),
    });
    const namesOf = (response: Response): string[] => [...response.headers.keys()].toSorted();
    expect(namesOf(passed)).toEqual(namesOf(own));
    expect(passed.headers.get('content-length')).toBe(own.headers.get('content-length'));
    expect(alonePaths()).toEqual([]);
  });

  it('[CL5.26] [CL5.1] has an error of the owner, and the ID of the first node', async () => {
    const response = await send('');
    expect([response.status, response.headers.get('x-error-code')]).toEqual([400, 'invalid_request']);
    await settleNetwork();
    const line = nodes.one.gate.logLines.findLast((one) => one.includes('"path":"/message"')) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({ reqId: response.headers.get('x-request-id'), status: 400 });
    expect(alonePaths()).toEqual([]);
  });

  it('[CL5.26] [CL5.1] has its body as it is', async () => {
    const text = 'ü€😀"\\'.repeat(100);
    expect((await send(text)).status).toBe(200);
    expect([sent.at(-1), alonePaths()]).toEqual([text, []]);
  });

  it('[CL5.26] [CL5.2] is passed on by no other node, and waits for its owner', async () => {
    nodes.one.cluster.placeOf = () => ({ kind: 'there', node: nodes.two.cluster.self });
    const answer = send('hello');
    await settleNetwork();
    expect(nodes.two.outcomes).toEqual(['answered', 'moved']);
    nodes.owners.set(headers.id, 'nowhere');
    await nodes.clock.advance(5_000);
    expect((await answer).status).toBe(500);
    expect(alonePaths()).toEqual([]);
  });

  it('[CL5.26] [CL5.22] ends at the owner when its caller leaves', async () => {
    const release = holdSends();
    const leaving = new AbortController();
    const answer = send('hello', {}, leaving.signal).catch(() => 'left');
    await settleNetwork();
    expect(hasOpenRequests(nodes.one.gate.app)).toBe(true);
    leaving.abort();
    await settleNetwork();
    expect(hasOpenRequests(nodes.one.gate.app)).toBe(false);
    expect([await answer, nodes.two.outcomes]).toEqual(['left', ['answered', 'answered']]);
    release();
    expect((await send('again')).status).toBe(200);
  });

  it.each([
    ['is not repeated', {}, 500],
    ['is not repeated if its key is empty', { 'idempotency-key': '' }, 500],
    ['is repeated if it has a key, and done once', { 'idempotency-key': 'key' }, 200],
  ])('[CL5.26] [CL5.4] whose connection breaks %s', async (_name, more: Record<string, string>, status) => {
    const release = holdSends();
    const answer = send('hello', more);
    await settleNetwork();
    channels[0]?.destroy();
    await settleNetwork();
    expect(nodes.two.outcomes[1]).toBe('lost');
    release();
    expect([(await whileTimePasses(nodes.clock, answer)).status, sent]).toEqual([status, ['first', 'hello']]);
  });

  it('[CL5.26] is answered if the owner ends, and what comes later goes elsewhere', async () => {
    const release = holdSends();
    const answer = send('hello');
    await settleNetwork();
    const closing = nodes.one.gate.app.close();
    await settleNetwork();
    expect(channels[0]?.destroyed).toBe(false);
    release();
    expect((await answer).status).toBe(200);
    await closing;
    expect(channels[0]?.destroyed).toBe(true);
    nodes.owners.set(headers.id, undefined);
  });

  it('[CL5.26] opens another one after it was closed for being idle', async () => {
    await nodes.clock.advance(60_000);
    await nodes.clock.advance(60_000);
    await settleNetwork();
    expect(channels[0]?.destroyed).toBe(true);
    await send('a');
    await settleNetwork();
    expect([alonePaths(), channels.length]).toEqual([['/message'], 2]);
    await send('b');
    expect(alonePaths()).toEqual(['/message']);
  });

  it('[CL5.26] is given up with it if the owner says nothing more', async () => {
    holdSends();
    const answer = send('hello');
    await settleNetwork();
    nodes.owners.set(headers.id, 'two');
    await nodes.clock.advance(3_500);
    expect((await answer).headers.get('x-error-code')).toBe('node_lost');
    await settleNetwork();
    expect(channels[0]?.destroyed).toBe(true);
  });
});

describe('a channel', () => {
  it('[CL5.26] is not needed: a node that knows none is asked without it', async () => {
    const asked: string[] = [];
    await openFakeNode(nodes.owners, headers.id, (socket, first) => {
      const isChannel = first.includes(channelPath);
      asked.push(isChannel ? 'channel' : 'message');
      const lines = isChannel
        ? ['HTTP/1.1 404 Not Found', 'content-length: 0']
        : ['HTTP/1.1 200 OK', 'content-length: 2'];
      socket.end(`${lines.join('\r\n')}\r\nconnection: close\r\n\r\n${isChannel ? '' : '{}'}`);
    });
    expect((await send('a')).status).toBe(200);
    await settleNetwork();
    expect((await send('b')).status).toBe(200);
    await settleNetwork();
    expect(asked).toEqual(['message', 'channel', 'message']);
  });

  it('[CL5.26] [CL5.2] is opened for nobody but another node', async () => {
    const hop = { from: 'two', to: 'one', at: nodes.clock.now(), reqId: 'request-1', client: '', waitMs: 0 };
    const target = { method: 'GET', url: channelPath };
    const statusOf = async (signed: string | undefined): Promise<number | undefined> => {
      const socket = new WebSocket(`${nodes.one.url.replace('http', 'ws')}${channelPath}`, {
        headers: signed === undefined ? {} : { [hopHeader]: signed },
      });
      socket.on('error', () => {});
      const [, answer] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode?: number }];
      socket.terminate();
      return answer.statusCode;
    };
    expect(await statusOf(undefined)).toBe(403);
    expect(await statusOf(signHop(clusterKey, hop, target))).toBe(403);
    expect(await statusOf(signHop('another key', { ...hop, digest: digestOf('') }, target))).toBe(403);
  });

  it('[CL5.26] [CL5.2] ends with the first message that is not sealed', async () => {
    const hop = { from: 'two', to: 'one', at: nodes.clock.now(), reqId: 'channel-1', client: '', waitMs: 0 };
    const signed = signHop(clusterKey, { ...hop, digest: digestOf('') }, { method: 'GET', url: channelPath });
    const socket = new WebSocket(`${nodes.one.url.replace('http', 'ws')}${channelPath}`, {
      headers: { [hopHeader]: signed },
    });
    socket.on('error', () => {});
    onTestFinished(() => socket.terminate());
    await once(socket, 'open');
    socket.send(Buffer.alloc(64));
    await once(socket, 'close');
    await settleNetwork();
    expect(sent).toEqual(['first']);
  });
});
