import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTemporaryFolder } from '../../../support/kit/temporary-folder.ts';
import { KurrentDbDouble } from '../../../support/kurrentdb-double/server.ts';
import { texts, World } from '../../../support/webhook/world.ts';

/** Opens a store of the kind; what is called in the end closes it. */
const stores: Record<string, () => Promise<{ url: string; remove: () => Promise<unknown> }>> = {
  async sqlite() {
    const { path, remove } = await createTemporaryFolder();
    return { url: `sqlite:${join(path, 'events.db')}`, remove };
  },
  async kurrentdb() {
    const server = await new KurrentDbDouble().start();
    return { url: server.url, remove: () => server.stop() };
  },
};

let world: World;
let id: string;

const dayMs = 24 * 60 * 60_000;

const arrive = async (...sent: string[]): Promise<void> => {
  await world.arrive(
    id,
    sent.map((text) => ({ text, from: 2000 })),
  );
  await world.settle();
};

/** The numbers of the messages that are still in the delivery stream. */
async function kept(): Promise<unknown[]> {
  const numbers: unknown[] = [];
  for await (const { type, metadata } of world.store.read(`delivery-${id}`)) {
    if (type === 'MessageReceived') numbers.push((metadata as { seq: number }).seq);
  }
  return numbers;
}

describe.each(Object.entries(stores))('what was recorded for a webhook, on %s', (_, open) => {
  let remove: () => Promise<unknown>;
  beforeEach(async () => {
    const store = await open();
    ({ remove } = store);
    world = await new World(store.url).begin();
    id = await world.session();
  });
  afterEach(async () => {
    await world.end();
    await remove();
  });

  it('[WH4.6] goes when it is delivered and old enough; what is younger stays', async () => {
    await arrive('one', 'two');
    await world.pass(dayMs);
    await arrive('three', 'four');
    const recordedBy = world.clock.now() - 1;
    await world.dispatcher.trim(id, recordedBy - dayMs);
    expect(await kept()).toEqual([1, 2, 3, 4]);
    await world.dispatcher.trim(id, recordedBy);
    expect(await kept()).toEqual([3, 4]);
  });

  it('[WH4.6] stays while it waits for its endpoint, however old it is', async () => {
    await arrive('one');
    world.behaviour = (response) => {
      response.statusCode = 503;
      response.end();
    };
    await arrive('two', 'three');
    await world.dispatcher.trim(id, world.clock.now());
    expect(await kept()).toEqual([2, 3]);
    world.behaviour = (response) => response.end();
    await world.pass(10_000);
    expect(texts(world.received)).toEqual(['one', 'two', 'three']);
  });

  it('[WH1.2] that was given up is listed for as long as it is there', async () => {
    await arrive('one');
    await world.pass(1_000);
    world.behaviour = (response) => {
      response.statusCode = 503;
      response.end();
    };
    await arrive('two');
    const parked = async (): Promise<number> => (await world.dispatcher.status(id)).parked;
    await world.pass(dayMs + 60 * 60_000);
    expect(await parked()).toBe(1);
    world.behaviour = (response) => response.end();
    await arrive('three');
    await world.dispatcher.trim(id, world.clock.now() - dayMs - 60 * 60_000 - 500);
    expect([await kept(), await parked()]).toEqual([[2, 3], 1]);
    await world.dispatcher.trim(id, world.clock.now());
    expect([await kept(), await parked()]).toEqual([[3], 0]);
  });

  it('[WH2.1] keeps its last event, so that the numbers continue, also after a restart', async () => {
    await arrive('one', 'two');
    await world.dispatcher.trim(id, world.clock.now());
    expect(await kept()).toEqual([2]);
    await world.kill();
    await world.start();
    await arrive('three');
    expect(texts(world.received)).toEqual(['one', 'two', 'three']);
    expect(world.received.at(-1)?.payload.seq).toBe(3);
  });
});
