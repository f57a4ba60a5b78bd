import { afterEach, expect, it } from 'vitest';
import type { AuditEntry } from '../../../src/audit/audit-entry-schema.ts';
import { ann, openScene, type Scene } from '../../support/e2e/scene.ts';
import { StreamClient } from '../../support/kit/stream-client.ts';

let scene: Scene;
afterEach(() => scene?.close());

it('[AD3.1] a client that comes back after each of five crashes has seen every event once', async () => {
  scene = await openScene();
  const caller = await scene.connected(ann);
  const client = new StreamClient(caller.headers);
  for (let crash = 0; crash < 5; crash++) {
    const target = client.seen.length + 1 + (crash % 2);
    await scene.whilePassing(client.read(scene.gateway.url, () => client.seen.length >= target));
    await scene.restart();
    await scene.whilePassing(scene.read(caller, (session) => session.isConnected));
  }
  const { body } = await scene.request<{ docs: AuditEntry[] }>(caller, 'GET', '/session/events?limit=1000');
  await scene.whilePassing(client.read(scene.gateway.url, () => client.seen.length >= body.docs.length));
  expect(client.seen).toEqual(body.docs);
  expect(client.seen.map(({ seq }) => seq)).toEqual(client.seen.map((_, index) => index + 1));
  expect(client.seen.filter(({ type }) => type === 'GatewayRestarted')).toHaveLength(5);
});
