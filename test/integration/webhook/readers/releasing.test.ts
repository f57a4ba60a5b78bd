import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { allPartitions, NotOwnerError } from '../../../../actors/ports/ownership.ts';
import type { ReaderConnection } from '../../../../src/webhook/readers/reader.ts';
import { ReaderBook } from '../../../../src/webhook/readers/reader-book.ts';
import { readersStream } from '../../../../src/webhook/stream/outbox-progress.ts';
import { createSeededRandomness } from '../../../support/kit/clock.ts';
import { failureOf } from '../../../support/kit/failure-of.ts';
import { createGate } from '../../../support/kit/gate.ts';
import { World } from '../../../support/webhook/world.ts';

let world: World;
let id: string;
beforeEach(async () => {
  world = await new World().begin();
  id = await world.session();
});
afterEach(() => world.end());

let books = 0;
/** The readers as another process keeps them. */
async function openBook(): Promise<ReaderBook> {
  const { store, vault: sealer, views, clock, log, reportUnreadable } = world;
  books += 1;
  const random = createSeededRandomness(30 + books, clock);
  const book = new ReaderBook({ store, sealer, views, clock, random, log, reportUnreadable });
  await book.take(allPartitions);
  return book;
}

function connection(): ReaderConnection & { ends: (string | undefined)[] } {
  const ends: (string | undefined)[] = [];
  return { ends, ring: () => {}, show: () => {}, end: (how) => void ends.push(how) };
}

/** Appends to the streams of readers wait for the gate. @returns how many have been made */
function holdAppends(gate: ReturnType<typeof createGate>): () => number {
  let made = 0;
  const append = world.store.append.bind(world.store);
  world.store.append = async (stream, ...rest) => {
    if (stream !== readersStream(id)) return append(stream, ...rest);
    await gate.passed;
    const appended = await append(stream, ...rest);
    made += 1;
    return appended;
  };
  return () => made;
}

const names = (book: ReaderBook): string[] => book.of(id).map(({ name }) => name);

describe('a reader that joins while its session leaves the process', () => {
  it.each([false, true])('[CL2.10] is told to come again, and is connected to nothing; lost: %s', async (isLost) => {
    const book = await openBook();
    const gate = createGate();
    const made = holdAppends(gate);
    const desk = connection();
    const joined = book.join(id, { name: 'desk' }, undefined, desk);
    const refused = failureOf(joined);
    await world.settle();
    const released = book.release(allPartitions, isLost).then(made);
    await world.settle();
    gate.open();
    // The next owner may read its wish: what was on the way to the store has come there, or is lost.
    expect(await released).toBe(isLost ? 0 : 1);
    expect(await refused).toBeInstanceOf(NotOwnerError);
    expect(book.isWatched(id)).toBe(false);
    expect(names(book)).toEqual([]);
    await world.pass(1_000);

    const next = await openBook();
    const reader = await next.join(id, { name: 'desk' }, undefined, connection());
    expect(next.of(id)).toEqual([reader]);
  });

  it('[CL2.10] is told so too if it comes later, and where the session has not been taken yet', async () => {
    const book = await openBook();
    await book.join(id, { name: 'desk' }, undefined, connection());
    await book.release(allPartitions, false);
    await expect(book.join(id, { name: 'desk' }, undefined, connection())).rejects.toThrow('has left this process');
    expect(names(await openBook())).toEqual(['desk']);
  });

  it('[CL2.8] leaves the place of one that is there to the next owner', async () => {
    const book = await openBook();
    const desk = connection();
    const reader = await book.join(id, { name: 'desk' }, undefined, desk);
    book.acknowledge(id, reader, 7);
    const gate = createGate();
    holdAppends(gate);
    const wall = failureOf(book.join(id, { name: 'wall' }, undefined, connection()));
    await world.settle();
    const released = book.release(allPartitions, false);
    gate.open();
    await released;
    expect(await wall).toBeInstanceOf(NotOwnerError);
    expect(desk.ends).toEqual(['failed']);
    const next = await openBook();
    expect(next.of(id).map(({ name, stored }) => [name, stored.place])).toEqual([['desk', 7]]);
  });
});
