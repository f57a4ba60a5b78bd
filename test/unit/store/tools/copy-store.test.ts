import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  type EventStore,
  type NewEvent,
  type RecordedEvent,
  StoreUnavailableError,
} from '../../../../actors/ports/event-store.ts';
import { systemClock, systemRandomness } from '../../../../src/config/clock.ts';
import { openKurrentStore } from '../../../../src/store/events/kurrent/kurrent-store.ts';
import { openSqliteStore } from '../../../../src/store/events/sqlite/sqlite-store.ts';
import { withStreamPrefix } from '../../../../src/store/events/stream-prefix.ts';
import { copyMarkStream, readCopyMark } from '../../../../src/store/tools/copy-mark.ts';
import { copyStore, type StoreCopy } from '../../../../src/store/tools/copy-store.ts';
import { fillWithSessions } from '../../../support/actors/session-histories.ts';
import { createDrivenClock, createSeededRandomness } from '../../../support/kit/clock.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../../support/kit/temporary-folder.ts';
import { KurrentDbDouble } from '../../../support/kurrentdb-double/server.ts';
import { createFaultyStore } from '../../../support/store/faulty-store.ts';
import { createMemoryStore, MemoryDisk } from '../../../support/store/memory-store.ts';

const clock = createDrivenClock();
const randomness = createSeededRandomness(3, clock);
const quiet = { begin: () => () => {} };
const opened: EventStore[] = [];
let folder: TemporaryFolder;
let from: EventStore;
let damaged: string[];
let to: EventStore;

beforeEach(async () => {
  folder = await createTemporaryFolder();
  from = opening(createMemoryStore(clock));
  damaged = [];
  to = opening(createMemoryStore(clock));
});

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
  await folder.remove();
});

function opening(store: EventStore): EventStore {
  opened.push(store);
  return store;
}

const sqlite = (name: string): EventStore => opening(openSqliteStore({ file: join(folder.path, `${name}.db`), clock }));

const onDamaged = ({ stream, revision, damage }: RecordedEvent): void =>
  void damaged.push(`${stream} ${revision} ${damage}`);

const copy = (appendsAtOnce = 1): Promise<StoreCopy> =>
  copyStore({
    from,
    to,
    names: { from: 'sqlite:a', to: 'sqlite:b' },
    appendsAtOnce,
    randomness,
    progress: quiet,
    onDamaged,
  });

const newEvent = (data = {}): NewEvent => ({ id: randomness.uuid(), type: 'Happened', data, metadata: { by: 'test' } });

/** All that a copy must keep, in the order of all. */
async function contents(store: EventStore): Promise<Omit<RecordedEvent, 'position' | 'created'>[]> {
  const all = [];
  for await (const { position: _, created: __, ...event } of store.readAll()) all.push(event);
  return all;
}

async function streamsOf(store: EventStore): Promise<string[]> {
  return [...new Set((await contents(store)).map(({ stream }) => stream))];
}

async function seededShuffle(events: number): Promise<void> {
  for (let index = 0; index < events; index += 1) {
    const stream = `session-${Math.floor(randomness.fraction() * 12)}`;
    await from.append(stream, 'any', [newEvent({ index }), newEvent({ index, second: true })]);
  }
}

