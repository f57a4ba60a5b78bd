import { expect, it } from 'vitest';
import type { EventStore } from '../../../../actors/ports/event-store.ts';
import { clearCopyMark, copyMarkStream, readCopyMark, setCopyMark } from '../../../../src/store/tools/copy-mark.ts';
import { copyStore } from '../../../../src/store/tools/copy-store.ts';
import { createDrivenClock, createSeededRandomness } from '../../../support/kit/clock.ts';
import { collect, newEvents } from '../../../support/store/contract/given.ts';
import { layerOver } from '../../../support/store/layer-over.ts';
import { createMemoryStore } from '../../../support/store/memory-store.ts';

const clock = createDrivenClock();
const randomness = createSeededRandomness(5, clock);

/** Sends each append twice, to a store that does not know one again that expects "any". */
function writesTwice(): EventStore {
  const store = createMemoryStore(clock, undefined, () => true);
  return layerOver(store, {
    append: async (stream, expected, events) => {
      await store.append(stream, expected, events);
      return store.append(stream, expected, events);
    },
  });
}

it('[OP4.2] the mark of a copy says the same if it stands there twice, and goes as a whole', async () => {
  const store = writesTwice();
  await setCopyMark(store, 'sqlite:a', randomness);
  expect(await collect(store.read(copyMarkStream))).toHaveLength(2);
  expect(await readCopyMark(store)).toBe('sqlite:a');
  await setCopyMark(store, 'sqlite:a', randomness);
  expect(await collect(store.read(copyMarkStream))).toHaveLength(2);
  await clearCopyMark(store);
  expect(await readCopyMark(store)).toBeUndefined();
  expect(await collect(store.readAll())).toEqual([]);
});

it('[OP4.1] a copy keeps what it is told once if the target forgets', async () => {
  const [from, to] = [createMemoryStore(clock), writesTwice()];
  const events = newEvents(30);
  for (const [index, event] of events.entries()) await from.append(`session-${index % 4}`, 'any', [event]);
  const names = { from: 'sqlite:a', to: 'sqlite:b' };
  const progress = { begin: () => () => {} };
  const copied = await copyStore({ from, to, names, appendsAtOnce: 3, randomness, progress, onDamaged: () => {} });
  expect(copied).toMatchObject({ streams: 4, events: 30, copied: 30 });
  expect(await collect(to.readAll())).toHaveLength(30);
});
