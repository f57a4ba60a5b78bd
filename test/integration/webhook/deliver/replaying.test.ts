import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ReplayChoice } from '../../../../src/webhook/stream/replayed.ts';
import { World } from '../../../support/webhook/world.ts';

const dayMs = 24 * 60 * 60_000;

let world: World;
let id: string;
beforeEach(async () => {
  world = await new World().begin();
  id = await world.session();
});
afterEach(() => world.end());

const pending = async () => (await world.dispatcher.status(id)).pending;
const inOrder = (seqs: number[]): number[] => seqs.toSorted((one, other) => one - other);
/** The numbers that come after a replay, at once. */
async function again(choice: ReplayChoice): Promise<number[]> {
  const before = world.received.length;
  await world.dispatcher.replay(id, choice);
  await world.settle();
  return world.received.slice(before).map(({ payload }) => payload.seq);
}

describe('a replay', () => {
  it('[OS4.4] sends the chosen events, once, under their IDs, in the order of their chats', async () => {
    await world.arriveFrom(id, 2000, 2001, 2000, 2000, 2001);
    const ids = new Map(world.received.map(({ payload }) => [payload.seq, payload.id]));
    expect(await again({ seqs: [4, 1, 99] })).toEqual([1, 4]);
    expect(inOrder(await again({ from: 2, to: 4 }))).toEqual([2, 3, 4]);
    expect(inOrder(await again({ from: 4, to: 1_000_000 }))).toEqual([4, 5]);
    expect(await again({ parked: true })).toEqual([]);
    for (const { payload } of world.received) expect(payload.id).toBe(ids.get(payload.seq));
    expect(await pending()).toBe(0);
  });

  it('[OS4.4] sends what is parked, which is then no longer parked, and nothing else', async () => {
    world.refuse(2000);
    await world.arriveFrom(id, 2000, 2001, 2000, 2001);
    await world.pass(dayMs + 3_600_000);
    expect(await world.dispatcher.status(id)).toMatchObject({ parked: 2, pending: 0 });
    expect(await again({ seqs: [3] })).toEqual([3]);
    expect(await world.dispatcher.status(id)).toMatchObject({ parked: 1, pending: 1 });
    expect(await again({ parked: true })).toEqual([1]);
    expect(await world.dispatcher.status(id)).toMatchObject({ parked: 0, pending: 2 });
    world.refuse();
    await world.pass(3_600_000);
    expect(await world.dispatcher.status(id)).toMatchObject({ parked: 0, pending: 0 });
  });

  it('[OS4.4] that fails is tried as any other, and holds up nothing new', async () => {
    await world.arriveFrom(id, 2000, 2000, 2001);
    world.refuse(2000);
    expect(await again({ seqs: [1, 2] })).toEqual([1]);
    const list = () => world.dispatcher.list(id, { status: 'pending', chatId: undefined, after: undefined, limit: 9 });
    expect((await list()).docs).toMatchObject([
      { seq: 1, attempts: 1, error: 'it answered with status 503' },
      { seq: 2, attempts: 0 },
    ]);
    await world.arriveFrom(id, 2001);
    expect(world.received.at(-1)?.payload.seq).toBe(4);
    expect(await pending()).toBe(2);
    await world.pass(1_000);
    await world.kill();
    await world.start();
    expect((await list()).docs).toMatchObject([{ seq: 1, attempts: 1 }, { seq: 2 }]);
    world.refuse();
    const before = world.received.length;
    await world.pass(60_000);
    expect(world.received.slice(before).map(({ payload }) => payload.seq)).toEqual([1, 2]);
    expect((await list()).docs).toEqual([]);
    await world.kill();
    await world.start();
    await world.pass(60_000);
    expect([await pending(), world.received.length]).toEqual([0, before + 2]);
  });

  it('[OS4.4] leaves out what is pending already, and goes on beside it', async () => {
    world.refuse(2000);
    await world.arriveFrom(id, 2000, 2001, 2000);
    expect(await again({ from: 1, to: 3 })).toContain(2);
    expect(await pending()).toBe(2);
    world.refuse();
    const before = world.received.length;
    await world.pass(60_000);
    expect(world.received.slice(before).map(({ payload }) => payload.seq)).toEqual([1, 3]);
  });

  it('[OS4.4] keeps what is left of the one before', async () => {
    await world.arriveFrom(id, 2000, 2001, 2002);
    world.refuse(2000, 2001);
    await again({ seqs: [1] });
    await again({ seqs: [2] });
    expect(await pending()).toBe(2);
    await again({ from: 2 });
    world.refuse();
    const before = world.received.length;
    await world.pass(60_000);
    const came = new Set(world.received.slice(before).map(({ payload }) => payload.seq));
    expect([came.has(1), came.has(2), await pending()]).toEqual([true, true, 0]);
  });

  it('[OS4.4] of chosen events that lie far apart, beyond what is held at a time', async () => {
    const chats = Array.from({ length: 700 }, (_, index) => 2000 + (index % 7));
    await world.arriveFrom(id, ...chats);
    const choice = [1, 350, 700];
    expect(await again({ seqs: choice })).toEqual(expect.arrayContaining(choice));
    world.refuse(...chats);
    const before = await again({ from: 1, to: 700 });
    expect(new Set(before).size).toBe(7);
    expect(await pending()).toBe(700);
    world.refuse();
    const at = world.received.length;
    await world.pass(60_000);
    const came = world.received.slice(at);
    expect(came.map(({ payload }) => payload.seq).toSorted((one, other) => one - other)).toEqual(
      chats.map((_, index) => index + 1),
    );
    for (const chat of new Set(chats)) {
      const own = came.filter(({ payload }) => (payload.data as { chatId: string }).chatId === String(chat));
      const seqs = own.map(({ payload }) => payload.seq);
      expect(seqs).toEqual(seqs.toSorted((one, other) => one - other));
    }
    expect(await pending()).toBe(0);
  });
});
