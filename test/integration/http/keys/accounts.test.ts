import { afterEach, beforeEach, expect, it } from 'vitest';
import { readSession } from '../../../../actors/runtime/read-session.ts';
import { exportSession } from '../../../../src/audit/session-export.ts';
import { transitionEvents } from '../../../../src/inspector/inspection-events.ts';
import { linkFact } from '../../../support/actors/scripted-link.ts';
import { startTestApp, type TestApp } from '../../../support/gateway/http-app.ts';
import { asOwner, createAs, issueKey, ownerKey } from '../../../support/gateway/issue-key.ts';
import { allReadable } from '../../../support/store/all-readable.ts';

/** Sessions used with a key, their tenants, and who is recorded as the author. */

let gate: TestApp;
beforeEach(async () => {
  gate = await startTestApp({ apiKey: ownerKey });
});
afterEach(() => gate.close());

const refused = (statusCode: number, message: string) => ({ status: statusCode, body: { statusCode, message } });
interface Entry {
  type: string;
  data: Record<string, unknown>;
}
const entriesOf = async (id: string): Promise<Entry[]> =>
  (await gate.call('GET', `/sessions/${id}/events`, { headers: asOwner })).body['docs'] as Entry[];

it('[KY1.4] a key with accounts uses a session without its secret; a given secret decides', async () => {
  const [maker, user] = [await issueKey(gate, ['sessions:create']), await issueKey(gate, ['accounts'])];
  const session = await createAs(gate, maker);
  const byKey = { id: session.id, ...user.headers };
  const { body: own } = await gate.call('GET', '/session', { headers: session });
  const { status, body, headers } = await gate.call('GET', '/session', { headers: byKey });
  expect(status).toBe(200);
  expect(body).toEqual({ ...own, sessionId: '' });
  expect(headers['cache-control']).toBe('no-store');
  expect((await gate.call('GET', '/session', { headers: session })).body).toEqual(own);
  expect((await gate.call('GET', '/session', { headers: { ...byKey, 'session-id': '' } })).body).toEqual(body);

  const wrongSecret = { ...byKey, 'session-id': 'wrong' };
  expect(await gate.call('GET', '/session', { headers: wrongSecret })).toMatchObject(refused(404, 'session not found'));
  const withWrongKey = { ...session, 'x-api-key': 'wrong' };
  expect((await gate.call('GET', '/session', { headers: withWrongKey })).status).toBe(200);

  expect(await gate.call('GET', '/session', { headers: { id: session.id, 'x-api-key': 'wrong' } })).toMatchObject(
    refused(401, 'invalid api key'),
  );
  expect(await gate.call('GET', '/session', { headers: { id: session.id, ...maker.headers } })).toMatchObject(
    refused(403, 'scope accounts is required'),
  );
  expect(await gate.call('GET', '/session', { headers: user.headers })).toMatchObject(refused(400, 'invalid header'));
  expect((await gate.call('GET', '/session', { headers: { id: session.id, ...asOwner } })).status).toBe(200);
});

it('[KY1.2] [LG2.11] a login is given away with the secret of the session and a key with strings', async () => {
  const [maker, key] = [
    await issueKey(gate, ['sessions:create']),
    await issueKey(gate, ['strings'], { tenant: 'acme' }),
  ];
  const session = await createAs(gate, maker);
  const body = { format: 'gramjs' };
  const ask = (headers: Record<string, string>) => gate.call('POST', '/session/string', { headers, body });
  expect(await ask({ id: session.id, ...asOwner })).toMatchObject(refused(400, 'invalid header'));
  expect(await ask(session)).toMatchObject(refused(401, 'invalid api key'));
  expect(await ask({ ...session, ...maker.headers })).toMatchObject(refused(403, 'scope strings is required'));
  expect(await ask({ ...session, ...key.headers })).toMatchObject(refused(404, 'session not found'));
  expect(await ask({ ...session, ...asOwner })).toMatchObject(refused(500, 'session not connected'));
});

it('[KY2.1] [KY2.2] a key with a tenant sees its sessions alone, deleted ones too', async () => {
  const scopes = ['sessions:create', 'sessions:read', 'accounts'] as const;
  const [acme, other] = [
    await issueKey(gate, scopes, { tenant: 'acme' }),
    await issueKey(gate, scopes, { tenant: 'other' }),
  ];
  const [first, gone] = [await createAs(gate, acme), await createAs(gate, acme)];
  const [theirs, nones] = [await createAs(gate, other), await createAs(gate, { headers: asOwner })];
  await gate.call('DELETE', '/session', { headers: gone });
  const listed = async (headers: Record<string, string>, query = ''): Promise<unknown[]> =>
    ((await gate.call('GET', `/sessions${query}`, { headers })).body['docs'] as { id: string; tenant: string }[]).map(
      ({ id, tenant }) => [id, tenant],
    );
  expect(await listed(acme.headers)).toEqual([[first.id, 'acme']]);
  expect(await listed(acme.headers, '?state=any')).toEqual([
    [first.id, 'acme'],
    [gone.id, 'acme'],
  ]);
  expect(await listed(acme.headers, '?state=qrPending&limit=1')).toEqual([[first.id, 'acme']]);
  expect(await listed(asOwner)).toEqual([
    [first.id, 'acme'],
    [theirs.id, 'other'],
    [nones.id, ''],
  ]);
  expect((await entriesOf(first.id))[0]).toMatchObject({ type: 'SessionCreated', data: { tenant: 'acme' } });
  const strangers = [theirs.id, nones.id, 'unknown'];
  for (const id of strangers) {
    for (const path of ['', '/events', '/replay', '/stream']) {
      expect(await gate.call('GET', `/sessions/${id}${path}`, { headers: acme.headers })).toMatchObject(
        refused(404, 'session not found'),
      );
    }
    expect(await gate.call('DELETE', '/session', { headers: { id, ...acme.headers } })).toMatchObject(
      refused(404, 'session not found'),
    );
  }
  expect((await gate.call('GET', `/sessions/${gone.id}/events`, { headers: acme.headers })).status).toBe(200);
});

