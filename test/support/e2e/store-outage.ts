import { expect, onTestFinished } from 'vitest';
import { onKurrentDbAt } from '../gateway/kurrentdb-environment.ts';
import { KurrentDbDouble } from '../kurrentdb-double/server.ts';
import { placeOn } from '../store/kurrent-place.ts';
import { type Caller, openScene, type Scene } from './scene.ts';

const halfMinuteMs = 30_000;

/** A gateway on a KurrentDB server, and a session of Ann's on it. */
export async function openOn(server: KurrentDbDouble): Promise<{ scene: Scene; caller: Caller }> {
  const scene = await openScene({ environment: onKurrentDbAt(placeOn(server)) });
  onTestFinished(async () => {
    await scene.whilePassing(scene.close());
    await server.stop();
  });
  return { scene, caller: await scene.connected() };
}

export const typesOf = (server: KurrentDbDouble, { id }: Caller): string[] =>
  server.log.all.filter(({ stream }) => stream === `session-${id}`).map(({ type }) => type);

/** After its server is back. Between two connections a gRPC client waits for some time that no test drives. */
export async function untilReady(scene: Scene): Promise<void> {
  for (;;) {
    await scene.pass(1000);
    const { status } = await scene.gateway.http.request('GET', '/health/ready');
    if (status === 200) return;
  }
}

/**
 * A gateway whose server is down for this long reads and refuses to write meanwhile, and deletes its session after it.
 * The types of the session's events before and after it.
 */
export async function liveThroughOutage(downMs: number): Promise<{ before: string[]; after: string[] }> {
  const server = await new KurrentDbDouble().start();
  const { scene, caller } = await openOn(server);
  const before = typesOf(server, caller);
  await server.stop();
  for (let left = downMs; left > 0; left -= halfMinuteMs) {
    const answer = await scene.whilePassing(scene.request(caller, 'DELETE', '/session'));
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
    expect(answer.body).toEqual({ statusCode: 503, message: 'the event store is not available' });
    expect(await scene.read(caller)).toMatchObject({ isConnected: true, name: 'Ann Lee' });
    await scene.pass(halfMinuteMs);
  }
  const health = await scene.gateway.http.request('GET', '/health/ready');
  expect([health.status, health.body['message']]).toEqual([503, 'event store does not answer']);

  await server.start();
  await untilReady(scene);
  expect(typesOf(server, caller)).toEqual(before);
  const deleted = scene.request(caller, 'DELETE', '/session');
  expect((await scene.whilePassing(deleted)).status).toBe(200);
  // Behind it comes `LoggedOut`, when Telegram has answered.
  return { before, after: typesOf(server, caller).filter((type) => type !== 'LoggedOut') };
}
