import { createHash } from 'node:crypto';
import { createWebSocketReceiver } from '@statelyai/inspect';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AuditEntry } from '../../../src/audit/audit-entry-schema.ts';
import { bob, bobsPassword, openScene, type Scene, type SessionBody } from '../../support/e2e/scene.ts';
import { asMessage, inShort, lookOn, type Message } from '../../support/inspector/inspector-messages.ts';

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.close());

const mark = 'm4rk';
const personalFields = ['generatedId', 'name', 'username', 'phone', 'passwordHint', 'picture', 'qrcode'];

it('[IN2.1] [IN2.2] shows a whole life at a real gateway, and nothing secret or personal of it', async () => {
  const messages: Message[] = [];
  let check = (): void => {};
  const receiver = createWebSocketReceiver({ server: `${scene.gateway.url.replace('http', 'ws')}/inspector` });
  receiver.subscribe((event) => {
    messages.push(asMessage(event));
    check();
  });
  const until = (isSo: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      check = () => void (isSo() && resolve());
      check();
    });
  await scene.create();
  // Whoever is created from now on is seen from the start.
  await until(() => messages.length > 0);
  const caller = await scene.create({
    name: mark,
    metadata: { desk: mark },
    webhook: { url: `https://hooks.example/${mark}`, token: mark },
  });
  const seen: SessionBody[] = [];
  const read = async (wanted?: (session: SessionBody) => boolean): Promise<void> => {
    seen.push(await scene.read(caller, wanted));
  };
  const link = await scene.qrLink(caller);
  await read();
  await scene.scan(caller, bob);
  await read((session) => session.isPasswordRequired);
  for (const password of [`wrong ${mark}`, bobsPassword]) {
    await scene.request(caller, 'POST', '/session/password', { password });
  }
  await read((session) => session.isConnected);
  await scene.request(caller, 'PUT', '/session/webhook', { url: '', token: '' });
  await scene.request(caller, 'POST', '/session/reset', {});
  await scene.qrLink(caller, link);
  await read();
  await scene.request(caller, 'DELETE', '/session');
  await until(() => messages.at(-1)?.snapshot?.value === 'deleted');
  const life = messages.filter(({ sessionId }) => sessionId === caller.id);

  const audit = await scene.gateway.http.request<{ docs: AuditEntry[] }>('GET', `/sessions/${caller.id}/events`);
  const { docs } = audit.body;
  expect(docs.length).toBeGreaterThan(8);
  expect(life.map(inShort)).toEqual([
    'actor qrPending',
    ...docs.flatMap(({ type, seq, state }) => [`${type} ${seq}`, `→ ${state}`]),
  ]);
  const events = life.filter(({ type }) => type === '@xstate.event').map(({ event }) => event);
  expect(events).toEqual(
    docs.map(({ seq, type, reason, data }) => ({ type: expect.any(String), fact: type, seq, reason, ...data })),
  );

  const replayed = await lookOn(`${scene.gateway.url}/inspector?session=${caller.id}&replay=1`);
  await replayed.ended;
  expect(replayed.messages).toEqual(life);

  const text = JSON.stringify(messages);
  const unsaid = [
    ...seen.flatMap((session) => personalFields.map((field) => String(session[field]))),
    link,
    link.replace(/^.*token=/, ''),
    caller.sessionId,
    bobsPassword,
    mark,
    'hooks.example',
    createHash('sha256').update(caller.sessionId).digest('hex'),
  ].filter((secret) => secret !== '');
  expect(unsaid.length).toBeGreaterThan(12);
  expect(unsaid.filter((secret) => text.includes(secret))).toEqual([]);
  // Nor what is sealed: the log has it, and nobody else needs it.
  const sealed = new Set(['link', 'hint', 'account', 'picture', 'secretHash', 'webhook', 'metadata', 'name']);
  expect(events.flatMap((event) => Object.keys(event ?? {})).filter((name) => sealed.has(name))).toEqual([]);
});

it('[IN2.1] takes up the thread at a gateway that has come back', async () => {
  const caller = await scene.connected();
  const { messages, ended, until } = await lookOn(`${scene.gateway.url}/inspector`);
  await until(() => messages.length > 0);
  await scene.restart();
  expect((await ended).code).toBe(1001);
  expect(messages.map(inShort)).toEqual(['actor connected']);
  const again = await lookOn(`${scene.gateway.url}/inspector?session=${caller.id}`);
  await again.until(() => again.messages.length > 0);
  expect(['actor connected', 'actor disconnected']).toContain(again.of(caller.id)[0]);
  again.socket.close();
});
