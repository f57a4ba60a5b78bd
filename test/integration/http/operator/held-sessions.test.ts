import { afterEach, beforeEach, expect, it } from 'vitest';
import { linkFact } from '../../../support/actors/scripted-link.ts';
import { type SessionHeaders, startTestApp, type TestApp } from '../../../support/gateway/http-app.ts';

let gate: TestApp;
let held: SessionHeaders;
let other: SessionHeaders;
beforeEach(async () => {
  gate = await startTestApp();
  [held, other] = [await gate.session(), await gate.session()];
  for (const headers of [held, other]) await gate.connect(headers);
});
afterEach(() => gate.close());

const minuteMs = 60_000;
const odd = { id: crypto.randomUUID(), type: 'BasketOpened', data: { any: 'thing' }, metadata: {} };

it('[FA7.2] [AU2.1] [AD5.1] a session is held as soon as an event of another program is in its stream', async () => {
  await gate.store.append(`session-${held.id}`, 'any', [odd]);
  await gate.store.append('session-of-another-app', 'any', [{ ...odd, id: crypto.randomUUID() }]);
  await gate.clock.settle();
  expect(gate.links.of(held.id).told).toEqual(['startQrLogin 1', 'close']);

  for (const [method, url] of [
    ['GET', '/session'],
    ['DELETE', '/session'],
    ['GET', '/session/events'],
    ['GET', '/group'],
  ] as const) {
    const { status, body, headers } = await gate.call(method, url, { headers: held });
    expect([status, body]).toEqual([500, { statusCode: 500, message: 'session not found' }]);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  }
  const wrong = { ...held, 'session-id': other['session-id'] };
  expect((await gate.call('GET', '/session', { headers: wrong })).status).toBe(404);

  const { body } = await gate.call('GET', '/sessions');
  expect(body['docs']).toMatchObject([
    { id: held.id, state: 'connected', held: true, deadline: '' },
    { id: other.id, state: 'connected', held: false },
  ]);
  await gate.links.of(other.id).report(linkFact('ConnectionLost', 1));
  await gate.clock.advance(31 * minuteMs);
  expect((await gate.call('GET', '/session', { headers: other })).status).toBe(404);
  expect((await gate.call('GET', `/sessions/${held.id}`)).body).toMatchObject({ state: 'connected', held: true });
});

it('[FA7.2] its log stays readable for the operator, without the event', async () => {
  await gate.store.append(`session-${held.id}`, 'any', [odd]);
  const { body } = await gate.call('GET', `/sessions/${held.id}/events`);
  expect((body['docs'] as { type: string }[]).map(({ type }) => type)).toEqual(['SessionCreated', 'LoggedIn']);
  const { body: page } = await gate.call('GET', `/sessions/${held.id}/events?after=1&limit=2`);
  expect(page).toMatchObject({ docs: [{ seq: 2 }], after: 2 });
  const past = await gate.call('GET', `/sessions/${held.id}/replay`);
  expect(past.body).toMatchObject({ seq: 2, state: 'connected' });
  expect((await gate.call('GET', `/sessions/${held.id}/replay?seq=3`)).status).toBe(404);
});

it('[FA7.1] [OP5.1] the event is logged once and counted once, whoever meets it, without what it holds', async () => {
  await gate.store.append(`session-${held.id}`, 'any', [odd]);
  await gate.clock.settle();
  for (let time = 0; time < 3; time += 1) await gate.call('GET', `/sessions/${held.id}/events`);
  const lines = gate.logLines.filter((line) => line.includes('an event cannot be read'));
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    stream: `session-${held.id}`,
    revision: 2,
    reason: 'unknown-type',
  });
  expect(gate.logLines.join('\n')).not.toContain('thing');
  const { body: text } = await gate.app.inject('/metrics');
  expect(text).toContain('gateway_unreadable_events_total{stream="session"} 1\n');
  expect(text).toContain('gateway_unreadable_events_total{stream="vault"} 0\n');
});
