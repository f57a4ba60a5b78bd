import fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { declaredScopes, requireDeclaredScopes } from '../../../../src/http/access/route-scopes.ts';
import { type KeyScope, keyScopes } from '../../../../src/keys/scopes.ts';
import { startTestApp, type TestApp } from '../../../support/gateway/http-app.ts';
import { asOwner, createAs, type HeldKey, issueKey, ownerKey } from '../../../support/gateway/issue-key.ts';

/** Every route of the app, with a key of every scope, on sessions of its own tenant, of another, deleted and unknown. */

let gate: TestApp;
/** By scope, of the tenant `acme`. */
const held = new Map<KeyScope, HeldKey>();
let other: { id: string; 'session-id': string };
let mine: { id: string; 'session-id': string };
let deleted: { id: string; 'session-id': string };
let controller: HeldKey;
let makers: Record<'acme' | 'other', HeldKey>;
const unknown = { id: '0197f3a2-0000-7000-8000-000000000000', 'session-id': 'unknown' };

beforeAll(async () => {
  gate = await startTestApp({ apiKey: ownerKey });
  for (const scope of keyScopes) {
    held.set(scope, await issueKey(gate, [scope], scope === 'metrics' ? {} : { tenant: 'acme' }));
  }
  controller = await issueKey(gate, ['sessions:control', 'accounts'], { tenant: 'acme' });
  makers = {
    acme: await issueKey(gate, ['sessions:create'], { tenant: 'acme' }),
    other: await issueKey(gate, ['sessions:create'], { tenant: 'other' }),
  };
  other = await createAs(gate, makers.other);
  mine = await createAs(gate, makers.acme);
  deleted = await createAs(gate, makers.acme);
  await gate.call('DELETE', '/session', { headers: deleted });
});
afterAll(() => gate.close());

/** Streams, sessions' routes and pages answer in other ways than JSON, so the bare app is called. */
async function ask(
  route: string,
  { id, 'session-id': secret }: { id: string; 'session-id': string },
  key: Record<string, string>,
  { withoutStreams = false } = {},
): Promise<{ status: number; message: unknown }> {
  const [method = '', path = ''] = route.split(' ');
  const url = path.replace(/^(\/sessions\/):id/, `$1${id}`).replaceAll(/:\w+/g, 'x');
  const needsSecret = declaredScopes(gate.app).get(route) === 'strings';
  const response = await gate.app.inject({
    method: method as 'GET',
    url: `${url}${withoutStreams && path.endsWith('/stream') ? '?after=x' : ''}`,
    headers: {
      ...(path.startsWith('/sessions') || (path === '/session' && method === 'POST') ? {} : { id }),
      ...(needsSecret && { 'session-id': secret }),
      ...(method !== 'GET' && { 'content-type': 'application/json' }),
      ...key,
    },
    ...(method !== 'GET' && { payload: '{}' }),
  });
  const body: unknown = String(response.headers['content-type']).startsWith('application/json') ? response.json() : {};
  return { status: response.statusCode, message: (body as { message?: unknown }).message };
}

const notFound = { status: 404, message: 'session not found' };
const routes = (): [route: string, scope: KeyScope][] =>
  [...declaredScopes(gate.app)].flatMap(([route, scope]) =>
    scope === 'anyone' || scope === undefined ? [] : [[route, scope]],
  );
/** Those for which a WebSocket alone needs a key; `test/integration/http/keys/streams.test.ts` has them. */
const socketRoutes = new Set(['GET /inspector']);
/** Those that need a second scope; `test/integration/http/operator/session-control.test.ts` has them. */
const doubleRoutes = new Set(['POST /sessions/:id/secret']);
const namesSession = (route: string, scope: KeyScope): boolean =>
  scope === 'accounts' || scope === 'raw' || scope === 'strings' || route.includes(' /sessions/:id');

