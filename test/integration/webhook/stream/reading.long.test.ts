import { afterEach, beforeEach, expect, it } from 'vitest';
import { texts, World } from '../../../support/webhook/world.ts';

let world: World;
beforeEach(async () => {
  world = await new World().begin();
});
afterEach(() => world.end());

/** How many events of delivery streams a store is asked for from here on: a page costs what it may hold. */
function countAskedFor({ store }: World): () => number {
  const read = store.read.bind(store);
  let count = 0;
  store.read = (stream, options) => {
    if (stream.startsWith('delivery-')) count += options?.limit ?? Infinity;
    return read(stream, options);
  };
  return () => count;
}

it.each([
  { chats: 4, what: 'a few chats' },
  { chats: 500, what: 'more chats than are held at a time' },
])('[WH4.1] a long backlog of $what is read a few times over, not for each delivery anew', async ({ chats }) => {
  const id = await world.session();
  world.behaviour = (response) => void response.writeHead(503).end();
  const count = 2000;
  await world.arrive(
    id,
    Array.from({ length: count }, (_, index) => ({ text: `text ${index}`, from: 2000 + (index % chats) })),
  );
  await world.settle();
  world.behaviour = (response) => response.end();
  const askedFor = countAskedFor(world);
  await world.dispatcher.replay(id, { from: 1 });
  await world.settle();
  await world.pass(10_000);
  expect(texts(world.received)).toHaveLength(count);
  expect((await world.dispatcher.status(id)).pending).toBe(0);
  expect(askedFor()).toBeLessThan(3 * count);
});
