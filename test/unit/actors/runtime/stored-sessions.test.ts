import { beforeEach, describe, expect, it } from 'vitest';
import { LightAbort } from '../../../../actors/kit/light-abort.ts';
import type { Unreadable } from '../../../../actors/ports/event-codec.ts';
import { type EventStore, erasedType, type NewEvent, type ReadOptions } from '../../../../actors/ports/event-store.ts';
import { silentLog } from '../../../../actors/ports/log.ts';
import { readSession } from '../../../../actors/runtime/read-session.ts';
import { StoredSessions } from '../../../../actors/runtime/stored-session.ts';
import { sessionLifecycle } from '../../../../actors/session/lifecycle.ts';
import { replay } from '../../../../actors/session/replay.ts';
import { createDrivenClock, createSeededRandomness, type DrivenClock } from '../../../support/kit/clock.ts';
import { created, sealed, sessionEvent } from '../../../support/projections/session-events.ts';
import { createMemoryStore } from '../../../support/store/memory-store.ts';

let clock: DrivenClock;
let store: EventStore;
let unreadable: Unreadable[];
/** What the streams were asked for. */
let reads: ReadOptions[];

beforeEach(() => {
  clock = createDrivenClock();
  store = createMemoryStore(clock);
  unreadable = [];
  reads = [];
  const read = store.read.bind(store);
  store.read = (stream, options = {}) => {
    reads.push(options);
    return read(stream, options);
  };
});

const creation = sessionEvent('e0', created, { to: 'qrPending' });
const qr = sessionEvent('e1', { type: 'QrIssued', login: 1, link: sealed('x'), expires: 1 }, { to: 'qrPending' });
const deletion = sessionEvent('e2', { type: 'SessionDeleted' }, { to: 'deleted' });
const odd = (id: string): NewEvent => ({ id, type: 'BasketOpened', data: {}, metadata: {} });
const append = (...events: NewEvent[]): Promise<unknown> => store.append('session-s1', 'any', events);

describe('the events of a session', () => {
  const read = async (options?: ReadOptions): Promise<string[]> => {
    const ids: string[] = [];
    const deps = { store, reportUnreadable: (event: Unreadable) => void unreadable.push(event) };
    for await (const { id } of readSession(deps, 's1', options)) ids.push(id);
    return ids;
  };

  it('[FA7.1] are as many as were asked for, without those that cannot be read', async () => {
    await append(odd('x'), creation, odd('y'), qr, deletion);
    expect(await read()).toEqual(['e0', 'e1', 'e2']);
    expect(await read({ limit: 2 })).toEqual(['e0', 'e1']);
    expect(await read({ from: 2, limit: 1 })).toEqual(['e1']);
    expect(await read({ direction: 'backwards', limit: 3 })).toEqual(['e2', 'e1', 'e0']);
    expect(await read({ direction: 'backwards', from: 2, limit: 1 })).toEqual(['e0']);
    expect(unreadable[0]).toMatchObject({ stream: 'session-s1', revision: 0, reason: 'unknown-type' });
  });

  it('[FA7.1] are not looked for before the first', async () => {
    await append(odd('x'), odd('y'));
    expect(await read({ direction: 'backwards', limit: 2 })).toEqual([]);
    expect(reads.map(({ from }) => from ?? 'the end')).toEqual(['the end']);
  });
});

describe('what the stream of a session says', () => {
  const stored = async (): Promise<unknown> => {
    const random = createSeededRandomness(1, clock);
    const deps = { store, clock, random, log: silentLog, reportUnreadable: () => {} };
    const last = await store.last('session-s1');
    if (last === undefined) throw new Error('it has an event');
    return new StoredSessions(deps, sessionLifecycle).read('s1', last);
  };

  it('[SE11.2] is that it is deleted, also if its erasure was interrupted', async () => {
    await append(creation);
    expect(await stored()).toMatchObject({ metadata: { to: 'qrPending' } });
    await append(deletion);
    expect(await stored()).toBe('deleted');
    await store.erase('session-s1');
    await append({ id: 'erased', type: erasedType, data: {}, metadata: null });
    expect(await stored()).toBe('deleted');
  });

  it('[FA7.2] is that it is held, foreign or deleted, if its last event cannot be read', async () => {
    await append(odd('x'));
    expect(await stored()).toBe('foreign');
    await append(creation, odd('y'));
    expect(await stored()).toBe('held');
    await append(deletion, odd('z'));
    expect(await stored()).toBe('deleted');
  });

  it('[SE11.2] is looked for until the store is there, or the process stops', async () => {
    const stop = new LightAbort();
    const random = createSeededRandomness(1, clock);
    const deps = { store, clock, random, log: silentLog, reportUnreadable: () => {} };
    const gone = new StoredSessions(deps, sessionLifecycle).readNow('s1', stop);
    await clock.settle();
    stop.abort(new Error('stopping'));
    expect([await gone, clock.armed()]).toEqual([undefined, 0]);
  });
});

it('[AD6.1] a replay keeps what the last event that can be read says', async () => {
  const recorded = [creation, odd('x')].map((event, revision) => ({
    ...event,
    stream: 'session-s1',
    revision,
    position: BigInt(revision),
    created: 0,
  }));
  expect((await replay(recorded)).last).toMatchObject({ to: 'qrPending' });
});