describe('copying a store', () => {
  it.each([1, 1000])(
    '[OP4.1] keeps streams, revisions, IDs, contents and order, %i appends at once',
    async (appendsAtOnce) => {
      from = sqlite('from');
      to = sqlite('to');
      const { events, streams } = await fillWithSessions(from, { sessions: 20, events: 700, randomness, clock });
      expect(await copy(appendsAtOnce)).toEqual({ streams: streams.length, events, copied: events, sameOrder: true });
      expect(await contents(to)).toEqual(await contents(from));
      expect(await readCopyMark(to)).toBeUndefined();
    },
  );

  it('[OP1.3] copies what has the prefix of the source, to where the prefix of the target is', async () => {
    const [source, target] = [from, to];
    await source.append('one-session-a', 'no-stream', [newEvent(), newEvent()]);
    await source.append('two-session-a', 'no-stream', [newEvent()]);
    await target.append('session-a', 'no-stream', [newEvent()]);
    from = withStreamPrefix(source, 'one-');
    to = withStreamPrefix(target, 'desk-');
    expect(await copy()).toMatchObject({ streams: 1, events: 2, copied: 2 });
    expect(await streamsOf(target)).toEqual(['session-a', 'desk-session-a']);
    expect(await contents(to)).toEqual(await contents(from));
  });

  it('[FA7.1] keeps the place of an event that is damaged, and names it', async () => {
    const disk = new MemoryDisk();
    from = opening(createMemoryStore(clock, disk));
    await from.append('session-a', 'no-stream', [newEvent({ number: 0 })]);
    disk.plant('session-a', { type: 'LoggedIn', data: '{"acc', metadata: '{}' });
    await from.append('session-a', 1, [newEvent({ number: 2 })]);
    expect(await copy()).toMatchObject({ streams: 1, events: 3, copied: 3 });
    expect(damaged).toEqual(['session-a 1 broken-json']);
    const copied = await contents(to);
    expect(copied.map(({ revision, type, data }) => [revision, type, data])).toEqual([
      [0, 'Happened', { number: 0 }],
      [1, 'LoggedIn', null],
      [2, 'Happened', { number: 2 }],
    ]);
    expect(copied.map(({ id }) => id)).toEqual((await contents(from)).map(({ id }) => id));
  });

  it('takes no foreign event for the mark of a copy', async () => {
    await to.append(copyMarkStream, 'no-stream', [newEvent()]);
    expect(await readCopyMark(to)).toBeUndefined();
    await to.append(copyMarkStream, 'any', [{ ...newEvent(), type: 'StoreCopyBegun', data: null }]);
    expect(await readCopyMark(to)).toBe('another store');
  });

  it('[CL1.3] leaves out who owns what at the moment, and who is there', async () => {
    await fillWithSessions(from, { sessions: 1, events: 10, randomness, clock });
    for (const stream of ['lease-7', 'node-a']) await from.append(stream, 'no-stream', [newEvent()]);
    for (const stream of ['lease-8', 'node-b']) await to.append(stream, 'no-stream', [newEvent()]);
    await copy();
    const streams = new Set(
      (await contents(to)).map(({ stream }) => stream.replace(/(?<=^(?:session|vault)-).*/, '…')),
    );
    expect([...streams].toSorted()).toEqual(['lease-8', 'node-b', 'session-…', 'vault-…']);
  });

  it('[OP4.1] moves to a KurrentDB and back again', async () => {
    const double = new KurrentDbDouble();
    await double.start();
    onTestFinished(() => double.stop());
    const system = { clock: systemClock, randomness: systemRandomness };
    const server = opening(openKurrentStore({ url: double.url, ...system }));
    const original = sqlite('original');
    const { events } = await fillWithSessions(original, { sessions: 10, events: 200, randomness, clock });
    await original.erase((await streamsOf(original))[0] ?? '');
    [from, to] = [original, server];
    expect(await copy(20)).toMatchObject({ copied: expect.any(Number), sameOrder: true });
    expect((await contents(original)).length).toBeLessThan(events);
    [from, to] = [server, sqlite('returned')];
    await copy(1000);
    expect(await contents(to)).toEqual(await contents(original));
  });

  it('[OP4.1] keeps the numbering of what has been truncated, and goes on with it', async () => {
    await from.append(
      'vault-a',
      'any',
      Array.from({ length: 1203 }, () => newEvent()),
    );
    await from.truncate('vault-a', 1202);
    await from.append('vault-b', 'any', [newEvent()]);
    await copy();
    expect(await contents(to)).toEqual(await contents(from));
    expect((await to.append('vault-a', 1202, [newEvent()])).revision).toBe(1203);
  });

  it('[OP4.2] is quickly said where it has been done before, and copies nothing twice', async () => {
    await seededShuffle(10);
    await copy();
    expect(await copy()).toMatchObject({ events: 20, copied: 0 });
    expect(await contents(to)).toEqual(await contents(from));
  });

  it('copies an empty store', async () => {
    expect(await copy()).toEqual({ streams: 0, events: 0, copied: 0, sameOrder: true });
    expect(await contents(to)).toEqual([]);
  });

  it.each([1, 7, 1000])(
    'goes on where it was cut off, wherever that was, %i appends at once',
    async (appendsAtOnce) => {
      await seededShuffle(60);
      await from.append('vault-a', 'any', [newEvent(), newEvent(), newEvent()]);
      await from.truncate('vault-a', 2);
      const inner = to;
      let cuts = 0;
      for (;;) {
        let left = 1 + (cuts % 4);
        // Each try gets no further than this, and loses an answer, or a request, at its end.
        to = createFaultyStore(inner, () => {
          left -= 1;
          if (left >= 0) return undefined;
          return { kind: left === -1 && cuts % 2 === 0 ? 'fails-after' : 'fails-before' };
        });
        try {
          await copy(appendsAtOnce);
          break;
        } catch (error) {
          expect(error).toBeInstanceOf(StoreUnavailableError);
          cuts += 1;
        }
      }
      expect(cuts).toBeGreaterThan(10);
      expect(await contents(inner)).toEqual(await contents(from));
      to = inner;
      expect(await copy()).toMatchObject({ copied: 0 });
    },
  );

  it('[OP4.2] goes on behind answers that do not come, and records nothing twice', async () => {
    await seededShuffle(20);
    const inner = to;
    let calls = 0;
    to = createFaultyStore(inner, () => {
      calls += 1;
      return calls % 3 === 2 ? { kind: calls % 2 === 0 ? 'fails-after' : 'fails-before' } : undefined;
    });
    await copy(7);
    expect(await contents(inner)).toEqual(await contents(from));
  });

  it('[OP4.2] follows a source that has changed between two tries', async () => {
    await seededShuffle(30);
    await from.append('vault-a', 'any', [newEvent(), newEvent()]);
    const failing = {
      begin: () => (done: number) => {
        if (done === 40) throw new Error('cut off');
      },
    };
    const names = { from: 'sqlite:a', to: 'sqlite:b' };
    await expect(
      copyStore({ from, to, names, appendsAtOnce: 1, randomness, progress: failing, onDamaged }),
    ).rejects.toThrow('cut off');
    await from.erase('session-3');
    await from.append('session-4', 'any', [newEvent()]);
    await from.append('vault-a', 'any', [newEvent()]);
    await from.truncate('vault-a', 2);
    await copy();
    expect(await contents(to)).toEqual(await contents(from));
  });

  it('[OP4.1] never brings back what was removed, where the order of all still shows it', async () => {
    await seededShuffle(20);
    const before: RecordedEvent[] = [];
    for await (const event of from.readAll()) before.push(event);
    await from.erase('session-1');
    await from.truncate('session-2', 1);
    const expected = await contents(from);
    expect(expected.length).toBeLessThan(before.length);
    const inner = from;
    from = {
      ...bound(inner),
      async *readAll() {
        yield* before;
      },
    };
    await copy();
    expect(await contents(to)).toEqual(expected);
  });

  it('[OP4.3] leaves a target alone that holds other things', async () => {
    await seededShuffle(5);
    await to.append('session-x', 'any', [newEvent()]);
    const before = await contents(to);
    await expect(copy()).rejects.toThrow('sqlite:b holds other things already');
    expect(await contents(to)).toEqual(before);
  });

  it('[OP4.3] does not mix a copy that was begun with another source', async () => {
    await seededShuffle(5);
    await to.append(copyMarkStream, 'any', [{ ...newEvent({ source: 'sqlite:c' }), type: 'StoreCopyBegun' }]);
    await expect(copy()).rejects.toThrow('sqlite:b holds a copy of sqlite:c that was begun and not finished');
  });

  it('[OP4.2] notices when what arrives is not what was sent, and says where', async () => {
    await seededShuffle(5);
    const inner = to;
    to = {
      ...bound(inner),
      append: (stream, expected, events) =>
        inner.append(
          stream,
          expected,
          events.map((event) => ({ ...event, data: { ...Object(event.data), odd: 1 } })),
        ),
    };
    await expect(copy()).rejects.toThrow(/not the same as its source.*\n {2}session-\d+: \d+ events/);
    // It is still marked as what it is.
    expect(await readCopyMark(inner)).toBe('sqlite:a');
  });

  it('[OP4.2] notices that another program writes to the target, or to the source', async () => {
    await seededShuffle(5);
    const inner = to;
    let appends = 0;
    to = {
      ...bound(inner),
      append: async (stream, expected, events) => {
        appends += 1;
        if (appends === 4) await inner.append(stream, 'any', [newEvent()]);
        return inner.append(stream, expected, events);
      },
    };
    await expect(copy()).rejects.toThrow(/another program writes to session-\d+ of the target/);
    const source = from;
    to = opening(createMemoryStore(clock));
    const meanwhile = {
      begin: () => (done: number) => {
        if (done === 10) void source.append('session-new', 'any', [newEvent()]);
      },
    };
    const names = { from: 'sqlite:a', to: 'sqlite:b' };
    await expect(
      copyStore({ from, to, names, appendsAtOnce: 1, randomness, progress: meanwhile, onDamaged }),
    ).rejects.toThrow('session-new: 1 events');
  });
});

/** A store's functions, to be spread and replaced. */
const bound = (store: EventStore): EventStore => ({
  append: (...rest) => store.append(...rest),
  last: (...rest) => store.last(...rest),
  lastOfEach: (...rest) => store.lastOfEach(...rest),
  read: (...rest) => store.read(...rest),
  readAll: (...rest) => store.readAll(...rest),
  subscribeAll: (...rest) => store.subscribeAll(...rest),
  truncate: (...rest) => store.truncate(...rest),
  erase: (...rest) => store.erase(...rest),
  close: () => store.close(),
});
