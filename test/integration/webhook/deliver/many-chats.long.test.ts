import { afterEach, beforeEach, expect, it } from 'vitest';
import { texts, World } from '../../../support/webhook/world.ts';

const hourMs = 3_600_000;
/** More than are kept in memory. */
const chats = 150;

let world: World;
let id: string;
beforeEach(async () => {
  world = await new World().begin();
  id = await world.session();
});
afterEach(() => world.end());

const messages = (word: string): { text: string; from: number }[] =>
  Array.from({ length: chats }, (_, index) => ({ text: `${word} ${index}`, from: 10_000 + index }));

it('[WH4.3] the backlog of an endpoint that is down is up to 24 h old, however many chats it is of', async () => {
  world.behaviour = (response) => void response.writeHead(503).end();
  await world.arrive(id, messages('first'));
  await world.pass(2 * hourMs);
  // These have their own 24 h.
  await world.arrive(id, messages('second'));
  await world.pass(22.5 * hourMs);
  expect(await world.dispatcher.status(id)).toMatchObject({ pending: chats, parked: chats });
  await world.pass(2 * hourMs);
  expect(await world.dispatcher.status(id)).toMatchObject({ pending: 0, parked: 2 * chats });
  world.behaviour = (response) => response.end();
  world.received.length = 0;
  await world.dispatcher.replay(id, { from: 1 });
  await world.pass(1000);
  expect(texts(world.received)).toHaveLength(2 * chats);
});
