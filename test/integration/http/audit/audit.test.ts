import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../../../src/audit/audit-entry-schema.ts';
import { linkFact } from '../../../support/actors/scripted-link.ts';
import { type SessionHeaders, startTestApp, type TestApp } from '../../../support/gateway/http-app.ts';

const apiKey = 'the-operator';
let gate: TestApp;
beforeEach(async () => {
  gate = await startTestApp({ apiKey });
});
afterEach(() => gate.close());

const operator = { 'x-api-key': apiKey };
const create = async (body: object = {}): Promise<SessionHeaders> => {
  const created = await gate.call('POST', '/session', { headers: operator, body });
  return { id: String(created.body['id']), 'session-id': String(created.body['sessionId']) };
};
const docsOf = (body: Record<string, unknown>): AuditEntry[] => body['docs'] as AuditEntry[];
const audit = async (url: string, headers: Record<string, string>): Promise<AuditEntry[]> =>
  docsOf((await gate.call('GET', url, { headers })).body);

/** A life: created with a name and a webhook, QR shown, connected, cut off, back again. */
async function life(): Promise<SessionHeaders> {
  const headers = await create({ name: 'Desk', webhook: { url: 'https://hooks.example/in', token: 'h00k-t0ken' } });
  await gate.links.of(headers.id).report(linkFact('QrIssued', 1));
  await gate.connect(headers);
  await gate.clock.advance(5_000);
  await gate.links.of(headers.id).report(linkFact('ConnectionLost', 1));
  await gate.clock.advance(5_000);
  await gate.links.of(headers.id).report(linkFact('ConnectionRestored', 1));
  await gate.clock.settle();
  return headers;
}

const types = ['SessionCreated', 'QrIssued', 'LoggedIn', 'ConnectionLost', 'ConnectionRestored'];

describe('GET /session/events', () => {
  it('[AD1.1] [AD1.2] tells the life of a session, with its reasons', async () => {
    const headers = await life();
    const docs = await audit('/session/events', headers);
    expect(docs.map(({ seq, type, state }) => [seq, type, state])).toEqual([
      [1, 'SessionCreated', 'qrPending'],
      [2, 'QrIssued', 'qrPending'],
      [3, 'LoggedIn', 'connected'],
      [4, 'ConnectionLost', 'disconnected'],
      [5, 'ConnectionRestored', 'connected'],
    ]);
    expect(docs[3]).toMatchObject({ reason: 'unreachable', data: { from: 'connected', login: 1 } });
    const { created = '', data } = docs[3] ?? {};
    expect(data?.deadlines).toEqual([
      { type: 'DisconnectedTimedOut', due: new Date(Date.parse(created) + 30 * 60_000).toISOString() },
    ]);
  });

  it('[AD1.1] comes in pages', async () => {
    const headers = await life();
    const seen: string[] = [];
    let after = 0;
    for (let page = 0; page < 4; page++) {
      const { body } = await gate.call('GET', `/session/events?after=${after}&limit=2`, { headers });
      expect(docsOf(body).length).toBe([2, 2, 1, 0][page]);
      seen.push(...docsOf(body).map(({ type }) => type));
      after = Number(body['after']);
    }
    expect(seen).toEqual(types);
  });

  it('[AD1.1] refuses a page that is none', async () => {
    const headers = await create();
    const { status, body } = await gate.call('GET', '/session/events?after=x&limit=1001', { headers });
    expect([status, body['message']]).toEqual([400, 'after must be a number\nlimit must be between 1 and 1000']);
  });

  it('[SE11.3] never holds QR links, tokens or the hash of the secret', async () => {
    const headers = await life();
    const { body } = await gate.call('GET', '/session/events', { headers });
    expect(JSON.stringify(body)).not.toMatch(/tg:\/\/|h00k-t0ken|[\da-f]{64}/);
    expect(docsOf(body)[0]?.data).toMatchObject({ name: 'Desk', webhookUrl: 'https://hooks.example/in' });
    expect(docsOf(body)[2]?.data['account']).toMatchObject({ username: 'ada' });
  });
});

