import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { linkFact } from '../../../support/actors/scripted-link.ts';
import { type SessionHeaders, startTestApp, type TestApp } from '../../../support/gateway/http-app.ts';
import { StreamClient } from '../../../support/kit/stream-client.ts';

let gate: TestApp;
let url: string;
beforeEach(async () => {
  gate = await startTestApp();
  await gate.app.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(gate.app.server.address() as AddressInfo).port}`;
});
afterEach(() => gate.close());

async function cutAndRestore(headers: SessionHeaders): Promise<void> {
  await gate.links.of(headers.id).report(linkFact('ConnectionLost', 1));
  await gate.links.of(headers.id).report(linkFact('ConnectionRestored', 1));
}

it('[AD3.1] a client that is cut 100 times sees every event once', async () => {
  const headers = await gate.session();
  await gate.connect(headers);
  const client = new StreamClient(headers);
  for (let round = 0; round < 100; round++) {
    // In turn: what was there before, what comes while it listens, and an event in the middle of both.
    const target = client.seen.length + 1 + (round % 3);
    const reading = client.read(url, () => client.seen.length >= target);
    await cutAndRestore(headers);
    await cutAndRestore(headers);
    await reading;
  }
  await client.read(url, () => client.seen.length >= 402);
  expect(client.seen.map(({ seq }) => seq)).toEqual(Array.from({ length: 402 }, (_, index) => index + 1));
});

it('[AD3.2] ends with the session', async () => {
  const headers = await gate.session();
  const client = new StreamClient(headers);
  const reading = client.read(url, () => false);
  while (client.seen.length === 0) await new Promise(setImmediate);
  await gate.call('DELETE', '/session', { headers });
  await reading;
  expect(client.seen.at(-1)).toMatchObject({ type: 'SessionDeleted', state: 'deleted' });
});

it('[AD3.2] of a deleted session ends at once for a reader that has seen everything', async () => {
  const headers = await gate.session();
  await gate.call('DELETE', '/session', { headers });
  for (const last of ['2', '999']) {
    const client = new StreamClient({ 'last-event-id': last });
    await client.read(url, () => false, `/sessions/${headers.id}/stream`);
    expect(client.seen).toEqual([]);
  }
});

it('[AD3.3] begins at the end of the log for a reader that claims to have seen more, and says so', async () => {
  const headers = await gate.session();
  const client = new StreamClient({ ...headers, 'last-event-id': '999' });
  const reading = client.read(url, () => client.seen.length > 0);
  while (!client.text.includes('begins after 1')) await new Promise(setImmediate);
  await gate.connect(headers);
  await reading;
  expect(client.seen.map(({ seq }) => seq)).toEqual([2]);
});

it('[AD3.2] shows that it lives when nothing happens', async () => {
  const headers = await gate.session();
  const client = new StreamClient(headers);
  const reading = client.read(url, () => client.text.includes('still here'));
  while (client.seen.length === 0) await new Promise(setImmediate);
  await gate.clock.advance(15_000);
  await reading;
  expect(client.seen).toHaveLength(1);
});

it('[OP2.2] is ended when the service shuts down, and nothing is left listening', async () => {
  const headers = await gate.session();
  const client = new StreamClient(headers);
  const reading = client.read(url, () => false);
  while (client.seen.length === 0) await new Promise(setImmediate);
  await gate.app.close();
  await reading;
  expect(client.seen).toHaveLength(1);
});

it('[AD3.1] refuses a last event that is none', async () => {
  const headers = await gate.session();
  const { status, body } = await gate.call('GET', '/session/stream', { headers: { ...headers, 'last-event-id': 'x' } });
  expect([status, body['message']]).toEqual([400, 'last-event-id must be a number']);
});
