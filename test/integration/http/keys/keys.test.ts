import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../support/gateway/http-app.ts';
import { asOwner, issueKey, ownerKey } from '../../../support/gateway/issue-key.ts';

let gate: TestApp;
beforeEach(async () => {
  gate = await startTestApp({ apiKey: ownerKey });
});
afterEach(() => gate.close());

const refused = (statusCode: number, message: string) => ({ status: statusCode, body: { statusCode, message } });
const wrongKey = refused(401, 'invalid api key');
const hourMs = 3_600_000;

describe('a key', () => {
  it('[KY1.1] is shown once; its fields are listed until it is revoked, and then on request', async () => {
    const body = { name: 'desk 1', scopes: ['sessions:read', 'keys', 'sessions:read'], tenant: 'acme' };
    const made = await gate.call('POST', '/keys', { headers: asOwner, body });
    const { id, key, ...fields } = made.body;
    expect(made.status).toBe(200);
    expect(key).toMatch(/^tgw_[\da-f]{32}_[\w-]{43}$/);
    expect(fields).toEqual({
      name: 'desk 1',
      scopes: ['sessions:read', 'keys'],
      tenant: 'acme',
      created: '2026-01-01T00:00:00.000Z',
      by: 'owner',
      expires: '',
      revoked: '',
      limits: {},
      chats: [],
      state: 'active',
    });
    const list = await gate.call('GET', '/keys', { headers: asOwner });
    expect(list.body).toEqual({ docs: [{ id, ...fields }], after: '' });
    expect(list.headers['cache-control']).toBe('no-store');
    expect(gate.logLines.join('')).not.toContain(String(key));

    expect(await gate.call('DELETE', `/keys/${String(id)}`, { headers: asOwner })).toMatchObject({ status: 200 });
    expect((await gate.call('GET', '/keys', { headers: asOwner })).body['docs']).toEqual([]);
    const { body: all } = await gate.call('GET', '/keys?state=any', { headers: asOwner });
    expect(all['docs']).toMatchObject([{ id, state: 'revoked', revoked: '2026-01-01T00:00:00.000Z' }]);
    const gone = refused(404, 'key not found');
    expect(await gate.call('DELETE', `/keys/${String(id)}`, { headers: asOwner })).toMatchObject(gone);
    expect(await gate.call('DELETE', '/keys/unknown', { headers: asOwner })).toMatchObject(gone);
  });

  it('[KY1.1] is listed in pages', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.push((await issueKey(gate, ['raw'])).id);
    const first = await gate.call('GET', '/keys?limit=3', { headers: asOwner });
    expect(first.body).toMatchObject({ docs: ids.slice(0, 3).map((id) => ({ id })), after: ids[2] });
    const next = await gate.call('GET', `/keys?limit=3&after=${ids[2]}`, { headers: asOwner });
    expect(next.body).toMatchObject({ docs: ids.slice(3).map((id) => ({ id })), after: '' });
  });

  it.each<[object, string]>([
    [{}, 'name should not be empty\nscopes should not be empty'],
    [{ name: 'owner', scopes: ['raw'] }, 'name must be up to 64 letters, digits, blanks and . _ @ -, and none of'],
    [{ name: 'a\nb', scopes: ['raw'] }, 'name must be up to'],
    [{ name: 'x'.repeat(65), scopes: ['raw'] }, 'name must be up to'],
    [{ name: 'desk', scopes: [] }, 'scopes should not be empty'],
    [{ name: 'desk', scopes: ['all'] }, 'scopes.0 must be one of the following values: sessions:create'],
    [{ name: 'desk', scopes: ['raw'], tenant: 'a b' }, 'tenant must be up to 64 letters, digits and . _ -'],
    [{ name: 'desk', scopes: ['raw'], expires: 'soon' }, 'expires must be an ISO 8601 time'],
    [{ name: 'desk', scopes: ['raw'], expires: '2026-01-01' }, 'expires must be in the future'],
    [{ name: 'desk', scopes: ['metrics'], tenant: 'acme' }, 'scopes must not have metrics with a tenant'],
  ])('[KY1.1] [KY2.3] is not made of %j', async (body, message) => {
    const answer = await gate.call('POST', '/keys', { headers: asOwner, body });
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining(message) } });
    expect((await gate.call('GET', '/keys', { headers: asOwner })).body['docs']).toEqual([]);
  });

  it('[KY1.3] issues no more than it has; what is left out is as it has it', async () => {
    const expires = new Date(gate.clock.now() + hourMs).toISOString();
    const desk = await issueKey(gate, ['keys', 'accounts'], { tenant: 'acme', expires });
    const wish = { name: 'more', scopes: ['raw'], tenant: 'other', expires: '2027-01-01' };
    expect(await gate.call('POST', '/keys', { headers: desk.headers, body: wish })).toMatchObject(
      refused(
        403,
        `scopes must be among those of the key that issues it: raw\ntenant must be acme\nexpires must not be after ${expires}`,
      ),
    );
    const made = await gate.call('POST', '/keys', { headers: desk.headers, body: { name: 'same', scopes: ['keys'] } });
    expect(made).toMatchObject({ status: 200, body: { tenant: 'acme', expires, by: 'desk', scopes: ['keys'] } });
  });

  it('[KY2.3] with a tenant sees and revokes the keys of its tenant alone', async () => {
    const own = await issueKey(gate, ['keys'], { tenant: 'acme' });
    const sister = await issueKey(gate, ['raw'], { tenant: 'acme' });
    const others = [await issueKey(gate, ['raw'], { tenant: 'other' }), await issueKey(gate, ['raw'])];
    const { body } = await gate.call('GET', '/keys?state=any', { headers: own.headers });
    expect((body['docs'] as { id: string }[]).map(({ id }) => id)).toEqual([own.id, sister.id]);
    for (const { id } of others) {
      expect(await gate.call('DELETE', `/keys/${id}`, { headers: own.headers })).toMatchObject(
        refused(404, 'key not found'),
      );
    }
    expect((await gate.call('DELETE', `/keys/${sister.id}`, { headers: own.headers })).status).toBe(200);
    expect((await gate.call('DELETE', `/keys/${own.id}`, { headers: own.headers })).status).toBe(200);
    expect(await gate.call('GET', '/keys', { headers: own.headers })).toMatchObject(wrongKey);
  });

  it('[KY1.5] opens nothing once it has expired, or is revoked', async () => {
    const expires = new Date(gate.clock.now() + hourMs).toISOString();
    const [first, second] = [await issueKey(gate, ['sessions:read'], { expires }), await issueKey(gate, ['accounts'])];
    const session = await gate.call('POST', '/session', { headers: asOwner });
    const use = { headers: { id: String(session.body['id']), ...second.headers } };
    expect((await gate.call('GET', '/session', use)).status).toBe(200);
    await gate.call('DELETE', `/keys/${second.id}`, { headers: asOwner });
    expect(await gate.call('GET', '/session', use)).toMatchObject(wrongKey);
    expect((await gate.call('GET', '/sessions', { headers: first.headers })).status).toBe(200);
    await gate.clock.advance(hourMs);
    expect(await gate.call('GET', '/sessions', { headers: first.headers })).toMatchObject(wrongKey);
    const { body } = await gate.call('GET', '/keys?state=expired', { headers: asOwner });
    expect(body['docs']).toMatchObject([{ id: first.id }]);
  });

  it('[KY1.6] is replaced by another one without a refused request', async () => {
    let current = await issueKey(gate, ['sessions:read', 'keys']);
    const seen = new Set<number>();
    for (let round = 0; round < 10; round += 1) {
      const before = current;
      const use = async (): Promise<void> => {
        seen.add((await gate.call('GET', '/sessions', { headers: current.headers })).status);
      };
      const [next] = await Promise.all([issueKey(gate, ['sessions:read', 'keys'], {}, before.headers), use(), use()]);
      current = next;
      await Promise.all([gate.call('DELETE', `/keys/${before.id}`, { headers: next.headers }), use(), use()]);
    }
    expect([...seen]).toEqual([200]);
  });

  it('[KY1.7] [AU3.2] that is wrong is limited for its address; right ones go on', async () => {
    const right = await issueKey(gate, ['sessions:read']);
    const statuses = new Set<number>();
    for (let count = 0; count < 70; count += 1) {
      const wrong = `${right.key.slice(0, -2)}${String(10 + count)}`;
      statuses.add((await gate.call('GET', '/sessions', { headers: { 'x-api-key': wrong } })).status);
    }
    expect([...statuses]).toEqual([401, 429]);
    expect((await gate.call('GET', '/sessions', { headers: right.headers })).status).toBe(200);
    const bearer = { authorization: `Bearer ${right.key}` };
    expect((await gate.call('GET', '/sessions', { headers: bearer })).status).toBe(200);
  });
});

