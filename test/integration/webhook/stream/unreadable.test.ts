import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AccountUpdate, RecordSupersededError } from '../../../../src/telegram/port/updates.ts';
import type { PlantedEvent } from '../../../support/store/plant-event.ts';
import { type PlantedStore, plantedStores } from '../../../support/store/planted-stores.ts';
import { texts, World } from '../../../support/webhook/world.ts';

const minuteMs = 60_000;
const foreign: PlantedEvent = { type: 'BasketOpened', data: '{"any":1}', metadata: undefined };
const damaged: PlantedEvent = { type: 'MessageReceived', data: '{"content":', metadata: '{}' };
const misshapen: PlantedEvent = { type: 'MessageReceived', data: '{}', metadata: '{"seq":99}' };
/** As a later version of the gateway may write it. */
const later = (seq: number): PlantedEvent => ({
  type: 'MessageReacted',
  data: '{}',
  metadata: JSON.stringify({ version: 99, seq, since: 8e15 }),
});

let world: World;
let id: string;
let store: PlantedStore;

/** If another program has written to the stream, the account reads where it ends and records again from there. */
async function record(updates: readonly AccountUpdate[]): Promise<void> {
  try {
    await world.record(id, updates);
  } catch (error) {
    if (!(error instanceof RecordSupersededError)) throw error;
    await world.record(id, updates);
  }
}

let messageId = 0;
const arrive = (...sent: string[]): Promise<void> =>
  record(
    sent.map((text): AccountUpdate => {
      messageId += 1;
      const at = world.clock.now();
      const user = { id: '2000', name: 'Person', username: '', phone: '' };
      return {
        type: 'message',
        at,
        missed: false,
        user,
        message: { id: messageId, chatId: '2000', created: at, fromMe: false, text },
      };
    }),
  );
const restart = async (): Promise<void> => {
  await world.kill();
  await world.start();
};
const plantDeliveries = async (...events: PlantedEvent[]): Promise<void> => {
  for (const event of events) await store.plant(`delivery-${id}`, event);
};

