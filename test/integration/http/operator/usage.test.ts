import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../support/gateway/http-app.ts';
import { asOwner, createAs, issueKey, ownerKey } from '../../../support/gateway/issue-key.ts';

let gate: TestApp;
beforeEach(async () => {
  gate = await startTestApp({ apiKey: ownerKey });
});
afterEach(() => gate.close());

const hourMs = 60 * 60_000;
type Row = Record<string, unknown> & { day: string; session: string; sessionHours: number };
interface Page {
  docs: Row[];
  after: string;
}
const usage = async (headers: Record<string, string>, query = ''): Promise<Page> =>
  (await gate.call('GET', `/usage${query}`, { headers })).body as unknown as Page;

it('[KY3.4] has a row for each day, session and key, with the hours that the session lived', async () => {
  const scopes = ['sessions:create', 'sessions:read', 'sessions:control'] as const;
  const acme = await issueKey(gate, scopes, { name: 'acme makes', tenant: 'acme' });
  const other = await issueKey(gate, scopes, { tenant: 'other' });
  await gate.clock.advance(18 * hourMs);
  const { id } = await createAs(gate, acme);
  const { id: theirs } = await createAs(gate, other);
  const row = {
    tenant: 'acme',
    key: acme.id,
    keyName: 'acme makes',
    session: id,
    sends: { ok: 0, failed: 0 },
    deliveries: { ok: 0, failed: 0, parked: 0 },
    mediaBytes: 0,
  };
  expect(await usage(acme.headers)).toEqual({ docs: [{ ...row, day: '2026-01-01', sessionHours: 0 }], after: '' });
  // The others' session is not scanned: it ends after three minutes.
  await gate.connect({ id, 'session-id': '' });
  await gate.clock.advance(32 * hourMs);
  expect((await usage(acme.headers)).docs.map(({ day, sessionHours }) => [day, sessionHours])).toEqual([
    ['2026-01-01', 6],
    ['2026-01-02', 24],
    ['2026-01-03', 2],
  ]);
  await gate.call('DELETE', `/sessions/${id}`, { headers: acme.headers });
  await gate.clock.advance(50 * hourMs);
  expect((await usage(acme.headers)).docs.map(({ sessionHours }) => sessionHours)).toEqual([6, 24, 2]);
  expect((await usage(other.headers)).docs).toMatchObject([{ session: theirs, sessionHours: 0.05 }]);
  expect((await usage(asOwner)).docs).toHaveLength(4);
  expect(await usage(asOwner, '?tenant=other')).toMatchObject({ docs: [{ session: theirs }] });
  expect(await usage(acme.headers, '?tenant=other')).toEqual({ docs: [], after: '' });
  expect((await usage(asOwner, '?from=2026-01-02&to=2026-01-02')).docs).toMatchObject([{ day: '2026-01-02' }]);
  expect((await usage(asOwner, '?from=2026-01-04&to=2026-01-02')).docs).toEqual([]);
});

it('[KY3.4] is read in pages, each row once and in order', async () => {
  const key = await issueKey(gate, ['sessions:create']);
  const worker = await issueKey(gate, ['accounts']);
  const ids: string[] = [];
  for (let count = 0; count < 7; count += 1) {
    const { id } = await createAs(gate, key);
    ids.push(id);
    await gate.connect({ id, 'session-id': '' });
    if (count % 2 === 0) gate.usage.count(id, worker.id, 'sent', count + 1);
    if (count % 3 === 0) gate.usage.count(id, undefined, 'delivered', 1);
  }
  await gate.clock.advance(30 * hourMs);
  await gate.call('DELETE', `/sessions/${ids[2]}`, { headers: asOwner });
  const whole = await usage(asOwner);
  const places = whole.docs.map(({ day, session, key: of }) => `${day} ${session} ${String(of)}`);
  expect(places).toEqual(places.toSorted());
  expect(new Set(places).size).toBe(7 + 4 + 7);
  expect(whole.docs.reduce((sum, { sends }) => sum + (sends as { ok: number }).ok, 0)).toBe(1 + 3 + 5 + 7);
  for (const limit of [1, 2, 3, 5]) {
    const docs: Row[] = [];
    let after = '';
    do {
      const page = await usage(asOwner, `?limit=${limit}&after=${after}`);
      expect(page.docs.length).toBeLessThanOrEqual(limit);
      docs.push(...page.docs);
      ({ after } = page);
    } while (after !== '');
    expect(docs).toEqual(whole.docs);
  }
});

it.each([
  ['from=2026-02-30', 'from must be a day, such as 2026-11-25'],
  ['to=yesterday', 'to must be a day, such as 2026-11-25'],
  ['from=2024-01-01&to=2026-01-01', 'from must be at most 400 days before to'],
  ['after=x', 'after must be that of a page'],
])('[KY3.4] refuses %s', async (query, message) => {
  expect(await gate.call('GET', `/usage?${query}`, { headers: asOwner })).toMatchObject({
    status: 400,
    body: { message },
  });
});
