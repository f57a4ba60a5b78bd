import { expect, it, onTestFinished } from 'vitest';
import { loadProgress } from '../../../../src/webhook/stream/stored-progress.ts';
import { KurrentDbDouble } from '../../../support/kurrentdb-double/server.ts';
import { texts, World } from '../../../support/webhook/world.ts';

const saveMs = 250;

it('[WH4.1] a place in the deliveries is saved once if the answer is lost, also by a server that forgets', async () => {
  const server = await new KurrentDbDouble().start();
  const world = await new World(server.url).begin();
  onTestFinished(async () => {
    await world.end();
    await server.stop();
  });
  const id = await world.session();
  const arrive = async (text: string): Promise<void> => {
    await world.arrive(id, [{ text, from: 2000 }]);
    await world.settle();
  };
  const saves = (): number => server.log.lastRevision(`outbox-${id}`) + 1;
  const deliver = async (text: string): Promise<void> => {
    await arrive(text);
    server.faults.lostAnswers = 1;
    const before = saves();
    await world.pass(4 * saveMs);
    expect([server.faults.lostAnswers, saves() - before]).toEqual([0, 1]);
  };
  server.faults.forgets = () => true;
  const sent = Array.from({ length: 20 }, (_, index) => `text ${index}`);
  for (const text of sent) await deliver(text);
  const { store, reportUnreadable } = world;
  expect(await loadProgress({ store, reportUnreadable }, id, 1)).toMatchObject({
    upTo: { seq: sent.length },
    chats: {},
  });
  await world.kill();
  await world.start();
  await arrive('after the restart');
  expect(texts(world.received)).toEqual([...sent, 'after the restart']);
  expect(world.received).toHaveLength(sent.length + 1);
  expect(await world.dispatcher.status(id)).toMatchObject({ pending: 0, parked: 0 });
  expect([...world.unreadable]).toEqual([]);
});