describe.each(Object.entries(plantedStores))('an event that cannot be read, on %s', (_store, open) => {
  beforeEach(async () => {
    messageId = 0;
    store = await open();
    world = await new World(store.url).begin();
    id = await world.session();
  });
  afterEach(async () => {
    await world.end();
    await store.remove();
  });

  const unreadable = (): string[] => [...world.unreadable].map((event) => event.split(' ').slice(1).join(' '));
  const numbers = (): number[] => world.received.map(({ payload: { seq } }) => seq);

  it('[FA7.3] in the delivery stream at a start is passed over, and parked with its reason if it has a number', async () => {
    await arrive('one', 'two');
    await world.pass(1000);
    await world.kill();
    await plantDeliveries(foreign, later(3), damaged, misshapen);
    await world.start();
    await arrive('three');
    await world.pass(1000);
    expect(texts(world.received)).toEqual(['one', 'two', 'three']);
    expect(numbers()).toEqual([1, 2, 4]);
    expect(unreadable().toSorted()).toEqual(['2 no-metadata', '3 newer-version', '4 broken-json', '5 wrong-shape']);
    const error = 'its event cannot be read: newer-version';
    expect(await world.dispatcher.status(id)).toMatchObject({ pending: 0, parked: 1, lastError: error });
    expect(await world.dispatcher.parked(id, 0, 10)).toMatchObject([{ seq: 3, type: '', error }]);
    expect(world.dispatcher.backlog.parked).toBe(1);

    await restart();
    await world.pass(minuteMs);
    expect(world.received).toHaveLength(3);
    await world.dispatcher.replay(id, { from: 3 });
    await world.pass(1000);
    expect(numbers()).toEqual([1, 2, 4, 4]);
    expect(await world.dispatcher.status(id)).toMatchObject({ pending: 0, parked: 1 });
    await world.dispatcher.replay(id, { from: 1 });
    await world.pass(1000);
    expect(numbers()).toEqual([1, 2, 4, 4, 1, 2, 4]);
    expect(await world.dispatcher.parked(id, 0, 10)).toMatchObject([{ seq: 3, error }]);

    await world.dispatcher.trim(id, world.clock.now());
    expect(await world.dispatcher.status(id)).toMatchObject({ pending: 0, parked: 0 });
    await arrive('four');
    await world.pass(1000);
    expect(numbers().at(-1)).toBe(5);
  });

  it('[FA7.3] in the delivery stream while it is written harms nothing else, however much waits', async () => {
    world.behaviour = (response) => void response.writeHead(503).end();
    const before = Array.from({ length: 50 }, (_, index) => `before ${index}`);
    const after = Array.from({ length: 50 }, (_, index) => `after ${index}`);
    await arrive(...before);
    await world.pass(1000);
    await plantDeliveries(foreign, damaged, later(51), later(52));
    await arrive(...after);
    await plantDeliveries(misshapen);
    await world.pass(minuteMs);
    expect(await world.dispatcher.status(id)).toMatchObject({ pending: 100, parked: 2 });
    world.behaviour = (response) => response.end();
    await world.pass(10 * minuteMs);
    expect(texts(world.received)).toEqual([...before, ...after]);
    expect(await world.dispatcher.status(id)).toMatchObject({ pending: 0, parked: 2 });
    await arrive('last');
    await world.pass(1000);
    expect(numbers().at(-1)).toBe(103);
  });

  it('[FA7.3] at the end of the delivery stream leaves what is before it to be delivered after a start', async () => {
    world.behaviour = (response) => void response.writeHead(503).end();
    await arrive('one');
    await world.pass(1000);
    await world.kill();
    await plantDeliveries(foreign);
    world.received.length = 0;
    world.behaviour = (response) => response.end();
    await world.start();
    await world.pass(minuteMs);
    expect(texts(world.received)).toEqual(['one']);
    expect(await world.dispatcher.status(id)).toMatchObject({ pending: 0, parked: 0 });
  });

  it('[FA7.3] between a message and its deletion keeps neither from its webhook', async () => {
    await arrive('one');
    await plantDeliveries(foreign, damaged);
    await record([{ type: 'message.deleted', at: undefined, missed: false, messageIds: [1] }]);
    await world.pass(1000);
    expect(world.received.map(({ payload: { type } }) => type)).toEqual(['message', 'message.deleted']);
  });

  it('[FA7.3] whose chat waits is parked when its turn comes', async () => {
    world.behaviour = (response) => void response.writeHead(503).end();
    await arrive('one', 'two', 'three');
    await world.pass(1000);
    world.alterReads((event) => (event.revision === 1 ? { ...event, data: null, damage: 'broken-json' } : event));
    world.behaviour = (response) => response.end();
    await world.pass(10 * minuteMs);
    expect(texts(world.received)).toEqual(['one', 'three']);
    expect(await world.dispatcher.status(id)).toMatchObject({ pending: 0 });
    expect(unreadable()).toEqual(['1 broken-json']);
  });

  it('[FA7.3] of an outbox is passed over: what was saved before it holds', async () => {
    await arrive('one');
    await world.pass(1000);
    await store.plant(`outbox-${id}`, foreign);
    await store.plant(`outbox-${id}`, { type: 'OutboxMoved', data: '{"upTo":', metadata: '{}' });
    await restart();
    await arrive('two');
    await world.pass(1000);
    expect(texts(world.received)).toEqual(['one', 'two']);
    expect(numbers()).toEqual([1, 2]);
    expect([...world.unreadable].every((event) => event.startsWith(`outbox-${id} `))).toBe(true);
    expect(unreadable().map((event) => event.split(' ')[1])).toEqual(['broken-json', 'no-metadata']);
  });

  it('[FA7.1] of an outbox is reported by the next save of the process that writes it', async () => {
    await arrive('one');
    await world.pass(1000);
    await store.plant(`outbox-${id}`, foreign);
    await arrive('two');
    await world.pass(1000);
    expect(unreadable()).toEqual(['1 no-metadata']);
    await restart();
    await store.plant(`outbox-${id}`, { type: 'OutboxMoved', data: '{"upTo":', metadata: '{}' });
    await arrive('three');
    await world.pass(1000);
    expect(unreadable()).toEqual(['1 no-metadata', '3 broken-json']);
    expect(texts(world.received)).toEqual(['one', 'two', 'three']);
  });

  it('[FA7.3] of an outbox that has nothing else begins the delivery stream anew, under the same IDs, once', async () => {
    await arrive('one', 'two');
    await world.pass(1000);
    await world.kill();
    const [first] = world.received;
    await world.start();
    await world.store.erase(`outbox-${id}`);
    await store.plant(`outbox-${id}`, { type: 'OutboxMoved', data: '{}', metadata: '{"version":7}' });
    await restart();
    await world.pass(1000);
    expect(numbers()).toEqual([1, 2, 1, 2]);
    expect(world.received[2]?.payload.id).toBe(first?.payload.id);
    await restart();
    await world.pass(1000);
    expect(world.received).toHaveLength(4);
    expect(await world.dispatcher.status(id)).toMatchObject({ pending: 0, parked: 0 });
  });
});
