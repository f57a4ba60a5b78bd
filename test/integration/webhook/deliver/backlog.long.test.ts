import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTemporaryFolder, type TemporaryFolder } from '../../../support/kit/temporary-folder.ts';
import { texts, World } from '../../../support/webhook/world.ts';

const hourMs = 3_600_000;
const count = 10_000;
const chats = 10;
/** Recorded together. */
const batch = 250;
/** What 10,000 of these events would take, held in memory, is several times that. */
const maxGrowthBytes = 4 * 1024 * 1024;

let folder: TemporaryFolder;
let world: World;
beforeEach(async () => {
  folder = await createTemporaryFolder();
  world = await new World(`sqlite:${join(folder.path, 'events.db')}`).begin();
});
afterEach(async () => {
  await world.end();
  await folder.remove();
});

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
function heapBytes(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

it('[WH4.3] keeps the backlog of an endpoint that is down on disk, parks it after 24 h, lists it and sends it again', async () => {
  const id = await world.session();
  world.behaviour = (response) => void response.writeHead(503).end();
  const text = 'x'.repeat(1000);
  const arrive = (from: number): Promise<void> =>
    world.arrive(
      id,
      Array.from({ length: batch }, (_, index) => ({
        text: `${from + index} ${text}`,
        from: 2000 + ((from + index) % chats),
      })),
    );
  await arrive(0);
  await world.pass(hourMs);
  world.received.length = 0;
  const before = heapBytes();
  for (let from = batch; from < count; from += batch) await arrive(from);
  await world.pass(hourMs);
  world.received.length = 0;
  expect(heapBytes() - before).toBeLessThan(maxGrowthBytes);
  expect((await world.dispatcher.status(id)).pending).toBe(count);

  // What came first has had its 24 h, the rest an hour later.
  await world.pass(24 * hourMs);
  world.received.length = 0;
  expect(await world.dispatcher.status(id)).toMatchObject({ pending: 0, parked: count });
  expect(heapBytes() - before).toBeLessThan(maxGrowthBytes);
  const listed: number[] = [];
  for (let after = 0; listed.length < count; after = listed.at(-1) ?? 0) {
    listed.push(...(await world.dispatcher.parked(id, after, 1000)).map(({ seq }) => seq));
  }
  expect(listed).toEqual(Array.from({ length: count }, (_, index) => index + 1));

  world.behaviour = (response) => void response.end();
  await world.dispatcher.replay(id, { from: 1 });
  await world.settle();
  await world.pass(1000);
  expect(await world.dispatcher.status(id)).toMatchObject({ pending: 0, parked: 0 });
  for (let chat = 2000; chat < 2000 + chats; chat += 1) {
    const numbers = texts(world.received, chat).map((each) => Number.parseInt(each, 10));
    expect(numbers).toHaveLength(count / chats);
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
  }
});
