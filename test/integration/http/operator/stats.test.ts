import { expect, it } from 'vitest';
import { linkFact } from '../../../support/actors/scripted-link.ts';
import { asOwner, createAs, issueKey, ownerKey } from '../../../support/gateway/issue-key.ts';
import { useListeningApp } from '../../../support/inspector/listening-app.ts';

const on = useListeningApp();
const hourMs = 60 * 60_000;

const stats = async (headers: Record<string, string>, query = ''): Promise<Record<string, unknown>> =>
  (await on.gate.call('GET', `/sessions/stats${query}`, { headers })).body;

it('[OS3.5] counts what happened in a window, for a key with a tenant that of its sessions alone', async () => {
  await on.restart({ apiKey: ownerKey });
  const scopes = ['sessions:create', 'sessions:read'] as const;
  const acme = await issueKey(on.gate, scopes, { tenant: 'acme' });
  const other = await issueKey(on.gate, scopes, { tenant: 'other' });
  const { clock, links } = on.gate;
  const startedAt = new Date(clock.now()).toISOString();
  const { id: lost } = await createAs(on.gate, acme);
  await links.of(lost).report(linkFact('LoggedIn', 1));
  await clock.advance(2 * hourMs);
  await links.of(lost).report({ type: 'LoginLost', login: 1, reason: 'SESSION_REVOKED' });
  const { id: connected } = await on.gate
    .call('POST', '/session', { headers: other.headers, body: { externalId: 'c-1', label: 'Desk' } })
    .then(({ body }) => ({ id: String(body['id']) }));
  await links.of(connected).report(linkFact('LoggedIn', 1));
  await clock.settle();

  const none = { qrPending: 0, codeRequired: 0, passwordRequired: 0, connected: 0, disconnected: 0, deleted: 0 };
  const nothing = { sends: { ok: 0, failed: 0 }, deliveries: { ok: 0, failed: 0, parked: 0 }, waits: 0 };
  expect(await stats(acme.headers)).toEqual({
    ...nothing,
    window: '1h',
    since: new Date(clock.now() - hourMs).toISOString(),
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    startedAt,
    store: 'sqlite',
    states: { ...none, qrPending: 1 },
    logins: 0,
    losses: [{ reason: 'SESSION_REVOKED', count: 1 }],
    lastLosses: [
      { id: lost, externalId: '', label: '', reason: 'SESSION_REVOKED', at: new Date(clock.now()).toISOString() },
    ],
    backlog: { pending: 0, oldest: '' },
  });
  expect(await stats(acme.headers, '?window=24h')).toMatchObject({ logins: 1, losses: [{ count: 1 }] });
  expect(await stats(other.headers, '?window=7d')).toMatchObject({
    states: { ...none, connected: 1 },
    logins: 1,
    losses: [],
    lastLosses: [],
  });
  expect(await stats(asOwner)).toMatchObject({ logins: 1, states: { qrPending: 1, connected: 1 } });
  expect(await stats(asOwner, '?window=24h')).toMatchObject({ logins: 2 });

  await clock.advance(1_000);
  await links.of(connected).report({ type: 'LoginLost', login: 1, reason: 'AUTH_KEY_UNREGISTERED' });
  await clock.advance(1_000);
  await links.of(lost).report(linkFact('LoggedIn', 2));
  await links.of(lost).report({ type: 'LoginLost', login: 2, reason: 'SESSION_REVOKED' });
  expect(await stats(asOwner)).toMatchObject({
    losses: [
      { reason: 'SESSION_REVOKED', count: 2 },
      { reason: 'AUTH_KEY_UNREGISTERED', count: 1 },
    ],
    lastLosses: [{ id: lost }, { id: connected, externalId: 'c-1', label: 'Desk' }, { id: lost }],
  });
  expect(await on.gate.call('GET', '/sessions/stats?window=2h', { headers: asOwner })).toMatchObject({ status: 400 });
});
