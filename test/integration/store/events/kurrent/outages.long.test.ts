import { beforeEach, expect, it } from 'vitest';
import { passTime, settleNetwork, whileTimePasses } from '../../../../support/kit/passing-time.ts';
import { collect, idsOf, newEvent } from '../../../../support/store/contract/given.ts';
import { type KurrentScene, openKurrentScene } from '../../../../support/store/kurrent-scene.ts';

let clock: KurrentScene['clock'];
let server: KurrentScene['server'];
let openStore: KurrentScene['openStore'];
let appendInTheEnd: KurrentScene['appendInTheEnd'];
beforeEach(async () => {
  ({ clock, server, openStore, appendInTheEnd } = await openKurrentScene());
});

it('a server that is down while many appends are under way loses none, doubles none, and takes nobody down', async () => {
  const { store } = openStore();
  const events = Array.from({ length: 100 }, () => newEvent({ text: 'x'.repeat(100_000) }));
  const writing = Promise.all(events.map((event, index) => appendInTheEnd(store, `session-${index}`, [event])));
  await settleNetwork();
  await server.stop();
  await passTime(clock, 5000);
  await server.start();
  await whileTimePasses(clock, writing);
  const all = await collect(store.readAll({ prefixes: ['session-'] }));
  expect(idsOf(all).toSorted()).toEqual(idsOf(events).toSorted());
});
