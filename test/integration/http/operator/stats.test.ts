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

it('[OS3.8] has how many sessions were connected over the window, and what happened in each part of it', async () => {
  await on.restart({ apiKey: ownerKey });
  const acme = await issueKey(on.gate, ['sessions:create', 'sessions:read'], { tenant: 'acme' });
  const { clock, links } = on.gate;
  const { id: first } = await createAs(on.gate, acme);
  const { id: second } = await createAs(on.gate, acme);
  for (const id of [first, second]) await links.of(id).report(linkFact('LoggedIn', 1));
  await clock.advance(10 * 60_000);
  await links.of(first).report(linkFact('ConnectionLost', 1));
  await clock.advance(60_000);
  await links.of(first).report(linkFact('ConnectionRestored', 1));
  await clock.advance(20 * 60_000);
  await links.of(second).report({ type: 'LoginLost', login: 1, reason: 'SESSION_REVOKED' });
  await clock.settle();

  type History = { at: string; connected: number; logins: number; lost: number }[];
  const history = async (headers: Record<string, string>, window = '1h'): Promise<History> =>
    (await stats(headers, `?history=true&window=${window}`))['history'] as History;
  const minutes = await history(acme.headers);
  expect([minutes.length, minutes.at(-1)?.at]).toEqual([
    61,
    new Date(Math.floor(clock.now() / 60_000) * 60_000).toISOString(),
  ]);
  const runs = minutes.map(({ connected }) => connected).filter((count, place, all) => count !== all[place - 1]);
  expect(runs).toEqual([0, 2, 1, 2, 1]);
  expect(minutes.filter(({ logins }) => logins > 0).map(({ logins }) => logins)).toEqual([2]);
  expect(minutes.at(-1)).toMatchObject({ connected: 1, logins: 0, lost: 1 });
  expect(await history(asOwner)).toEqual(minutes);
  expect([(await history(asOwner, '24h')).length, (await history(asOwner, '7d')).length]).toEqual([145, 169]);
  expect(await stats(asOwner)).not.toHaveProperty('history');
  expect(await on.gate.call('GET', '/sessions/stats?history=1', { headers: asOwner })).toMatchObject({ status: 400 });
});
