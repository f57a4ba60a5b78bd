import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { EventStore, NewEvent, RecordedEvent } from '../../../../../actors/ports/event-store.ts';
import { systemClock, systemRandomness } from '../../../../../src/config/clock.ts';
import { openSqliteStore } from '../../../../../src/store/events/sqlite/sqlite-store.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../../../support/kit/temporary-folder.ts';
import { countTurns } from '../../../../support/kit/turns.ts';

/** What one turn of the event loop may read, and what it may write: about 5 ms each. */
const maxRead = 250;
const maxWritten = 1_000;
const maxCharacters = 512 * 1024;
/** A profile photo, sealed. */
const photo = 60_000;

let folder: TemporaryFolder;
let store: EventStore;
async function open(): Promise<void> {
  folder = await createTemporaryFolder();
  store = openSqliteStore({ file: join(folder.path, 'events.db'), clock: systemClock });
}
async function close(): Promise<void> {
  await store.close();
  await folder.remove();
}

const event = (characters: number): NewEvent => ({
  id: systemRandomness.uuid(),
  type: 'T',
  data: { text: 'x'.repeat(characters) },
  metadata: {},
});
const streams = (count: number): string[] => Array.from({ length: count }, (_, index) => `s-${1000 + index}`);
const charactersOf = ({ data, metadata }: Pick<RecordedEvent, 'data' | 'metadata'>): number =>
  JSON.stringify(data).length + JSON.stringify(metadata).length;

/** The number of events, and of their characters, in the turn that had most of them. */
async function mostInATurn(work: (see: (event: RecordedEvent) => void) => Promise<unknown>) {
  const turns = countTurns();
  const seen = new Map<number, { events: number; characters: number }>();
  await work((found) => {
    const { events, characters } = seen.get(turns.now) ?? { events: 0, characters: 0 };
    seen.set(turns.now, { events: events + 1, characters: characters + charactersOf(found) });
  });
  turns.stop();
  return {
    events: Math.max(...[...seen.values()].map(({ events }) => events)),
    characters: Math.max(...[...seen.values()].map(({ characters }) => characters)),
  };
}

const appendEach = (names: readonly string[], characters: number): Promise<unknown> =>
  Promise.all(names.map((name) => store.append(name, 'any', [event(characters)])));

/** Resolves when so many events have come. */
const follow = (count: number, see: (event: RecordedEvent) => void): Promise<void> =>
  new Promise((resolve) => {
    let left = count;
    store.subscribeAll({
      onEvent: (found) => {
        see(found);
        left -= 1;
        if (left === 0) resolve();
      },
    });
  });

async function readEach(events: AsyncIterable<RecordedEvent>, see: (event: RecordedEvent) => void): Promise<void> {
  for await (const found of events) see(found);
}

describe.each([
  ['small events', 2_000, 100],
  ['events with a photo', 100, photo],
])('%s: no turn of the event loop has more than its share', (_, count, characters) => {
  it('of what is appended at once', async () => {
    await open();
    onTestFinished(close);
    const most = await mostInATurn(async (see) => {
      const followed = follow(count, see);
      await appendEach(streams(count), characters);
      await followed;
    });
    expect(most.events).toBeLessThanOrEqual(maxWritten);
    expect(most.characters).toBeLessThanOrEqual(maxCharacters);
  });

  describe('of what is read', () => {
    beforeAll(async () => {
      await open();
      await appendEach(streams(count), characters);
      for (let left = count; left > 0; left -= 20) {
        await store.append(
          'one',
          'any',
          Array.from({ length: Math.min(20, left) }, () => event(characters)),
        );
      }
    });
    afterAll(close);

    it.each<[string, (see: (event: RecordedEvent) => void) => Promise<unknown>]>([
      ['reading a stream', (see) => readEach(store.read('one'), see)],
      ['reading a stream backwards', (see) => readEach(store.read('one', { direction: 'backwards' }), see)],
      ['reading all', (see) => readEach(store.readAll(), see)],
      ['reading all of a prefix', (see) => readEach(store.readAll({ prefixes: ['s-'] }), see)],
      ['reading the last of each stream', (see) => readEach(store.lastOfEach('s-'), see)],
      ['a subscriber that is behind', (see) => follow(2 * count, see)],
    ])('%s', async (_title, work) => {
      const most = await mostInATurn(work);
      expect(most.events).toBeLessThanOrEqual(maxRead);
      expect(most.characters).toBeLessThanOrEqual(maxCharacters);
    });
  });
});

it('an event that is larger than a share is read and written alone', async () => {
  await open();
  onTestFinished(close);
  const most = await mostInATurn(async (see) => {
    const followed = follow(3, see);
    await appendEach(streams(3), 2 * maxCharacters);
    await followed;
  });
  expect(most.events).toBe(1);
  expect((await mostInATurn((see) => readEach(store.readAll(), see))).events).toBe(1);
  expect((await mostInATurn((see) => readEach(store.lastOfEach('s-'), see))).events).toBe(1);
});
