import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../../../actors/ports/event-store.ts';
import { PartitionSet, partitionOf } from '../../../../src/cluster/partitions.ts';
import { ReaderBook } from '../../../../src/webhook/readers/reader-book.ts';
import { readersStream } from '../../../../src/webhook/stream/outbox-progress.ts';
import { createSeededRandomness } from '../../../support/kit/clock.ts';
import { failureOf } from '../../../support/kit/failure-of.ts';
import { World } from '../../../support/webhook/world.ts';

let world: World;
let id: string;
let books: ReaderBook[];
beforeEach(async () => {
  world = await new World().begin();
  id = await world.session();
  books = [];
  const book = openBook();
  await book.take(partitions());
  await book.join(id, { name: 'desk' }, undefined, { ring: () => {}, show: () => {}, end: () => {} });
  await book.release(partitions(), false);
});
afterEach(async () => {
  for (const book of books) book.crash();
  await world.end();
});

const partitions = (): PartitionSet => new PartitionSet([partitionOf(id)]);

/** The readers as another process keeps them. */
function openBook(): ReaderBook {
  const { store, vault: sealer, views, clock, log, reportUnreadable } = world;
  const random = createSeededRandomness(30 + books.length, clock);
  const book = new ReaderBook({ store, sealer, views, clock, random, log, reportUnreadable, partitionOf });
  books.push(book);
  return book;
}

/** The store is away for these many reads of readers. */
function failReads(times: number): void {
  const last = world.store.last.bind(world.store);
  let left = times;
  world.store.last = async (stream) => {
    if (stream === readersStream(id) && left-- > 0) throw new StoreUnavailableError('away');
    return last(stream);
  };
}

const names = (book: ReaderBook): string[] => book.of(id).map(({ name }) => name);

describe('readers that are taken while the store is away', () => {
  it('[CL2.13] are read again until they are there', async () => {
    failReads(2);
    const book = openBook();
    const taken = book.take(partitions());
    await world.pass(2_000);
    await taken;
    expect(names(book)).toEqual(['desk']);
    expect(world.logLines.join('\n')).toContain('readers could not be read yet');
  });

  it('[CL2.13] are read again if their wishes could not be opened', async () => {
    const open = world.vault.open.bind(world.vault);
    let failures = 1;
    world.vault.open = async (...rest) => {
      if (failures-- > 0) throw new StoreUnavailableError('away');
      return open(...rest);
    };
    const book = openBook();
    const taken = book.take(partitions());
    await world.pass(1_000);
    await taken;
    expect(names(book)).toEqual(['desk']);
  });

  it('[CL2.13] are left alone once their partition is released', async () => {
    failReads(Infinity);
    const book = openBook();
    const batch = partitions();
    const armed = world.clock.armed();
    const taken = book.take(batch);
    await world.settle();
    expect(world.clock.armed()).toBe(armed + 1);
    batch.remove(partitionOf(id));
    await book.release(partitions(), false);
    await world.pass(1_000);
    await taken;
    expect(names(book)).toEqual([]);
    expect(world.clock.armed()).toBe(armed);
  });

  it.each(['stop', 'crash'] as const)('[CL2.13] are not waited for when the process ends: %s', async (how) => {
    failReads(Infinity);
    const book = openBook();
    const refused = failureOf(book.take(partitions()));
    await world.settle();
    await book[how]();
    expect(await refused).toMatchObject({ message: 'the readers have ended' });
  });
});
