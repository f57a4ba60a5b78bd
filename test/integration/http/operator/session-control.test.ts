import { expect, it } from 'vitest';
import { linkFact } from '../../../support/actors/scripted-link.ts';
import type { TestApp } from '../../../support/gateway/http-app.ts';
import { asOwner, createAs, issueKey, ownerKey } from '../../../support/gateway/issue-key.ts';
import { useListeningApp } from '../../../support/inspector/listening-app.ts';
import { StreamClient } from '../../../support/kit/stream-client.ts';

/** What an operator does with a session that is not theirs. */

const on = useListeningApp();
const refused = (statusCode: number, message: string) => ({ status: statusCode, body: { statusCode, message } });
const scopes = ['sessions:create', 'sessions:control'] as const;

async function open() {
  await on.restart({ apiKey: ownerKey });
  const operator = await issueKey(on.gate, scopes, { name: 'operator' });
  const session = await createAs(on.gate, operator);
  const call: TestApp['call'] = (...given) => on.gate.call(...given);
  const told = async (): Promise<unknown[]> => {
    const { body } = await call('GET', `/sessions/${session.id}/events`, { headers: asOwner });
    return (body['docs'] as { type: string; data: { by: string } }[]).map(({ type, data }) => `${type} by ${data.by}`);
  };
  return { operator, session, call, told };
}

it('[OS2.1] deletes, resets, and turns the webhook off, and nothing personal is in the responses', async () => {
  const { operator, session, call, told } = await open();
  const { headers } = operator;
  const path = `/sessions/${session.id}`;
  await call('PUT', '/session/webhook', { headers: session, body: { url: 'https://h.example/', token: 't0ken' } });
  await on.gate.links.of(session.id).report(linkFact('LoggedIn', 1));

  const reset = await call('POST', `${path}/reset`, { headers });
  expect(reset).toMatchObject({ status: 200 });
  expect(reset.body).toEqual({ id: session.id, state: 'qrPending', deadline: '2026-01-01T00:03:00.000Z' });

  const webhook = { url: 'https://h.example/other', token: 't0ken' };
  expect(await call('PUT', `${path}/webhook`, { headers, body: webhook })).toMatchObject(
    refused(403, 'scope accounts is required'),
  );
  expect((await call('PUT', `${path}/webhook`, { headers, body: {} })).body).toEqual({
    id: session.id,
    hasWebhook: false,
  });
  const both = await issueKey(on.gate, ['sessions:control', 'accounts'], { name: 'both' });
  const set = await call('PUT', `${path}/webhook`, { headers: both.headers, body: webhook });
  expect(set.body).toEqual({ id: session.id, hasWebhook: true });
  expect((await call('GET', '/session/webhook', { headers: session })).body['webhook']).toEqual(webhook);

  expect((await call('DELETE', path, { headers })).body).toEqual({ id: session.id });
  expect(await call('GET', '/session', { headers: session })).toMatchObject(refused(404, 'session not found'));
  for (const [method, url] of [
    ['DELETE', path],
    ['POST', `${path}/reset`],
    ['PUT', `${path}/webhook`],
    ['POST', '/sessions/unknown/reset'],
  ] as const) {
    expect(await call(method, url, { headers })).toMatchObject(refused(404, 'session not found'));
  }
  expect(await told()).toEqual([
    'SessionCreated by operator',
    'WebhookSet by session',
    'LoggedIn by telegram',
    'SessionReset by operator',
    'WebhookSet by operator',
    'WebhookSet by both',
    'SessionDeleted by operator',
  ]);
});

it('[OS2.2] a new secret: the one before opens nothing, and its streams close', async () => {
  const { operator, session, call, told } = await open();
  expect(await call('POST', `/sessions/${session.id}/secret`, { headers: operator.headers })).toMatchObject(
    refused(403, 'scope accounts is required'),
  );
  const client = new StreamClient(session);
  const ended = client.read(on.url, () => false);
  while (client.seen.length === 0) await new Promise(setImmediate);
  const both = await issueKey(on.gate, ['sessions:control', 'accounts'], { name: 'both' });
  const { status, body } = await call('POST', `/sessions/${session.id}/secret`, { headers: both.headers });
  expect(status).toBe(200);
  await ended;
  const renewed = { id: session.id, 'session-id': String(body['sessionId']) };
  expect(renewed['session-id']).toMatch(/^[\w-]{43}$/);
  expect(body).toEqual({ id: session.id, sessionId: renewed['session-id'] });
  expect(await call('GET', '/session', { headers: session })).toMatchObject(refused(404, 'session not found'));
  const shown = await call('GET', '/session', { headers: renewed });
  expect(shown).toMatchObject({ status: 200, body: { sessionId: renewed['session-id'] } });
  expect(await told()).toEqual(['SessionCreated by operator', 'SecretRotated by both']);
  const stored = [];
  for await (const event of on.gate.store.read(`session-${session.id}`)) stored.push(JSON.stringify(event.data));
  expect(stored.join()).not.toContain(renewed['session-id']);
});
