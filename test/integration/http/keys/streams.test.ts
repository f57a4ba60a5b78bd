import { once } from 'node:events';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { linkFact } from '../../../support/actors/scripted-link.ts';
import { asOwner, createAs, issueKey, ownerKey } from '../../../support/gateway/issue-key.ts';
import { look, lookOn, refused } from '../../../support/inspector/inspector-messages.ts';
import { useListeningApp } from '../../../support/inspector/listening-app.ts';
import { StreamClient } from '../../../support/kit/stream-client.ts';

/** What was opened with a key, and what it shows. */

const on = useListeningApp();
const hourMs = 3_600_000;
const reading = ['sessions:create', 'sessions:read'] as const;
const inspect = (key: string, query = '') =>
  look(`${on.url}/inspector${query}`, ['inspector', `key.${Buffer.from(key).toString('base64url')}`]);

async function openStream(headers: Record<string, string>, path: string): Promise<{ ended: Promise<void> }> {
  const client = new StreamClient(headers);
  const ended = client.read(on.url, () => false, path);
  while (client.seen.length === 0) await new Promise(setImmediate);
  return { ended };
}

it('[KY1.5] streams of a key close when it is revoked, and no others', async () => {
  await on.restart({ apiKey: ownerKey });
  const [ending, staying] = [await issueKey(on.gate, reading), await issueKey(on.gate, reading)];
  const { id } = await createAs(on.gate, ending);
  const user = await issueKey(on.gate, ['accounts']);
  const [audit, own] = [
    await openStream(ending.headers, `/sessions/${id}/stream`),
    await openStream({ id, ...user.headers }, '/session/stream'),
  ];
  const watching = await lookOn(`${on.url}/inspector`, [
    'inspector',
    `key.${Buffer.from(ending.key).toString('base64url')}`,
  ]);
  const other = await lookOn(`${on.url}/inspector`, [
    'inspector',
    `key.${Buffer.from(staying.key).toString('base64url')}`,
  ]);
  await on.gate.call('DELETE', `/keys/${ending.id}`, { headers: asOwner });
  await audit.ended;
  expect(await watching.ended).toEqual({ code: 1008, reason: 'the key has ended' });
  await on.gate.call('DELETE', `/keys/${user.id}`, { headers: asOwner });
  await own.ended;
  const before = other.messages.length;
  await on.gate.links.of(id).report(linkFact('LoggedIn', 1));
  await other.until(() => other.messages.length > before);
  other.socket.terminate();
});

it('[KY1.5] the stream of all sessions, and the socket of a reader, close when their key is revoked', async () => {
  await on.restart({ apiKey: ownerKey });
  const [reader, user] = [await issueKey(on.gate, reading), await issueKey(on.gate, ['accounts'])];
  const { id } = await createAs(on.gate, reader);
  const changes = new StreamClient(reader.headers);
  const ended = changes.read(on.url, () => false, '/sessions/stream');
  while (!changes.text.includes('retry')) await new Promise(setImmediate);
  const socket = new WebSocket(`${on.url.replace('http', 'ws')}/session/messages?reader=desk`, {
    headers: { id, ...user.headers },
  });
  await once(socket, 'open');
  const closed = once(socket, 'close');
  await on.gate.call('DELETE', `/keys/${reader.id}`, { headers: asOwner });
  await ended;
  expect(socket.readyState).toBe(WebSocket.OPEN);
  await on.gate.call('DELETE', `/keys/${user.id}`, { headers: asOwner });
  const [code] = (await closed) as [number];
  expect(code).toBe(1008);
});

it('[KY1.5] streams of a key close when it expires', async () => {
  await on.restart({ apiKey: ownerKey });
  const expires = new Date(on.gate.clock.now() + hourMs).toISOString();
  const key = await issueKey(on.gate, reading, { expires });
  const { id } = await createAs(on.gate, key);
  await on.gate.links.of(id).report(linkFact('LoggedIn', 1));
  const { ended } = await openStream(key.headers, `/sessions/${id}/stream`);
  await on.gate.clock.advance(hourMs);
  await ended;
  expect((await on.gate.call('GET', '/sessions', { headers: key.headers })).status).toBe(401);
});

it('[KY5.2] the inspector is not for a key with chats', async () => {
  await on.restart({ apiKey: ownerKey });
  const bound = await issueKey(on.gate, reading, { chats: ['1002'] });
  const message = 'a key with chats may not do this';
  expect(await inspect(bound.key)).toEqual({ status: 403, body: { statusCode: 403, message } });
});

it('[KY2.1] [KY2.2] the inspector shows a key the sessions of its tenant alone', async () => {
  await on.restart({ apiKey: ownerKey });
  const [acme, other] = [
    await issueKey(on.gate, reading, { tenant: 'acme' }),
    await issueKey(on.gate, reading, { tenant: 'other' }),
  ];
  const before = [await createAs(on.gate, acme), await createAs(on.gate, other)];
  const looking = await inspect(acme.key);
  if ('status' in looking) throw new Error('refused');
  const after = [await createAs(on.gate, other), await createAs(on.gate, acme)];
  await looking.until(() => looking.messages.some(({ sessionId }) => sessionId === after[1]?.id));
  const shown = new Set(looking.messages.map(({ sessionId }) => sessionId));
  expect(shown).toEqual(new Set([before[0]?.id, after[1]?.id]));
  looking.socket.terminate();
  const notFound = { status: 404, body: { statusCode: 404, message: 'session not found' } };
  expect(await inspect(acme.key, `?session=${before[1]?.id}`)).toEqual(notFound);
  expect(await inspect(acme.key, '?session=unknown')).toEqual(notFound);
  const creator = await issueKey(on.gate, ['sessions:create']);
  expect(await inspect(creator.key)).toMatchObject({
    status: 403,
    body: { message: 'scope sessions:read is required' },
  });
  expect(await refused(`${on.url}/inspector`)).toMatchObject({ status: 401 });
});
