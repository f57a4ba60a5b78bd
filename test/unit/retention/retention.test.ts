import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EventStore, type NewEvent, StoreUnavailableError } from '../../../actors/ports/event-store.ts';
import { type SessionFact, type SessionState, sessionStream } from '../../../actors/session/events.ts';
import { createProjectionRunner, type ProjectionRunner } from '../../../projections/projection-runner.ts';
import { createRetention, type Retention } from '../../../src/retention/retention.ts';
import { createDrivenClock, createSeededRandomness, type DrivenClock } from '../../support/kit/clock.ts';
import { created, sessionEvent } from '../../support/projections/session-events.ts';
import { allReadable } from '../../support/store/all-readable.ts';
import { createMemoryStore } from '../../support/store/memory-store.ts';
import { createMemoryViewDatabase } from '../../support/store/memory-view-database.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

let clock: DrivenClock;
let store: EventStore;
let views: ProjectionRunner;
let retention: Retention;
let said: [fields: object, message: string][];
let isOwner: boolean;

beforeEach(async () => {
  clock = createDrivenClock();
  store = createMemoryStore(clock);
  said = [];
  isOwner = true;
  views = await project();
  retention = retain();
});

afterEach(async () => {
  await retention.stop();
  await views.stop();
  await store.close();
});

/** The view made from nothing. */
async function project(from: EventStore = store): Promise<ProjectionRunner> {
  const runner = createProjectionRunner({
    store: from,
    database: createMemoryViewDatabase(),
    clock,
    onError: () => {},
    reportUnreadable: allReadable,
  });
  await runner.start();
  return runner;
}

type Trim = (sessionId: string, recordedBy: number) => Promise<void>;

function retain(erase = (stream: string) => store.erase(stream), trimDeliveries?: Trim): Retention {
  const ownStore: Pick<EventStore, 'last' | 'read' | 'truncate'> = {
    last: (stream) => store.last(stream),
    read: (stream, options) => store.read(stream, options),
    truncate: (stream, before) => store.truncate(stream, before),
  };
  const say = (fields: object, message: string): void => {
    said.push([fields, message]);
  };
  return createRetention({
    store: { ...ownStore, erase },
    views,
    ownership: { owns: () => isOwner },
    clock,
    days: 90,
    trimDeliveries,
    log: { info: say, warn: say },
  });
}

const ids = createSeededRandomness(9, createDrivenClock());

async function record(id: string, fact: SessionFact, to: SessionState): Promise<void> {
  const event = sessionEvent(ids.uuid(), fact, { to, at: clock.now() });
  await store.append(sessionStream(id), 'any', [event]);
}

async function createAndDelete(...names: string[]): Promise<void> {
  for (const id of names) {
    await record(id, created, 'qrPending');
    await record(id, { type: 'SessionDeleted' }, 'deleted');
  }
  await clock.settle();
}

const deletedIn = (runner: ProjectionRunner): string[] =>
  runner.list({ limit: 1000, state: 'deleted' }).map(({ id }) => id);

async function revisionsOf(stream: string): Promise<number[]> {
  const found: number[] = [];
  for await (const { revision } of store.read(stream)) found.push(revision);
  return found;
}

async function storedStreams(): Promise<string[]> {
  const names: string[] = [];
  for await (const { stream } of store.lastOfEach('')) names.push(stream);
  return names;
}

