import { expect, it, onTestFinished } from 'vitest';
import { bobsPassword, type Caller, openScene, type Scene } from '../../support/e2e/scene.ts';
import type { Answer } from '../../support/gateway/gateway.ts';
import { onKurrentDbAt } from '../../support/gateway/kurrentdb-environment.ts';
import { KurrentDbDouble } from '../../support/kurrentdb-double/server.ts';
import { placeOn } from '../../support/store/kurrent-place.ts';

const minuteMs = 60_000;

/** A gateway on a KurrentDB server, and a session of Ann's on it. */
async function openOn(server: KurrentDbDouble): Promise<{ scene: Scene; caller: Caller }> {
  const scene = await openScene({ environment: onKurrentDbAt(placeOn(server)) });
  onTestFinished(async () => {
    await scene.whilePassing(scene.close());
    await server.stop();
  });
  return { scene, caller: await scene.connected() };
}

const typesOf = (server: KurrentDbDouble, { id }: Caller): string[] =>
  server.log.all.filter(({ stream }) => stream === `session-${id}`).map(({ type }) => type);

/** After its server is back. Between two connections a gRPC client waits for some time that no test drives. */
async function untilReady(scene: Scene): Promise<void> {
  for (;;) {
    await scene.pass(1000);
    const { status } = await scene.gateway.http.request('GET', '/health/ready');
    if (status === 200) return;
  }
}

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

it.each([
  ['a minute', minuteMs],
  ['ten minutes', 10 * minuteMs],
])('goes on reading and refuses to write for %s without its event store', async (_, downMs) => {
  const server = await new KurrentDbDouble().start();
  const { scene, caller } = await openOn(server);
  const before = typesOf(server, caller);
  await server.stop();
  for (let left = downMs; left > 0; left -= minuteMs / 2) {
    const answer = await scene.whilePassing(scene.request(caller, 'DELETE', '/session'));
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
    expect(answer.body).toEqual({ statusCode: 503, message: 'the event store is not available' });
    expect(await scene.read(caller)).toMatchObject({ isConnected: true, name: 'Ann Lee' });
    await scene.pass(minuteMs / 2);
  }
  const health = await scene.gateway.http.request('GET', '/health/ready');
  expect([health.status, health.body['message']]).toEqual([503, 'event store does not answer']);

  await server.start();
  await untilReady(scene);
  expect(typesOf(server, caller)).toEqual(before);
  const deleted = scene.request(caller, 'DELETE', '/session');
  expect((await scene.whilePassing(deleted)).status).toBe(200);
  // Behind it comes `LoggedOut`, when Telegram has answered.
  expect(typesOf(server, caller).filter((type) => type !== 'LoggedOut')).toEqual([...before, 'SessionDeleted']);
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
