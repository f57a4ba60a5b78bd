import { afterEach, beforeEach, expect, it } from 'vitest';
import { type SessionHeaders, startTestApp, type TestApp } from '../../../support/gateway/http-app.ts';

let gate: TestApp;
beforeEach(async () => {
  gate = await startTestApp();
});
afterEach(() => gate.close());

const create = (externalId: string): Promise<SessionHeaders> => gate.session({ externalId });
const refusal = async (externalId: string): Promise<unknown> =>
  (await gate.call('POST', '/session', { body: { externalId } })).body['message'];

it('[OS1.1] an empty change changes nothing, and an empty name is none', async () => {
  const headers = await gate.session({ externalId: '', label: '' });
  const changed = await gate.call('PATCH', '/session', { headers, body: {} });
  expect(changed).toMatchObject({ status: 200, body: { id: headers.id, externalId: '', label: '' } });
  const events = await gate.call('GET', '/session/events', { headers });
  expect(events.body['docs']).toMatchObject([{ seq: 1, type: 'SessionCreated' }]);
});

it('[OS1.1] a deleted session cannot be named', async () => {
  const headers = await create('customer-1');
  await gate.call('DELETE', '/session', { headers });
  const body = { externalId: 'customer-2' };
  const refused = { status: 404, body: { message: 'session not found' } };
  expect(await gate.call('PATCH', `/sessions/${headers.id}`, { body })).toMatchObject(refused);
});

it('[OS1.2] the views know the holder before and after they were saved', async () => {
  const headers = await create('customer-1');
  const used = `externalId is used by session ${headers.id}`;
  expect(await refusal('customer-1')).toBe(used);
  await gate.clock.advance(1_000);
  expect(await refusal('customer-1')).toBe(used);
  await gate.call('PATCH', '/session', { headers, body: { externalId: 'customer-2' } });
  await create('customer-1');
  expect(await refusal('customer-2')).toBe(used);
});

it('[OS1.5] the line of a request has the external ID', async () => {
  const headers = await create('customer-1');
  await gate.call('GET', '/session', { headers });
  const lines = gate.logLines.filter((line) => line.includes('"msg":"request"'));
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ path: '/session', externalId: 'customer-1' });
});