describe('retention', () => {
  it('[OP3.1] keeps the log of a deleted session for 90 days, and not a minute longer', async () => {
    await createAndDelete('a');
    await clock.advance(90 * dayMs - minuteMs);
    retention.start();
    await clock.settle();
    expect(views.get('a')?.state).toBe('deleted');
    expect(await storedStreams()).toEqual(['session-a']);
    await retention.stop();
    await clock.advance(minuteMs);
    retention = retain();
    retention.start();
    await clock.settle();
    expect(views.get('a')).toBeUndefined();
    expect(await storedStreams()).toEqual([]);
  });

  it('[OP3.1] removes what is left of the pace of its account with it', async () => {
    for (const stream of ['send-pace-a', 'send-chats-a']) {
      await store.append(stream, 'any', [{ id: ids.uuid(), type: 'TurnTaken', data: {}, metadata: {} }]);
    }
    await createAndDelete('a');
    retention.start();
    await clock.advance(90 * dayMs);
    expect(await storedStreams()).toEqual([]);
  });

  it('[OP3.1] looks once at the start and then once a day', async () => {
    retention.start();
    await createAndDelete('a');
    await clock.advance(minuteMs);
    await createAndDelete('b');
    await clock.advance(90 * dayMs - 2 * minuteMs);
    expect(deletedIn(views)).toEqual(['a', 'b']);
    await clock.advance(minuteMs);
    expect(deletedIn(views)).toEqual(['b']);
    await clock.advance(dayMs);
    expect(deletedIn(views)).toEqual([]);
    expect(said.map(([fields]) => fields)).toEqual([{ sessions: 1 }, { sessions: 1 }]);
  });

  it('[MS7.5] what was sent under keys goes after a day, also where a session sends no more; the numbering goes on', async () => {
    const sends = (): Promise<number[]> => revisionsOf('send-a');
    const send = (): unknown =>
      store.append('send-a', 'any', [{ id: ids.uuid(), type: 'SendBegun', data: {}, metadata: {} }]);
    await record('a', created, 'qrPending');
    for (let n = 0; n < 3; n++) await send();
    await clock.advance(dayMs - 1);
    retention.start();
    await clock.settle();
    expect(await sends()).toEqual([0, 1, 2]);
    await clock.advance(minuteMs);
    await send();
    await clock.advance(dayMs);
    expect(await sends()).toEqual([0, 1, 2, 3]);
    await clock.advance(dayMs);
    expect(await sends()).toEqual([3]);
    await send();
    expect(await sends()).toEqual([3, 4]);
  });

  it('[MS7.5] what a deleted session sent under keys goes with its log', async () => {
    await createAndDelete('a');
    await store.append('send-a', 'any', [{ id: ids.uuid(), type: 'SendBegun', data: {}, metadata: {} }]);
    await clock.advance(90 * dayMs);
    retention.start();
    await clock.settle();
    expect(await storedStreams()).toEqual([]);
  });

  it('[WH4.6] what was recorded for the webhook of a session that lives goes after 7 days, day by day', async () => {
    const trimmed: [string, number][] = [];
    retention = retain(
      undefined,
      async (id, recordedBy) => void trimmed.push([id, (clock.now() - recordedBy) / dayMs]),
    );
    await record('a', created, 'qrPending');
    await createAndDelete('gone');
    retention.start();
    await clock.settle();
    // The start has the store for itself.
    expect(trimmed).toEqual([]);
    await clock.advance(10 * minuteMs);
    expect(trimmed).toEqual([['a', 7]]);
    await clock.advance(dayMs);
    expect(trimmed).toEqual([
      ['a', 7],
      ['a', 7],
    ]);
  });

  it('[SE11.2] what a deleted session was to be told of goes with its log', async () => {
    await createAndDelete('a');
    await store.append('delivery-a', 'any', [{ id: ids.uuid(), type: 'MessageReceived', data: {}, metadata: {} }]);
    await clock.advance(90 * dayMs);
    retention.start();
    await clock.settle();
    expect(await storedStreams()).toEqual([]);
  });

  it('[OP3.1] leaves sessions that live alone, however old they are', async () => {
    await record('a', created, 'qrPending');
    await createAndDelete('b');
    await clock.advance(400 * dayMs);
    retention.start();
    await clock.settle();
    expect(await storedStreams()).toEqual(['session-a']);
    expect(views.get('a')?.state).toBe('qrPending');
  });

  it('[OP3.1] shows nothing of it in a view that is made from nothing', async () => {
    await createAndDelete('a');
    await clock.advance(90 * dayMs);
    retention.start();
    await clock.settle();
    const again = await project();
    expect(again.get('a')).toBeUndefined();
    expect(deletedIn(again)).toEqual([]);
    await again.stop();
  });

  it('[OP3.1] clears a view made from events that a store goes on showing after they are erased', async () => {
    await createAndDelete('a');
    await clock.advance(90 * dayMs);
    const erased: string[] = [];
    // As a KurrentDB that has not been scavenged: gone from the stream, there in the order of all.
    retention = retain(async (stream) => {
      erased.push(stream);
    });
    for (let start = 0; start < 2; start += 1) {
      await views.stop();
      views = await project();
      expect(deletedIn(views)).toEqual(['a']);
      retention = retain(async (stream) => {
        erased.push(stream);
      });
      retention.start();
      await clock.settle();
      expect(deletedIn(views)).toEqual([]);
      await retention.stop();
    }
    expect(erased.filter((stream) => stream === 'session-a')).toHaveLength(2);
  });

  it('[OP3.1] goes in steps: a thousand sessions are not erased at once', async () => {
    const names = Array.from({ length: 250 }, (_, index) => `s${String(index).padStart(3, '0')}`);
    await createAndDelete(...names);
    await clock.advance(90 * dayMs);
    retention.start();
    await clock.settle();
    expect(deletedIn(views)).toHaveLength(150);
    await clock.advance(50);
    expect(deletedIn(views)).toHaveLength(50);
    await clock.advance(50);
    expect(deletedIn(views)).toEqual([]);
    expect(said).toEqual([[{ sessions: 250 }, 'logs of deleted sessions were pruned']]);
  });

  it('[OP3.1] tries again soon when the store is away, and loses no session over it', async () => {
    await createAndDelete('a', 'b');
    await clock.advance(90 * dayMs);
    let away = true;
    retention = retain(async (stream) => {
      if (away && stream === 'session-b') throw new StoreUnavailableError('away');
      await store.erase(stream);
    });
    retention.start();
    await clock.settle();
    // One stream is gone, its view is not yet.
    expect(await storedStreams()).toEqual(['session-b']);
    expect(deletedIn(views)).toEqual(['a', 'b']);
    expect(said.at(-1)?.[1]).toBe('logs of deleted sessions could not be pruned yet');
    away = false;
    await clock.advance(10 * minuteMs);
    expect(await storedStreams()).toEqual([]);
    expect(deletedIn(views)).toEqual([]);
  });

  it('[OP3.1] ends between two steps, and leaves no timer behind', async () => {
    const names = Array.from({ length: 150 }, (_, index) => `s${String(index).padStart(3, '0')}`);
    await createAndDelete(...names);
    await clock.advance(90 * dayMs);
    const armed = clock.armed();
    retention.start();
    await clock.settle();
    await retention.stop();
    expect(deletedIn(views)).toHaveLength(50);
    expect(clock.armed()).toBe(armed);
    retention.start();
    expect(clock.armed()).toBe(armed);
  });
});

