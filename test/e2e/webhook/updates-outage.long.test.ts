import { expect, it, onTestFinished } from 'vitest';
import { faultsOf, textsOf } from '../../support/e2e/deliveries.ts';
import { ann, bob, type Caller } from '../../support/e2e/scene.ts';
import { openUpdatesScene, type UpdatesScene } from '../../support/e2e/updates-scene.ts';
import { onKurrentDbAt } from '../../support/gateway/kurrentdb-environment.ts';
import { KurrentDbDouble } from '../../support/kurrentdb-double/server.ts';
import { placeOn } from '../../support/store/kurrent-place.ts';

/** A gateway on a KurrentDB server, and Ann's session with a webhook on it. */
async function openOn(server: KurrentDbDouble): Promise<{ scene: UpdatesScene; caller: Caller }> {
  const scene = await openUpdatesScene({ environment: onKurrentDbAt(placeOn(server)) }, placeOn(server));
  onTestFinished(async () => {
    await scene.close();
    await server.stop();
  });
  return { scene, caller: await scene.annWithWebhook() };
}

const numbered = (count: number, from = 1): string[] =>
  Array.from({ length: count }, (_, index) => `text ${from + index}`);

it.each([
  ['a few messages, which are kept at hand', 5],
  ['more messages than are kept at hand, which Telegram keeps', 700],
])('[WH4.1] an event store that is away loses nothing and turns nothing around: %s', async (_, count) => {
  const server = await new KurrentDbDouble().start();
  const { scene, caller } = await openOn(server);
  await scene.write(bob, ann, 'text 1');
  await scene.delivered(caller, 1);
  await server.stop();
  for (const text of numbered(count, 2)) await scene.write(bob, ann, text);
  await scene.pass(90_000);
  await scene.write(bob, ann, `text ${count + 2}`);
  await server.start();
  await scene.pass(60_000);
  const deliveries = await scene.delivered(caller, count + 2);
  expect(textsOf(deliveries)).toEqual(numbered(count + 2));
  expect(faultsOf(deliveries)).toEqual([]);
});

it('[WH5.2] a gateway that dies while its event store is away asks Telegram again', async () => {
  const server = await new KurrentDbDouble().start();
  const { scene, caller } = await openOn(server);
  await scene.write(bob, ann, 'text 1');
  await scene.delivered(caller, 1);
  await server.stop();
  for (const text of numbered(3, 2)) await scene.write(bob, ann, text);
  await scene.pass(5_000);
  await scene.whilePassing(scene.gateway.crash());
  await server.start();
  await scene.restart();
  await scene.whilePassing(scene.gateway.started);
  await scene.read(caller, ({ isConnected }) => isConnected);
  await scene.write(bob, ann, 'text 5');
  const deliveries = await scene.delivered(caller, 5);
  expect(textsOf(deliveries)).toEqual(numbered(5));
  expect(faultsOf(deliveries)).toEqual([]);
});
