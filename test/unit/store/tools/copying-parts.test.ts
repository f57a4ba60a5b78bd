import { beforeEach, describe, expect, it } from 'vitest';
import type { EventStore, NewEvent, RecordedEvent } from '../../../../actors/ports/event-store.ts';
import { differences, fingerprint } from '../../../../src/store/tools/fingerprint.ts';
import { OrderedAppender } from '../../../../src/store/tools/ordered-appender.ts';
import { surveyStore } from '../../../../src/store/tools/survey.ts';
import { createDrivenClock, createSeededRandomness } from '../../../support/kit/clock.ts';
import { failureOf } from '../../../support/kit/failure-of.ts';
import { createMemoryStore, MemoryDisk } from '../../../support/store/memory-store.ts';

const clock = createDrivenClock();
let store: EventStore;
beforeEach(() => {
  store = createMemoryStore(clock, new MemoryDisk());
});

const event = (id: string, data = {}): NewEvent => ({ id, type: 'Happened', data, metadata: null });
const recorded = (stream: string, revision: number): RecordedEvent => ({
  ...event(`${stream}-${revision}`),
  stream,
  revision,
  position: 0n,
  created: 0,
});

describe('the fingerprint of a store', () => {
  it('[OP4.2] counts what it had when it was surveyed, without removed events', async () => {
    await store.append('a', 'any', [event('1'), event('2'), event('3')]);
    await store.append('b', 'any', [event('4')]);
    await store.truncate('a', 1);
    const survey = await surveyStore(store);
    await store.append('b', 'any', [event('5')]);
    const progress: [number, number][] = [];
    const { events, streams } = await fingerprint(store, survey, (done, total) => progress.push([done, total]));
    expect(events).toBe(3);
    expect(Array.from(streams, ([stream, { events: count }]) => [stream, count])).toEqual([
      ['a', 2],
      ['b', 1],
    ]);
    expect(progress).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ]);
  });

  it('[OP4.2] tells stores apart by what an event holds, and by the order of all', async () => {
    const other = createMemoryStore(clock, new MemoryDisk());
    const of = async (each: EventStore) => fingerprint(each, await surveyStore(each), () => {});
    for (const [stream, id] of [
      ['a', '1'],
      ['b', '2'],
    ] as const) {
      await store.append(stream, 'any', [event(id)]);
    }
    for (const [stream, id] of [
      ['b', '2'],
      ['a', '1'],
    ] as const) {
      await other.append(stream, 'any', [event(id)]);
    }
    const [one, two] = [await of(store), await of(other)];
    expect(differences(one, two)).toEqual([]);
    expect(one.order).not.toBe(two.order);
    await other.append('a', 'any', [event('3', { more: 1 })]);
    expect(differences(one, await of(other))).toEqual([
      expect.stringMatching(/^a: 1 events \(\w{12}\) in the source, 2 events \(\w{12}\) in the copy$/),
    ]);
  });
});

describe('the appends of a copy', () => {
  const appenderTo = (to: EventStore): OrderedAppender =>
    new OrderedAppender({
      store: to,
      lasts: new Map(),
      appendsAtOnce: 2,
      randomness: createSeededRandomness(1, clock),
    });
  /** Says how many events each append had. */
  function watched(refuse: (stream: string) => boolean = () => false): { appends: string[]; to: EventStore } {
    const appends: string[] = [];
    const append = store.append.bind(store);
    store.append = (stream, expected, events) => {
      appends.push(`${stream} ${events.length}`);
      return refuse(stream) ? Promise.reject(new Error(`no ${stream}`)) : append(stream, expected, events);
    };
    return { appends, to: store };
  }

  it('[OP4.1] take what follows one another in a stream together, up to 500', async () => {
    const { appends, to } = watched();
    const appender = appenderTo(to);
    for (const [stream, revision] of [
      ['a', 0],
      ['a', 1],
      ['b', 0],
      ['a', 2],
    ] as const) {
      await appender.add(recorded(stream, revision));
    }
    for (let revision = 0; revision < 501; revision += 1) await appender.add(recorded('c', revision));
    await appender.flush();
    expect(appends).toEqual(['a 2', 'b 1', 'a 1', 'c 500', 'c 1']);
  });

  it('[OP4.1] fill up what was removed before the first event', async () => {
    const { to } = watched();
    const appender = appenderTo(to);
    await appender.add(recorded('a', 2));
    await appender.flush();
    const types: string[] = [];
    for await (const { type } of store.read('a')) types.push(type);
    expect(types).toEqual(['Removed', 'Removed', 'Happened']);
  });

  it('[OP4.2] end with the first that fails, and append nothing after it', async () => {
    const { appends, to } = watched((stream) => stream === 'b');
    const appender = appenderTo(to);
    for (const stream of ['a', 'b', 'c']) await appender.add(recorded(stream, 0));
    await new Promise(setImmediate);
    expect(await failureOf(appender.add(recorded('d', 0)))).toMatchObject({ message: 'no b' });
    expect(await failureOf(appender.flush())).toMatchObject({ message: 'no b' });
    expect(appends).toEqual(['a 1', 'b 1']);
  });
});