describe('GET /session/replay', () => {
  it('[AD2.1] shows the session as it was after an event', async () => {
    const headers = await life();
    const at = async (seq: number): Promise<Record<string, unknown>> =>
      (await gate.call('GET', `/session/replay?seq=${seq}`, { headers })).body;
    expect(await at(2)).toMatchObject({
      seq: 2,
      state: 'qrPending',
      session: { isConnected: false, name: 'Desk', username: '', qrcode: '', webhook: { token: '' } },
    });
    expect(await at(3)).toMatchObject({ state: 'connected', session: { isConnected: true, username: 'ada' } });
    expect(await at(4)).toMatchObject({
      state: 'disconnected',
      reason: 'unreachable',
      session: { isConnected: false },
    });
  });

  it('[AD2.1] or at a time, or now', async () => {
    const headers = await life();
    const [created, , loggedIn, lost] = await audit('/session/events', headers);
    const at = (time: string) => gate.call('GET', `/session/replay?at=${time}`, { headers });
    expect((await at(lost?.created ?? '')).body).toMatchObject({ seq: 4 });
    const justBefore = new Date(Date.parse(lost?.created ?? '') - 1).toISOString();
    expect((await at(justBefore)).body).toMatchObject({ seq: 3, created: loggedIn?.created });
    expect((await gate.call('GET', '/session/replay', { headers })).body).toMatchObject({ seq: 5 });
    const beforeAll = new Date(Date.parse(created?.created ?? '') - 1).toISOString();
    expect(await at(beforeAll)).toMatchObject({ status: 404, body: { message: 'nothing was recorded then' } });
    for (const no of ['yesterday', '5', 'Jan 1 2027', '2027-02-30', '2027-02-30T00:00:00Z', '2026-12-31T23:59:60Z']) {
      expect(await at(no)).toMatchObject({ status: 400, body: { message: 'at must be an ISO 8601 time' } });
    }
    // A plus that was not escaped is a blank.
    for (const yes of [
      '2027-01-01',
      '2027-01-01T00:00:00.000Z',
      '2027-01-01T00:00Z',
      '2027-01-01T00:00:00',
      '2027-01-01T00:00:00%2B01:00',
      '2027-01-01T00:00:00+01:00',
    ]) {
      expect((await at(yes)).body['message']).not.toBe('at must be an ISO 8601 time');
    }
    const { status } = await gate.call('GET', '/session/replay?seq=99', { headers });
    expect(status).toBe(404);
  });
});

describe('with the API key', () => {
  it('[AD4.1] a deleted session is read on, and of any session nothing that is personal', async () => {
    const headers = await life();
    await gate.call('DELETE', '/session', { headers });
    await gate.clock.settle();
    expect((await gate.call('GET', '/session/events', { headers })).status).toBe(404);
    const docs = await audit(`/sessions/${headers.id}/events`, operator);
    expect(docs.map(({ type }) => type)).toEqual([...types, 'SessionDeleted']);
    expect(docs.at(-1)).toMatchObject({ state: 'deleted', reason: 'user' });
    const { body } = await gate.call('GET', `/sessions/${headers.id}/replay?seq=3`, { headers: operator });
    expect(body).toMatchObject({ state: 'connected', session: { isConnected: true, name: '', phone: '' } });
    expect(JSON.stringify([docs, body])).not.toMatch(/Desk|ada|hooks\.example/i);
  });

  it('[AU4.1] and not without', async () => {
    const { id } = await create();
    for (const path of ['/sessions', `/sessions/${id}`, `/sessions/${id}/events`, `/sessions/${id}/stream`]) {
      expect(await gate.call('GET', path)).toMatchObject({ status: 401, body: { message: 'invalid api key' } });
    }
    const unknown = await gate.call('GET', '/sessions/0190a000-0000-7000-8000-000000000001/events', {
      headers: operator,
    });
    expect(unknown).toMatchObject({ status: 404, body: { message: 'session not found' } });
  });

  it('[AD5.1] lists sessions by state, in pages', async () => {
    const connected = await life();
    const pending = await create();
    const gone = await create();
    await gate.call('DELETE', '/session', { headers: gone });
    await gate.clock.settle();
    const list = async (query: string) => (await gate.call('GET', `/sessions${query}`, { headers: operator })).body;
    const ids = (body: Record<string, unknown>) => (body['docs'] as { id: string }[]).map(({ id }) => id);
    expect(ids(await list(''))).toEqual([connected.id, pending.id]);
    expect(ids(await list('?state=any'))).toEqual([connected.id, pending.id, gone.id]);
    expect(ids(await list('?state=deleted'))).toEqual([gone.id]);
    const first = await list('?state=any&limit=2');
    expect([ids(first), first['after']]).toEqual([[connected.id, pending.id], pending.id]);
    const second = await list(`?state=any&limit=2&after=${pending.id}`);
    expect([ids(second), second['after']]).toEqual([[gone.id], '']);
    // Full, and there is none behind it.
    expect((await list('?state=any&limit=3'))['after']).toBe('');
    expect((await list('')).docs).toMatchObject([
      { state: 'connected', reason: 'connection-restored', deadline: '', hasWebhook: true, held: false },
      { state: 'qrPending', reason: 'created', hasWebhook: false },
    ]);
    const { body } = await gate.call('GET', `/sessions/${pending.id}`, { headers: operator });
    expect(Date.parse(String(body['deadline'])) - Date.parse(String(body['since']))).toBe(3 * 60_000);
    expect((await gate.call('GET', '/sessions?state=x', { headers: operator })).body['message']).toBe(
      'state must be one of the following values: qrPending, codeRequired, passwordRequired, connected, disconnected, deleted, any',
    );
  });
});
