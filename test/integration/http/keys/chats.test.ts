import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forKeysWithChats, notForKeysWithChats } from '../../../../src/http/access/chat-bound.ts';
import { declaredScopes } from '../../../../src/http/access/route-scopes.ts';
import { type KeyScope, keyScopes } from '../../../../src/keys/scopes.ts';
import { startTestApp, type TestApp } from '../../../support/gateway/http-app.ts';
import { asOwner, createAs, type HeldKey, issueKey, ownerKey } from '../../../support/gateway/issue-key.ts';

/** Every route of the app with a key that has every scope, for some chats. */

const chats = ['1002', '-2001', '-1003001'];
let gate: TestApp;
let bound: HeldKey;
let session: { id: string; 'session-id': string };

beforeAll(async () => {
  gate = await startTestApp({ apiKey: ownerKey });
  bound = await issueKey(gate, keyScopes, { chats });
  session = await createAs(gate, { headers: asOwner });
});
afterAll(() => gate.close());

const refused = (statusCode: number, message: string) => ({ status: statusCode, body: { statusCode, message } });
const wholeAccount = 'a key with chats may not do this';

/** Streams and pages answer in other ways than JSON, so the bare app is called. */
async function ask(route: string): Promise<[status: number, message: unknown]> {
  const [method = '', path = ''] = route.split(' ');
  const needsSecret = declaredScopes(gate.app).get(route) === 'strings';
  const isOfOperator = path.startsWith('/sessions') || route === 'POST /session';
  const response = await gate.app.inject({
    method: method as 'GET',
    url: `${path.replace(/^(\/sessions\/):id/, `$1${session.id}`).replaceAll(/:\w+/g, 'x')}?after=x`,
    headers: {
      ...(isOfOperator ? {} : { id: session.id }),
      ...(needsSecret && { 'session-id': session['session-id'] }),
      ...(method !== 'GET' && { 'content-type': 'application/json' }),
      ...bound.headers,
    },
    ...(method !== 'GET' && { payload: '{}' }),
  });
  const body: unknown = String(response.headers['content-type']).startsWith('application/json') ? response.json() : {};
  return [response.statusCode, (body as { message?: unknown }).message];
}

const keyed = (): string[] =>
  [...declaredScopes(gate.app)].flatMap(([route, scope]) =>
    scope === 'anyone' || scope === undefined ? [] : [route.replace(/^HEAD /, 'GET ')],
  );

describe('every operation', () => {
  it('[KY5.2] of the API document that takes a key says whether it is for keys with chats', () => {
    const { paths = {} } = gate.app.swagger() as { paths?: Record<string, Record<string, { security?: object[] }>> };
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { security = [] }]) => security.some((one) => 'x-api-key' in one))
        .map(([method]) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
    );
    expect(documented.length).toBeGreaterThan(110);
    const said = [...forKeysWithChats, ...notForKeysWithChats];
    // Of nodes there is one route more where there are several.
    expect(documented.filter((route) => !said.includes(route))).toEqual([]);
    expect(said.filter((route) => !documented.includes(route) && route !== 'GET /nodes')).toEqual([]);
    expect(new Set(said).size).toBe(said.length);
  });

  it('[KY5.2] that is not for such keys refuses them, whatever their scopes; one that nobody thought of as well', async () => {
    const wrong: unknown[] = [];
    for (const route of keyed()) {
      // For its WebSocket alone a key is needed.
      if (route === 'GET /inspector') continue;
      const [status, message] = await ask(route);
      const isRefused = status === 403 && message === wholeAccount;
      // Whatever else is wrong with the request, it was let in.
      const isLetIn = status !== 401 && status !== 403 && message !== 'session not found';
      if (forKeysWithChats.has(route) ? !isLetIn : !isRefused) wrong.push([route, status, message]);
    }
    expect(wrong).toEqual([]);
    expect(keyed().filter((route) => !forKeysWithChats.has(route)).length).toBeGreaterThan(70);
  });
});

describe('a key with chats', () => {
  const issue = (body: object, headers: Record<string, string> = bound.headers) =>
    gate.call('POST', '/keys', { headers, body: { name: 'agent', scopes: ['accounts'], ...body } });

  it('[KY5.1] is issued and listed with them', async () => {
    const { status, body } = await issue({ chats: ['1002', '1002', '-2001'] }, asOwner);
    expect([status, body['chats']]).toEqual([200, ['1002', '-2001']]);
    const { body: page } = await gate.call('GET', '/keys', { headers: asOwner });
    const listed = page['docs'] as { id: string; chats: string[] }[];
    expect(listed.find(({ id }) => id === body['id'])?.chats).toEqual(['1002', '-2001']);
    const { body: without } = await issue({}, asOwner);
    expect(without['chats']).toEqual([]);
  });

  it.each([
    [[], 'chats should not be empty'],
    [['@bob'], 'chats.0 must be a chat ID'],
    [['1002', '+15550000002'], 'chats.1 must be a chat ID'],
    [['01'], 'chats.0 must be a chat ID'],
    [Array.from({ length: 101 }, (_, index) => String(index + 1)), 'chats must have between 1 and 100 entries'],
    ['1002', 'chats must be an array'],
  ])('[KY5.1] is not issued for %j', async (wrong, message) => {
    expect(await issue({ chats: wrong }, asOwner)).toMatchObject(refused(400, message));
  });

  it('[KY5.8] issues keys within them alone, and these are within them if they do not say', async () => {
    expect((await issue({})).body['chats']).toEqual(chats);
    expect((await issue({ chats: ['1002'] })).body['chats']).toEqual(['1002']);
    const beyond = 'chats must be among those of the key that issues it: 1003, -2002';
    expect(await issue({ chats: ['1002', '1003', '-2002'] })).toMatchObject(refused(403, beyond));
    const narrow = await issueKey(gate, ['keys', 'accounts'], { chats: ['1002'] });
    expect(await issue({ chats: ['-2001'] }, narrow.headers)).toMatchObject({ status: 403 });
  });

  it('[KY5.8] sees and revokes the keys within them alone', async () => {
    const scopes: KeyScope[] = ['keys', 'accounts'];
    const [narrow, same, wide, open] = [
      await issueKey(gate, scopes, { chats: ['1002'] }),
      await issueKey(gate, scopes, { chats: ['1002'] }),
      await issueKey(gate, scopes, { chats: ['1002', '1003'] }),
      await issueKey(gate, scopes),
    ];
    const { body } = await gate.call('GET', '/keys?limit=100', { headers: narrow.headers });
    const seen = (body['docs'] as { id: string }[]).map(({ id }) => id);
    expect(seen).toEqual(expect.arrayContaining([narrow.id, same.id]));
    expect(seen).not.toContain(wide.id);
    for (const { id } of [wide, open])
      expect(await gate.call('DELETE', `/keys/${id}`, { headers: narrow.headers })).toMatchObject(
        refused(404, 'key not found'),
      );
    expect((await gate.call('DELETE', `/keys/${same.id}`, { headers: narrow.headers })).status).toBe(200);
  });

  it('[KY5.7] does not bind the secret of a session beside it', async () => {
    const { status } = await gate.call('GET', '/session', { headers: { ...session, ...bound.headers } });
    expect(status).toBe(200);
  });

  it('[KY5.2] [ER1.2] its refusals have codes', async () => {
    const { headers } = await gate.call('GET', '/session', { headers: { id: session.id, ...bound.headers } });
    expect(headers['x-error-code']).toBe('account_not_allowed');
  });
});
