import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ChatQueues, maxChats } from '../../../../src/webhook/deliver/chat-queues.ts';
import { outboxCodec, progressOf, storedProgress } from '../../../../src/webhook/stream/outbox-codec.ts';
import { emptyProgress } from '../../../../src/webhook/stream/outbox-progress.ts';
import { type Received, texts, World } from '../../../support/webhook/world.ts';

let world: World;
let id: string;
beforeEach(async () => {
  world = await new World().begin();
  id = await world.session();
});
afterEach(() => world.end());

const bad = 3000;
const good = 2000;
const fromEach = (word: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ text: `${word} ${index}`, from: bad + index }));
const isBad = ({ payload }: Received): boolean => 'chatId' in payload.data && Number(payload.data.chatId) >= bad;

describe('chats that fail', () => {
  it('[WH4.7] hold up no other, however many they are, and lose nothing by a crash', async () => {
    const count = 300;
    world.behaviour = (response, received) => void response.writeHead(isBad(received) ? 500 : 200).end();
    await world.arrive(id, fromEach('first', count));
    await world.settle();
    await world.arrive(id, [{ text: 'good', from: good }, ...fromEach('second', count)]);
    await world.settle();
    expect(texts(world.received, good)).toEqual(['good']);
    expect(await world.dispatcher.status(id)).toMatchObject({ pending: 2 * count, parked: 0 });
    await world.pass(1000);
    await world.kill();
    await world.start();
    await world.arrive(id, [{ text: 'good again', from: good }]);
    await world.settle();
    expect(texts(world.received, good)).toEqual(['good', 'good again']);
    expect(await world.dispatcher.status(id)).toMatchObject({ pending: 2 * count, parked: 0 });
    world.received.length = 0;
    world.behaviour = (response) => response.end();
    await world.pass(60_000);
    for (let index = 0; index < count; index += 1) {
      expect(texts(world.received, bad + index)).toEqual([`first ${index}`, `second ${index}`]);
    }
    expect(await world.dispatcher.status(id)).toMatchObject({ pending: 0, parked: 0 });
  });

  it('[WH4.7] have at most 6 of the 8 attempts at a time', async () => {
    world.behaviour = (response) => void response.writeHead(500).end();
    await world.arrive(id, fromEach('text', 30));
    await world.settle();
    let hanging = 0;
    world.behaviour = (response, received) => {
      if (isBad(received)) hanging += 1;
      else response.end();
    };
    await world.pass(6_500);
    expect(hanging).toBe(6);
    await world.arrive(id, [{ text: 'good', from: good }]);
    await world.settle();
    expect(texts(world.received, good)).toEqual(['good']);
    expect(hanging).toBe(6);
  });

  it('[WH4.7] are 10,000 to a session and about 95 bytes each where they are saved', async () => {
    const { clock } = world;
    const queues = new ChatQueues({}, clock);
    const now = clock.now();
    const add = (index: number) =>
      queues.add(`s2OV3ZDeMQJgoUFoWRlC1WoIYQTRf20WSu_2gyh${String(index).padStart(4, '0')}`, {
        revision: 1_000_000 + index,
        seq: index,
        at: now,
        event: {} as never,
      });
    for (let index = 0; index < maxChats; index += 1) {
      queues.putBack(add(index), { attempts: 31, since: now, nextAt: now + 3_600_000 - index });
      expect(queues.room > 0).toBe(index < maxChats - 1);
    }
    expect(queues.nextDueAt).toBe(clock.elapsed() + 3_600_000 - maxChats + 1);
    const stored = storedProgress({ ...emptyProgress, chats: queues.behind() });
    const bytes = JSON.stringify(stored).length;
    expect(bytes / maxChats).toBeLessThan(100);
    expect(bytes).toBeLessThan(1_048_576);
    const metadata = outboxCodec.stamp({ at: now });
    // Interfaces have no index signature, but all of this is JSON.
    const data = JSON.parse(JSON.stringify(stored)) as never;
    const event = { stream: 'outbox-a', revision: 0, position: 0n, id: '', type: 'OutboxMoved', created: now };
    const decoded = outboxCodec.decode({ ...event, data, metadata: { ...metadata } });
    if (!('metadata' in decoded) || decoded.type !== 'OutboxMoved') throw new Error('it can be read');
    const restored = new ChatQueues(progressOf(decoded.data).chats, clock);
    expect(restored.behind()).toEqual(queues.behind());
    expect(restored.hungry()).toEqual([]);
    await clock.advance(3_600_000 - maxChats + 1);
    expect(restored.hungry()).toMatchObject([{ restFrom: 1_000_000 + maxChats - 1, count: 1 }]);
    await clock.advance(maxChats);
    expect([...restored.awake()]).toHaveLength(maxChats);
  });
});
