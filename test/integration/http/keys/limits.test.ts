import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../support/gateway/http-app.ts';
import { asOwner, createAs, issueKey, ownerKey } from '../../../support/gateway/issue-key.ts';

let gate: TestApp;
beforeEach(async () => {
  gate = await startTestApp({ apiKey: ownerKey });
});
afterEach(() => gate.close());

const statusOf = async (headers: Record<string, string>): Promise<number> =>
  (await gate.call('POST', '/session', { headers })).status;

it('[KY3.2] a key has no more live sessions than its limit, for requests at once too', async () => {
  const { headers } = await issueKey(gate, ['sessions:create', 'sessions:control'], { limits: { sessions: 3 } });
  const statuses = await Promise.all(Array.from({ length: 10 }, () => statusOf(headers)));
  expect(statuses.toSorted((one, other) => one - other)).toEqual([
    200,
    200,
    200,
    ...Array.from({ length: 7 }, () => 429),
  ]);
  expect((await gate.call('POST', '/session', { headers })).body).toEqual({
    statusCode: 429,
    message: 'limit of 3 sessions reached',
  });
  expect(await statusOf(asOwner)).toBe(200);
  const [first] = gate.views.list({ limit: 1 });
  await gate.call('DELETE', `/sessions/${first?.id}`, { headers });
  expect([await statusOf(headers), await statusOf(headers)]).toEqual([200, 429]);
});

it('[KY3.2] a session that cannot be created does not count', async () => {
  const { headers } = await issueKey(gate, ['sessions:create'], { limits: { sessions: 1 } });
  await gate.call('POST', '/session', { headers: asOwner, body: { externalId: 'taken' } });
  for (let count = 0; count < 3; count += 1) {
    const taken = await gate.call('POST', '/session', { headers, body: { externalId: 'taken' } });
    expect(taken).toMatchObject({ status: 400 });
  }
  expect(await statusOf(headers)).toBe(200);
});

it('[KY3.2] the sessions of the keys that a key has issued, and of its links, count too', async () => {
  const limits = { sessions: 3 };
  const desk = await issueKey(gate, ['sessions:create', 'keys'], { name: 'desk', limits });
  const worker = await issueKey(gate, ['sessions:create'], { name: 'worker' }, desk.headers);
  await createAs(gate, worker);
  await createAs(gate, worker);
  await createAs(gate, desk);
  expect([await statusOf(worker.headers), await statusOf(desk.headers)]).toEqual([429, 429]);

  const { body: link } = await gate.call('POST', '/links', { headers: worker.headers, body: {} });
  const token = String(link['url']).split('#')[1];
  const opened = await gate.call('POST', '/link/session', { headers: { 'link-token': String(token) } });
  expect(opened).toMatchObject({ status: 429, body: { message: 'limit of 3 sessions reached' } });
});

it('[KY1.3] [KY3.1] limits that are left out are those of the issuer, and higher ones are refused', async () => {
  const limits = { sessions: 3, sendsPerDay: 100 };
  const desk = await issueKey(gate, ['sessions:create', 'keys'], { name: 'desk', limits });
  await issueKey(gate, ['keys'], { name: 'lower', limits: { sendsPerDay: 10 } }, desk.headers);
  const { body } = await gate.call('GET', '/keys', { headers: desk.headers });
  expect(body['docs']).toMatchObject([{ limits }, { name: 'lower', limits: { sessions: 3, sendsPerDay: 10 } }]);
  const wish = { name: 'higher', scopes: ['keys'], limits: { sessions: 4, sendsPerDay: 101 } };
  expect(await gate.call('POST', '/keys', { headers: desk.headers, body: wish })).toMatchObject({
    status: 403,
    body: { message: 'limits.sessions must be at most 3\nlimits.sendsPerDay must be at most 100' },
  });
  for (const wrong of [{ sessions: 0 }, { sendsPerDay: 1.5 }, { sendsPerDay: 'many' }]) {
    const asked = { ...wish, limits: wrong };
    expect((await gate.call('POST', '/keys', { headers: asOwner, body: asked })).status).toBe(400);
  }
});
