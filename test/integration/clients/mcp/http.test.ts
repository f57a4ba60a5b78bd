import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failureOf } from '../../../support/kit/failure-of.ts';
import { startWebServer, type WebServer } from '../../../support/kit/web-server.ts';
import { callTool, connectAgent, type Serving, serveAgents, token } from '../../../support/mcp/agent.ts';

/** Who reaches the server over HTTP. Behind it stands a server that counts: what is refused does not get there. */

let gateway: WebServer;
let serving: Serving;
beforeAll(async () => {
  gateway = await startWebServer((_request, response) => response.end('{"docs":[],"after":""}'));
  serving = await serveAgents(gateway, { key: 'k', session: 's' }, { allowedOrigins: ['agents.example'] });
});
afterAll(async () => {
  await serving.close();
  await gateway.close();
});

const call = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'list_chats', arguments: {} },
});

interface Sent {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** With a `Host` of one's own, which `fetch` does not send. */
function send({ method = 'POST', path = '/mcp', headers = {}, body = call }: Sent): Promise<{
  status: number;
  text: string;
  challenge: string | undefined;
}> {
  const all = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, serving.url), { method, headers: all }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text, challenge: response.headers['www-authenticate'] }),
      );
    });
    sent.on('error', reject);
    sent.end(method === 'POST' ? body : undefined);
  });
}

describe('streamable HTTP', () => {
  it('[MC1.6] listens on loopback, and answers a client with the token', async () => {
    expect(serving.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    const agent = await connectAgent(serving.url);
    expect((await callTool(agent, 'list_chats')).data).toMatchObject({ chats: [], next_page: '' });
    await agent.close();
    expect(await send({})).toMatchObject({ status: 200, text: expect.stringContaining('next_page') });
  });

  it.each([
    ['no token', { authorization: '' }],
    ['another token', { authorization: `Bearer ${token}x` }],
    ['the token without its scheme', { authorization: token }],
    ['the token as a password', { authorization: `Basic ${Buffer.from(`:${token}`).toString('base64')}` }],
    ['the key of the gateway', { authorization: 'Bearer k' }],
  ])('[MC1.6] refuses %s', async (_name, headers) => {
    const before = gateway.connections;
    expect(await send({ headers })).toMatchObject({ status: 401, challenge: 'Bearer' });
    expect(gateway.connections).toBe(before);
  });

  it.each(['https://evil.example', 'http://127.0.0.1.evil.example', 'null', 'nonsense'])(
    '[MC1.6] refuses pages of %s, whatever they know',
    async (origin) => {
      const before = gateway.connections;
      expect((await send({ headers: { origin } })).status).toBe(403);
      expect(gateway.connections).toBe(before);
    },
  );

  it.each(['http://localhost:5173', 'http://127.0.0.1', 'https://agents.example'])(
    '[MC1.6] answers pages of %s',
    async (origin) => {
      expect((await send({ headers: { origin } })).status).toBe(200);
    },
  );

  it('[MC1.6] refuses a name of elsewhere that leads to this machine', async () => {
    expect((await send({ headers: { host: 'rebound.example' } })).status).toBe(403);
    expect((await send({ headers: { host: 'localhost:1' } })).status).toBe(200);
  });

  it.each(['/', '/mcp/x', '/health'])('[MC1.6] has nothing at %s', async (path) => {
    expect((await send({ path })).status).toBe(404);
  });

  it('[MC1.6] has no sessions: nothing is begun, and nothing is to be ended', async () => {
    const handshake = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    };
    const response = await fetch(serving.url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(handshake),
    });
    expect([response.status, response.headers.get('mcp-session-id')]).toEqual([200, null]);
    await response.text();
    for (const method of ['GET', 'DELETE']) expect((await send({ method })).status).toBe(405);
  });

  it.each([
    ['no JSON', 'x', 400],
    ['too much', 'x'.repeat(5 * 1024 * 1024), 413],
  ])('[MC1.6] refuses %s', async (_name, body, status) => {
    expect((await send({ body })).status).toBe(status);
  });
});

describe('a gateway that does not answer', () => {
  it('[MC1.4] ends the call with its request ID, and closing ends what is open', async () => {
    let asked = (): void => undefined;
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const silent = await startWebServer(() => asked());
    const own = await serveAgents(silent, { key: 'k', session: 's', answerMs: 200 });
    const agent = await connectAgent(own.url);
    const order = { chat_id: '1002', text: 'hello', request_id: 'hello-1' };
    const { isError, text } = await callTool(agent, 'send_message', order);
    expect([isError, text]).toEqual([true, expect.stringContaining('repeat the call with request_id "hello-1"')]);
    await isAsked;
    const patient = await serveAgents(silent, { key: 'k', session: 's' });
    const other = await connectAgent(patient.url);
    const open = callTool(other, 'list_chats');
    const ended = failureOf(open);
    while (silent.connections < 2) await new Promise(setImmediate);
    await patient.close();
    expect(await ended).toBeInstanceOf(Error);
    await other.close();
    await agent.close();
    await own.close();
    await silent.close();
  });

  it.each([
    ['is not there', 'http://127.0.0.1:1'],
    ['sends elsewhere', undefined],
  ])('[MC1.5] %s: the agent is told', async (_name, url) => {
    const elsewhere = await startWebServer((_request, response) => {
      response.writeHead(302, { location: gateway.url }).end();
    });
    const own = await serveAgents({ url: url ?? elsewhere.url }, { key: 'k', session: 's' });
    const agent = await connectAgent(own.url);
    const answer = await callTool(agent, 'list_chats');
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('did not answer in time') });
    await agent.close();
    await own.close();
    await elsewhere.close();
  });
});
