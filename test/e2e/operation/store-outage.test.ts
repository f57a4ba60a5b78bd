import { expect, it } from 'vitest';
import { bobsPassword } from '../../support/e2e/scene.ts';
import { liveThroughOutage, openOn, typesOf, untilReady } from '../../support/e2e/store-outage.ts';
import type { Answer } from '../../support/gateway/gateway.ts';
import { KurrentDbDouble } from '../../support/kurrentdb-double/server.ts';

const minuteMs = 60_000;

it('[SE7.2] keeps its sessions on KurrentDB, over a restart', async () => {
  const server = await new KurrentDbDouble().start();
  const { scene, caller } = await openOn(server);
  await scene.restart();
  await scene.gateway.started;
  const session = await scene.read(caller, ({ isConnected }) => isConnected);
  expect(session.name).toBe('Ann Lee');
  expect(typesOf(server, caller)).toContain('LoggedIn');
});

it('[OP2.2] waits for an event store that is away at the start, and says so', async () => {
  const server = await new KurrentDbDouble().start();
  const { scene, caller } = await openOn(server);
  await scene.gateway.crash();
  await server.stop();
  await scene.whilePassing(scene.restart());

  const health = await scene.gateway.http.request('GET', '/health/ready');
  expect(health.status).toBe(503);
  expect(health.body['message']).toContain('event store does not answer');
  expect((await scene.gateway.http.request('GET', '/health/live')).status).toBe(200);
  for (const method of ['GET', 'DELETE']) {
    const answer = await scene.request(caller, method, '/session');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
  }

  await server.start();
  await scene.whilePassing(scene.gateway.started);
  expect((await scene.gateway.http.request('GET', '/health/ready')).status).toBe(200);
  expect((await scene.read(caller, ({ isConnected }) => isConnected)).id).toBe(caller.id);
});

it('bridges a second without its event store', async () => {
  const server = await new KurrentDbDouble().start();
  const { scene, caller } = await openOn(server);
  await server.stop();
  const deleted = scene.request(caller, 'DELETE', '/session');
  await scene.pass(1000);
  await server.start();
  expect((await scene.whilePassing(deleted)).status).toBe(200);
  expect(typesOf(server, caller).filter((type) => type === 'SessionDeleted')).toHaveLength(1);
});

it('goes on reading and refuses to write for a minute without its event store', async () => {
  const { before, after } = await liveThroughOutage(minuteMs);
  expect(after).toEqual([...before, 'SessionDeleted']);
});

it('[FA2.3] tells that the connection is lost although that cannot be recorded', async () => {
  const server = await new KurrentDbDouble().start();
  const { scene, caller } = await openOn(server);
  const before = typesOf(server, caller);
  await server.stop();
  await scene.sandbox.call('POST', '/network', { action: 'refuse' });
  await scene.sandbox.call('POST', '/network', { action: 'cut' });
  await scene.pass(30_000);
  expect(await scene.read(caller)).toMatchObject({ isConnected: false, isPasswordRequired: false, qrcode: '' });
  await scene.sandbox.call('POST', '/network', { action: 'accept' });
  await scene.pass(30_000);
  expect(await scene.read(caller)).toMatchObject({ isConnected: true, name: 'Ann Lee' });
  expect(typesOf(server, caller)).toEqual(before);
  await server.start();
  await untilReady(scene);
  await scene.pass(minuteMs);
  expect(typesOf(server, caller)).toEqual([...before, 'ConnectionLost', 'ConnectionRestored']);
  expect(await scene.read(caller)).toMatchObject({ isConnected: true });
});

it('[FA2.4] answers a password that cannot be recorded with 503 in seconds, and records it later', async () => {
  const server = await new KurrentDbDouble().start();
  const { scene } = await openOn(server);
  const caller = await scene.awaitingPassword();
  await server.stop();
  const give = (): Promise<Answer> => scene.request(caller, 'POST', '/session/password', { password: bobsPassword });
  const given = give();
  // Its proof is calculated on another thread, for which time has to stand still.
  while ((await scene.sandbox.call<unknown[]>('GET', '/calls?method=auth.checkPassword')).length === 0) {
    await scene.clock.settle();
  }
  const from = scene.clock.now();
  for (const answer of [await scene.whilePassing(given), await scene.whilePassing(give())]) {
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
  }
  expect(scene.clock.now() - from).toBeLessThan(10_000);
  await server.start();
  await untilReady(scene);
  await scene.pass(minuteMs);
  expect(await scene.read(caller)).toMatchObject({ isConnected: true, name: 'Bob Stone' });
  expect(typesOf(server, caller).filter((type) => type === 'LoggedIn')).toHaveLength(1);
});
