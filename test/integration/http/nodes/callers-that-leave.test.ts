import { once } from 'node:events';
import { type ClientRequest, type RequestOptions, request } from 'node:http';
import { connect } from 'node:net';
import { beforeEach, describe, expect, it } from 'vitest';
import { type FakeNode, openFakeNode } from '../../../support/cluster/fake-node.ts';
import { openTwoNodes, type TwoNodes } from '../../../support/cluster/two-nodes.ts';
import type { SessionHeaders } from '../../../support/gateway/http-app.ts';
import { settleNetwork } from '../../../support/kit/passing-time.ts';

/** Callers that leave a node that does not have their session. */

let nodes: TwoNodes;
let headers: SessionHeaders;

beforeEach(async () => {
  nodes = await openTwoNodes();
  headers = await nodes.one.gate.session();
  await nodes.one.gate.connect(headers);
});

const ask = (path: string, options: RequestOptions = {}): ClientRequest =>
  request(`${nodes.two.url}${path}`, {
    agent: false,
    ...options,
    headers: { ...headers, ...(options.headers as Record<string, string>) },
  }).on('error', () => {});
const json = { 'content-type': 'application/json' };
const upgrade = { connection: 'Upgrade', upgrade: 'websocket' };
const requests: [string, () => ClientRequest][] = [
  ['a request without a body', () => ask('/session/pace')],
  ['a body that has come', () => ask('/message', { method: 'POST', headers: { ...json, 'content-length': '2' } })],
  ['an upload', () => ask('/file?name=a', { method: 'POST', headers: { 'content-type': 'text/plain' } })],
  ['a WebSocket', () => ask('/session/messages?reader=r', { headers: upgrade })],
];
const begin = async (make: () => ClientRequest): Promise<ClientRequest> => {
  const asking = make();
  if (asking.getHeader('content-type') !== undefined) asking.write('{}');
  else asking.end();
  await settleNetwork();
  return asking;
};

describe('a caller that leaves', () => {
  it.each(requests)('[CL5.22] while its session changes hands has nothing passed on: %s', async (_name, make) => {
    nodes.owners.set(headers.id, undefined);
    const asking = await begin(make);
    asking.destroy();
    await settleNetwork();
    const fake = await openFakeNode(nodes.owners, headers.id);
    await settleNetwork();
    expect([fake.asked.length, nodes.two.outcomes]).toEqual([0, []]);
  });

  it.each(requests)('[CL5.22] while the owner works has it end there: %s', async (_name, make) => {
    const fake: FakeNode = await openFakeNode(nodes.owners, headers.id);
    const asking = await begin(make);
    expect(fake.asked).toHaveLength(1);
    const ended = once(fake.asked[0] ?? asking, 'close');
    asking.destroy();
    await ended;
    await settleNetwork();
    expect(nodes.two.outcomes).toEqual(['answered']);
  });

  it.each([
    ['[CL5.22] after its WebSocket was refused, and said more meanwhile', '/session/messages?reader=r', 'and ends'],
    ['[ER1.5] after its WebSocket was refused, and does not end it', '/session/messages?reader=r', 'and stays'],
    ['[ER1.5] after its handshake was no proper one, and does not end it', '/inspector', 'and stays'],
  ])('%s, keeps no connection', async (_name, path, how) => {
    const { server } = nodes.two.gate.app;
    const { port } = new URL(nodes.two.url);
    const connections = (): Promise<number> =>
      new Promise((resolve) => {
        server.getConnections((_error, count) => resolve(count));
      });
    // Those of the other node.
    const before = await connections();
    const caller = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
    const lines = [`GET ${path} HTTP/1.1`, 'host: a', 'connection: Upgrade', 'upgrade: websocket'];
    caller.write(`${lines.join('\r\n')}\r\n\r\n`);
    const [answer] = (await once(caller, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 4/);
    if (how === 'and ends') caller.end('more');
    else caller.write('more');
    await settleNetwork();
    if (how === 'and stays') await nodes.clock.advance(2_000);
    await settleNetwork();
    expect(await connections()).toBe(before);
    caller.destroy();
  });
});
