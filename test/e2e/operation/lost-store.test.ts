import { expect, it, onTestFinished } from 'vitest';
import { StartError } from '../../../src/errors/gateway-error.ts';
import { openScene } from '../../support/e2e/scene.ts';
import { onKurrentDbAt } from '../../support/gateway/kurrentdb-environment.ts';
import { failureOf } from '../../support/kit/failure-of.ts';
import { KurrentDbDouble } from '../../support/kurrentdb-double/server.ts';
import { placeOn } from '../../support/store/kurrent-place.ts';

/** A gateway with a connected session on a server, and a way to put an empty server in its place. */
async function openOnServer() {
  const server = await new KurrentDbDouble().start();
  const scene = await openScene({ environment: onKurrentDbAt(placeOn(server)) });
  const caller = await scene.connected();
  const empty = new KurrentDbDouble();
  onTestFinished(async () => {
    await scene.close().catch(() => {});
    await server.stop();
    await empty.stop();
  });
  const comeBackEmpty = async (): Promise<void> => {
    await server.stop();
    empty.port = server.port;
    await empty.start();
  };
  return { scene, caller, comeBackEmpty, empty };
}

/** What was written there, besides the server's own. */
const ownStreams = (server: KurrentDbDouble): string[] =>
  server.log.all.map(({ stream }) => stream).filter((stream) => !stream.startsWith('$'));

it('[FA4.1] a KurrentDB that is empty at the start is refused', async () => {
  const { scene, comeBackEmpty, empty } = await openOnServer();
  await scene.pass(1_000);
  await scene.gateway.crash();
  await comeBackEmpty();
  const error = await failureOf(scene.whilePassing(scene.restart()));
  expect(error).toBeInstanceOf(StartError);
  expect((error as Error).message).toMatch(
    /^the event store kurrentdb:\/\/127\.0\.0\.1:\d+ is not as .+store\.json remembers it: it is empty, or older\. .+ACCEPT_OLDER_STORE=true/,
  );
  expect(ownStreams(empty)).toEqual([]);
});

it('[FA4.3] a KurrentDB that comes back empty is noticed by the next append, and no login is given up', async () => {
  const { scene, caller, comeBackEmpty, empty } = await openOnServer();
  await scene.pass(1_000);
  const failure = failureOf(scene.gateway.failed);
  await comeBackEmpty();
  await scene.whilePassing(scene.request(caller, 'DELETE', '/session'));
  expect(await scene.whilePassing(failure)).toBeInstanceOf(StartError);
  await scene.gateway.crash();
  expect(ownStreams(empty)).toEqual([]);
  const devices = await scene.sandbox.call<unknown[]>('GET', '/accounts/1001/devices');
  expect(devices.length).toBeGreaterThan(0);
});
