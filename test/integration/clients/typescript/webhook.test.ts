import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import Fastify from 'fastify';
import { Hono } from 'hono';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { afterEach, describe, expect, it } from 'vitest';
import { createWebhook, type GatewayEvent, type Webhook } from '../../../../clients/typescript/src/index.ts';

/** The handlers in the frameworks themselves, over HTTP; what signs is the standard's own package. */

const token = 'the token of the webhook';
const event = {
  id: 'event-1',
  seq: 17,
  previous: 16,
  type: 'message',
  created: '2026-01-05T08:15:00.000Z',
  data: { text: 'Grüße 🚂' },
};

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

/** A request as the gateway sends it. */
function signed(
  body: string,
  { key = token, at = new Date(), id = event.id }: { key?: string; at?: Date; id?: string } = {},
) {
  const webhook = key.startsWith('whsec_')
    ? new StandardWebhook(key)
    : new StandardWebhook(Buffer.from(key), { format: 'raw' });
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': webhook.sign(id, at, body),
  };
  return { method: 'POST', headers, body };
}

async function listening(listener: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(
    () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/telegram`;
}

/** Calls the handler as servers of the Fetch API do: what it throws is status 500. */
const byFetch =
  (handler: (request: Request) => Response | Promise<Response>) =>
  async (request: RequestInit): Promise<Response> => {
    try {
      return await handler(new Request('http://receiver.example/telegram', request));
    } catch {
      return new Response(null, { status: 500 });
    }
  };
const byHttp =
  (url: string) =>
  (request: RequestInit): Promise<Response> =>
    fetch(url, request);

type Send = (request: RequestInit) => Promise<Response>;
const frameworks: Record<string, (webhook: Webhook) => Promise<Send>> = {
  'the Fetch API': (webhook) => Promise.resolve(byFetch((request) => webhook.fetch(request))),
  Hono: (webhook) => {
    const app = new Hono();
    app.onError((_error, context) => context.body(null, 500));
    app.post('/telegram', webhook.hono);
    return Promise.resolve(byFetch((request) => app.fetch(request)));
  },
  Express: async (webhook) => {
    const app = express();
    app.set('env', 'test');
    app.post('/telegram', webhook.express);
    app.use(express.json());
    return byHttp(await listening(app));
  },
  'Express with raw bodies': async (webhook) => {
    const app = express();
    app.set('env', 'test');
    app.post('/telegram', express.raw({ type: '*/*' }), webhook.express);
    return byHttp(await listening(app));
  },
  'node:http': async (webhook) =>
    byHttp(await listening((request, response) => void webhook.express(request, response))),
  Fastify: async (webhook) => {
    const app = Fastify();
    await app.register(webhook.fastify, { path: '/telegram' });
    app.post('/other', ({ body }) => Promise.resolve({ body }));
    closing.push(() => app.close());
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    // The parsers of other routes are as they were.
    const other = await fetch(`${url}/other`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"a":1}',
    });
    expect(await other.json()).toEqual({ body: { a: 1 } });
    return byHttp(`${url}/telegram`);
  },
};

describe.each(Object.entries(frameworks))('a webhook in %s', (_name, serve) => {
  async function opened(onEvent: (received: GatewayEvent) => unknown = () => {}) {
    const received: GatewayEvent[] = [];
    const webhook = createWebhook({
      token,
      onEvent: async (one) => {
        received.push(one);
        await onEvent(one);
      },
    });
    return { received, send: await serve(webhook) };
  }

  it('[TC1.8] takes what the gateway signs, once', async () => {
    const { received, send } = await opened();
    for (let time = 0; time < 2; time += 1) {
      expect((await send(signed(JSON.stringify(event)))).status).toBe(200);
    }
    expect(received).toEqual([event]);
  });

  it('[TC1.8] refuses what is changed, signed by another token, old, or not signed', async () => {
    const { received, send } = await opened();
    const body = JSON.stringify(event);
    const good = signed(body);
    const minutes = 60_000;
    const bad: RequestInit[] = [
      { ...good, body: body.replace('17', '18') },
      { ...good, headers: { ...good.headers, 'webhook-id': 'event-2' } },
      signed(body, { key: 'another token' }),
      signed(body, { at: new Date(Date.now() - 6 * minutes) }),
      signed(body, { at: new Date(Date.now() + 6 * minutes) }),
      { ...good, headers: { 'content-type': 'application/json' } },
      { ...good, headers: { ...good.headers, 'webhook-signature': 'v1,%%% v2,AAAA v1' } },
      { ...good, headers: { ...good.headers, 'webhook-timestamp': 'now' } },
    ];
    for (const request of bad) {
      const response = await send(request);
      expect(response.status).toBe(401);
      expect(await response.text()).toContain('webhook_not_verified');
    }
    expect(received).toEqual([]);
  });

  it('[TC1.8] fails where the handler fails, so that the event comes again', async () => {
    let failures = 1;
    const { received, send } = await opened(() => {
      if (failures-- > 0) throw new Error('the database is away');
    });
    expect((await send(signed(JSON.stringify(event)))).status).toBe(500);
    expect((await send(signed(JSON.stringify(event)))).status).toBe(200);
    expect(received).toHaveLength(2);
  });
});

describe('a webhook', () => {
  const post = (webhook: Webhook, request: RequestInit): Promise<Response> =>
    byFetch((one) => webhook.fetch(one))(request);

  it('[TC1.8] passes an event on once that comes again while it is dealt with', async () => {
    let count = 0;
    let finish = (): void => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const webhook = createWebhook({
      token,
      onEvent: async () => {
        count += 1;
        await finished;
      },
    });
    const both = [1, 2].map(() => post(webhook, signed(JSON.stringify(event))));
    finish();
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200]);
    expect(count).toBe(1);
  });

  it('[TC1.8] remembers what it has dealt with where it is told to', async () => {
    const ids = new Set<string>();
    const seen = { has: async (id: string) => Promise.resolve(ids.has(id)), add: (id: string) => ids.add(id) };
    let count = 0;
    // Another one, as after a restart.
    for (let life = 0; life < 2; life += 1) {
      const webhook = createWebhook({ token, seen, onEvent: () => (count += 1) });
      expect((await post(webhook, signed(JSON.stringify(event)))).status).toBe(200);
    }
    expect([count, [...ids]]).toEqual([1, [event.id]]);
  });

  it('[TC1.8] remembers the last 10,000 in memory', async () => {
    const { seenInMemory } = await import('../../../../clients/typescript/src/webhook/seen-events.ts');
    const seen = seenInMemory();
    for (let id = 0; id <= 10_000; id += 1) seen.add(String(id));
    expect(['0', '1', '10000'].map((id) => seen.has(id))).toEqual([false, true, true]);
  });

  it('[TC1.8] takes tokens of the standard, and several while one is changed', async () => {
    const standard = `whsec_${Buffer.from('twenty-four bytes of key').toString('base64')}`;
    const webhook = createWebhook({ token: [standard, token], onEvent: () => {} });
    for (const [index, key] of [standard, token].entries()) {
      const request = signed(JSON.stringify(event), { key, id: `event-${index}` });
      expect((await post(webhook, request)).status).toBe(200);
    }
  });

  it('[TC1.8] says what is wrong with its place: a parser before it, an empty token, another method', async () => {
    const app = express();
    app.set('env', 'test');
    const errors: unknown[] = [];
    const webhook = createWebhook({ token, onEvent: () => {} });
    app.use(express.json());
    app.post('/telegram', webhook.express);
    app.use((error: unknown, _request: unknown, response: express.Response, _next: unknown) => {
      errors.push(error);
      response.sendStatus(500);
    });
    const url = await listening(app);
    expect((await fetch(url, signed(JSON.stringify(event)))).status).toBe(500);
    expect(String(errors[0])).toContain('Put the webhook before `express.json()`');
    expect(() => createWebhook({ token: '', onEvent: () => {} })).toThrow('`token` is empty');
    expect((await webhook.fetch(new Request('http://receiver.example/'))).status).toBe(405);
  });
});
