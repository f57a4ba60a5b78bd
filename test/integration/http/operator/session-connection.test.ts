import { expect, it } from 'vitest';
import { linkFact } from '../../../support/actors/scripted-link.ts';
import { asOwner, createAs, issueKey, ownerKey } from '../../../support/gateway/issue-key.ts';
import { useListeningApp } from '../../../support/inspector/listening-app.ts';

/** How a disconnected session reconnects, as an operator sees it. */

const on = useListeningApp();
const notFound = { status: 404, body: { statusCode: 404, message: 'session not found' } };

it('[OS2.4] says how a disconnected session reconnects, and has it try now', async () => {
  await on.restart({ apiKey: ownerKey });
  const { headers } = await issueKey(on.gate, ['sessions:create', 'sessions:read', 'sessions:control'], {});
  const { id } = await createAs(on.gate, { headers });
  const path = `/sessions/${id}/connection`;
  const waiting = { attempts: 3, reason: 'proxy-refused', nextAt: Date.parse('2026-01-01T00:00:12.000Z') };
  on.gate.reconnecting.set(id, waiting);
  const none = { id, attempts: 0, cause: '', nextAttempt: '' };
  expect((await on.gate.call('POST', path, { headers })).body).toEqual({ ...none, state: 'qrPending' });
  expect(on.gate.reconnecting.get(id)).toEqual(waiting);

  const link = on.gate.links.of(id);
  await link.report(linkFact('LoggedIn', 1));
  await link.report(linkFact('ConnectionLost', 1));
  const shown = { ...none, state: 'disconnected', attempts: 3, cause: 'proxy-refused' };
  expect((await on.gate.call('GET', path, { headers })).body).toEqual({
    ...shown,
    nextAttempt: '2026-01-01T00:00:12.000Z',
  });
  expect((await on.gate.call('POST', path, { headers })).body).toEqual(shown);

  await on.gate.call('DELETE', `/sessions/${id}`, { headers });
  expect(await on.gate.call('POST', path, { headers })).toMatchObject(notFound);
});

it('[OS2.4] needs a key of the tenant, with the scope', async () => {
  await on.restart({ apiKey: ownerKey });
  const mine = await issueKey(on.gate, ['sessions:create'], { tenant: 'acme' });
  const { id } = await createAs(on.gate, mine);
  const reader = await issueKey(on.gate, ['sessions:read'], { tenant: 'acme' });
  const other = await issueKey(on.gate, ['sessions:read', 'sessions:control'], { tenant: 'umbrella' });
  const path = `/sessions/${id}/connection`;
  expect((await on.gate.call('GET', path, { headers: reader.headers })).status).toBe(200);
  expect((await on.gate.call('POST', path, { headers: reader.headers })).status).toBe(403);
  for (const method of ['GET', 'POST'] as const) {
    expect(await on.gate.call(method, path, { headers: other.headers })).toMatchObject(notFound);
    expect(await on.gate.call(method, '/sessions/unknown/connection', { headers: asOwner })).toMatchObject(notFound);
  }
});