describe('the scopes of keys', () => {
  it('[KY1.2] every route has one, or is for everyone', () => {
    const all = [...declaredScopes(gate.app)];
    expect(all.length).toBeGreaterThan(90);
    expect(all.filter(([, scope]) => scope === undefined)).toEqual([]);
    const open = all.filter(([, scope]) => scope === 'anyone').map(([route]) => route);
    expect(
      open.filter(
        (route) => !/^(GET|HEAD) \/(docs|health|console|inspector|media)\b|^(GET|HEAD) \/$|^\w+ \/link\b/.test(route),
      ),
    ).toEqual([]);
  });

  it('[KY1.2] every endpoint of the API document is among those that are tried here', () => {
    const { paths = {} } = gate.app.swagger() as { paths?: Record<string, Record<string, unknown>> };
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        .filter((method) => /^(get|post|put|patch|delete)$/.test(method))
        .map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
    );
    const known = new Set([...declaredScopes(gate.app).keys()].map((route) => route.replaceAll(/:\w+/g, ':')));
    expect(documented.length).toBeGreaterThan(90);
    // Of a media link, which is for everyone, the document names the parts otherwise.
    const missing = documented.filter((route) => !known.has(route.replaceAll(/:\w+/g, ':')));
    expect(missing.filter((route) => !route.startsWith('GET /media/'))).toEqual([]);
  });

  it('[KY1.2] an app with a route that declares none does not start', async () => {
    const app = fastify();
    requireDeclaredScopes(app);
    app.get('/forgotten', () => 'open to everyone');
    await expect(app.ready()).rejects.toThrow('routes without a scope: GET /forgotten');
  });

  it('[KY1.2] a key opens the routes of its scope and no others', async () => {
    const wrong: string[] = [];
    for (const [route, scope] of routes()) {
      if (socketRoutes.has(route)) continue;
      for (const [own, { headers }] of held) {
        const session = own === scope ? await createAs(gate, makers.acme) : mine;
        const { status, message } = await ask(route, session, headers, { withoutStreams: true });
        const isRefused = status === 403 && message === `scope ${scope} is required`;
        // Whatever else is wrong with the request, it was let in.
        const needsMore = doubleRoutes.has(route) && status === 403 && message === 'scope accounts is required';
        const isLetIn = status !== 401 && status !== 403 && message !== 'session not found';
        if (own === scope ? !(isLetIn || needsMore) : !isRefused)
          wrong.push(`${route} with ${own}: ${status} ${String(message)}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('[KY2.2] sessions of another tenant are as unknown ones; deleted ones have their audit alone', async () => {
    const wrong: string[] = [];
    for (const [route, scope] of routes()) {
      if (socketRoutes.has(route) || !namesSession(route, scope)) continue;
      const key = (doubleRoutes.has(route) ? controller : held.get(scope))?.headers ?? {};
      const [ofOther, ofNone] = [await ask(route, other, key), await ask(route, unknown, key)];
      for (const answer of [ofOther, ofNone]) {
        if (answer.status !== 404 || answer.message !== notFound.message)
          wrong.push(`${route}: ${JSON.stringify(answer)}`);
      }
      const { message } = await ask(route, deleted, key);
      const isAudit = route.startsWith('GET /sessions/:id');
      if ((message === notFound.message) === isAudit) wrong.push(`${route} of a deleted one: ${String(message)}`);
    }
    expect(wrong).toEqual([]);
  });

  it('[KY1.2] the owner has every scope, and METRICS_TOKEN reads metrics alone', async () => {
    for (const [route] of routes()) {
      const session = await createAs(gate, { headers: asOwner });
      if (socketRoutes.has(route)) continue;
      const { status, message } = await ask(route, session, asOwner, { withoutStreams: true });
      expect([route, status === 401 || status === 403 || message === notFound.message]).toEqual([route, false]);
    }
    const metered = await startTestApp({ apiKey: ownerKey, metricsToken: 'of a scraper' });
    try {
      const token = { headers: { 'x-api-key': 'of a scraper' } };
      expect((await metered.app.inject({ url: '/metrics', ...token })).statusCode).toBe(200);
      expect((await metered.call('GET', '/sessions', token)).status).toBe(401);
    } finally {
      await metered.close();
    }
  });
});