it('[ER1.1] [KY1.7] the refusal of a key is JSON, and says so', async () => {
  const response = await gate.app.inject({ url: '/sessions', headers: { 'x-api-key': 'wrong' } });
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(response.json()).toEqual({ statusCode: 401, message: 'invalid api key' });
});

describe('without API_KEY', () => {
  it('[KY1.7] everyone is the owner, but who has a key is its holder, and one that has ended opens nothing', async () => {
    const open = await startTestApp();
    try {
      const reader = await issueKey(open, ['sessions:read'], {}, {});
      expect((await open.call('POST', '/session', { headers: { 'x-api-key': 'any other text' } })).status).toBe(200);
      expect(await open.call('POST', '/session', { headers: reader.headers })).toMatchObject(
        refused(403, 'scope sessions:create is required'),
      );
      await open.call('DELETE', `/keys/${reader.id}`);
      expect(await open.call('GET', '/sessions', { headers: reader.headers })).toMatchObject(wrongKey);
      const { id } = await open.session();
      for (const more of [{}, { 'x-api-key': 'any other text' }] as Record<string, string>[]) {
        const headers = { id, ...more };
        expect(await open.call('GET', '/session', { headers })).toMatchObject(refused(400, 'invalid header'));
      }
    } finally {
      await open.close();
    }
  });
});