it('[KY4.1] every event says who caused it', async () => {
  const key = await issueKey(gate, ['sessions:create', 'accounts', 'raw'], { name: 'worker 7' });
  const session = await createAs(gate, { headers: asOwner });
  const byKey = { id: session.id, ...key.headers };
  await gate.call('PUT', '/session/webhook', { headers: byKey, body: { url: 'https://h.example', token: 't' } });
  await gate.call('PUT', '/session/webhook', { headers: session, body: {} });
  await gate.links.of(session.id).report(linkFact('LoggedIn', 1));
  await gate.sessions.noteMethodCall(session.id, 'help.getConfig', { author: 'worker 7' });
  await gate.call('POST', '/session/reset', { headers: { id: session.id, ...asOwner }, body: {} });
  await gate.clock.advance(3 * 60_000);
  const told = (await entriesOf(session.id)).map(({ type, data }) => [type, data['by'], data['node']]);
  expect(told).toEqual([
    ['SessionCreated', 'owner', undefined],
    ['WebhookSet', 'worker 7', undefined],
    ['WebhookSet', 'session', undefined],
    ['LoggedIn', 'telegram', undefined],
    ['MethodCalled', 'worker 7', undefined],
    ['SessionReset', 'owner', undefined],
    ['QrTimedOut', 'gateway', 'test'],
  ]);
  const other = await createAs(gate, key);
  expect((await entriesOf(other.id))[0]).toMatchObject({ type: 'SessionCreated', data: { by: 'worker 7' } });
});

it('[KY4.2] no name of a key or a node leaves with an export, or for the inspector', async () => {
  const key = await issueKey(gate, ['sessions:create', 'accounts'], { name: 'n4me-of-key', tenant: 'acme' });
  const { id } = await createAs(gate, key);
  await gate.links.of(id).report(linkFact('LoggedIn', 1));
  await gate.sessions.noteMethodCall(id, 'help.getConfig', { author: 'n4me-of-key' });
  await gate.sessions.delete(id, { author: 'session' });
  const deps = { store: gate.store, reportUnreadable: allReadable };
  const exported = await exportSession(deps, id, 0);
  const authors = exported?.events.map(({ metadata }) => metadata['author']);
  expect(authors).toEqual(['key', 'telegram', 'key', 'session']);
  expect(exported?.events[2]?.data).toEqual({ method: 'help.getConfig', by: 'key' });
  const shown = [];
  for await (const event of readSession(deps, id)) shown.push(...(await transitionEvents(event)));
  expect(shown.flatMap((message) => ('event' in message ? [message.event] : []))).toContainEqual(
    expect.objectContaining({ fact: 'MethodCalled', by: 'key' }),
  );
  for (const text of [JSON.stringify(exported), JSON.stringify(shown)]) {
    expect(text).not.toContain('n4me-of-key');
    expect(text).not.toContain('"test"');
  }
});

it('[KY2.1] [OS1.1] a caller’s own ID is unique within its tenant', async () => {
  const scopes = ['sessions:create', 'sessions:control'] as const;
  const [acme, other] = [
    await issueKey(gate, scopes, { tenant: 'acme' }),
    await issueKey(gate, scopes, { tenant: 'other' }),
  ];
  const create = (headers: Record<string, string>) =>
    gate.call('POST', '/session', { headers, body: { externalId: 'desk-1' } });
  const { body } = await create(acme.headers);
  expect((await create(other.headers)).status).toBe(200);
  expect((await create(asOwner)).status).toBe(200);
  expect(await create(acme.headers)).toMatchObject(refused(400, `externalId is used by session ${String(body['id'])}`));
  const { id } = await createAs(gate, acme);
  const rename = (externalId: string, headers = acme.headers) =>
    gate.call('PATCH', `/sessions/${id}`, { headers, body: { externalId } });
  expect(await rename('desk-1')).toMatchObject({ status: 400 });
  expect(await rename('desk-2', other.headers)).toMatchObject(refused(404, 'session not found'));
  expect(await rename('desk-2')).toMatchObject({ status: 200, body: { externalId: 'desk-2' } });
});
