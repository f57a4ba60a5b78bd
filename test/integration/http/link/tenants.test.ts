import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../support/gateway/http-app.ts';

/** Links and the keys that make them. */

const owner = { 'x-api-key': 'the-owner-of-the-service' };

let gate: TestApp;
beforeEach(async () => {
  gate = await startTestApp({ apiKey: owner['x-api-key'] });
});
afterEach(() => gate.close());

async function keyOf(tenant: string): Promise<{ 'x-api-key': string }> {
  const body = { name: `desk of ${tenant}`, scopes: ['sessions:create', 'sessions:read'], tenant };
  const made = await gate.call('POST', '/keys', { headers: owner, body });
  return { 'x-api-key': String(made.body['key']) };
}

describe('links', () => {
  it('[OS5.10] are of the tenant of the key that made them, and so are their sessions', async () => {
    const [one, other] = [await keyOf('one'), await keyOf('other')];
    const body = { session: { externalId: 'customer-1', name: 'Desk' } };
    const made = await gate.call('POST', '/links', { headers: one, body });
    const id = String(made.body['id']);
    const token = String(made.body['url']).split('#')[1] ?? '';
    expect((await gate.call('POST', '/link/session', { headers: { 'link-token': token } })).status).toBe(200);
    for (const [headers, count] of [
      [one, 1],
      [other, 0],
      [owner, 1],
    ] as const) {
      expect((await gate.call('GET', '/links', { headers })).body['docs']).toHaveLength(count);
      expect((await gate.call('GET', '/sessions', { headers })).body['docs']).toHaveLength(count);
    }
    expect(await gate.call('DELETE', `/links/${id}`, { headers: other })).toMatchObject({
      status: 404,
      body: { message: 'link not found' },
    });
    expect((await gate.call('DELETE', `/links/${id}`, { headers: one })).status).toBe(200);
  });

  it('[OS5.10] need a key, in pages of the length that is asked for', async () => {
    expect((await gate.call('POST', '/links', { body: {} })).status).toBe(401);
    for (let made = 0; made < 3; made++) await gate.call('POST', '/links', { headers: owner, body: {} });
    const first = await gate.call('GET', '/links?limit=2', { headers: owner });
    expect(first.body['docs']).toHaveLength(2);
    const second = await gate.call('GET', `/links?limit=2&after=${String(first.body['after'])}`, { headers: owner });
    expect(second.body).toMatchObject({ docs: [{ by: 'owner', state: 'open', tenant: '' }], after: '' });
  });

  it('[OS5.8] [AU3.2] count wrong tokens of an address', async () => {
    const answers = [];
    for (let tries = 0; tries < 62; tries++) {
      answers.push((await gate.call('GET', '/link/session', { headers: { 'link-token': 'wrong' } })).status);
    }
    expect(answers.slice(0, 60)).toEqual(Array.from({ length: 60 }, () => 404));
    expect(answers.at(-1)).toBe(429);
  });
});