it('[OP3.1] lists each of several pages of sessions once', async () => {
  for (let session = 0; session < 250; session += 1) await record(`s-${1000 + session}`, created, 'qrPending');
  await clock.settle();
  let lists = 0;
  const list = views.list.bind(views);
  views.list = (options) => {
    lists += options.state === undefined ? 1 : 0;
    return list(options);
  };
  retention.start();
  await clock.advance(dayMs / 2);
  expect(lists).toBe(3);
});

it('[OP3.1] truncates what was sent under keys once, not each day', async () => {
  await record('a', created, 'qrPending');
  const sent = (): NewEvent => ({ id: ids.uuid(), type: 'SendBegun', data: {}, metadata: {} });
  await store.append('send-a', 'any', [sent(), sent()]);
  await clock.settle();
  let truncations = 0;
  const truncate = store.truncate.bind(store);
  store.truncate = (stream, before) => {
    truncations += 1;
    return truncate(stream, before);
  };
  await clock.advance(2 * dayMs);
  retention.start();
  await clock.advance(3 * dayMs);
  expect(truncations).toBe(1);
});

it('[MS7.5] what was sent under keys goes after a day where another process owned the session in the pass before', async () => {
  await record('a', created, 'qrPending');
  const sent = (): NewEvent => ({ id: ids.uuid(), type: 'SendBegun', data: {}, metadata: {} });
  await store.append('send-a', 'any', [sent(), sent()]);
  await clock.settle();
  await clock.advance(2 * dayMs);
  isOwner = false;
  retention.start();
  await clock.advance(10 * minuteMs);
  expect(await revisionsOf('send-a')).toEqual([0, 1]);
  isOwner = true;
  await clock.advance(dayMs);
  expect(await revisionsOf('send-a')).toEqual([1]);
});
