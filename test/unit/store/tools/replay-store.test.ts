import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EventStore, NewEvent } from '../../../../actors/ports/event-store.ts';
import type { Drift } from '../../../../actors/session/replay.ts';
import type { SessionEvent } from '../../../../actors/session/transition-event.ts';
import { replayStore, type StoreReplay } from '../../../../src/store/tools/replay-store.ts';
import { vaultCodec } from '../../../../src/store/vault/vault-codec.ts';
import { createHistory, fillWithSessions } from '../../../support/actors/session-histories.ts';
import { createDrivenClock, createSeededRandomness } from '../../../support/kit/clock.ts';
import { allReadable } from '../../../support/store/all-readable.ts';
import { createMemoryStore, MemoryDisk } from '../../../support/store/memory-store.ts';

const clock = createDrivenClock();
let disk: MemoryDisk;
let store: EventStore;

beforeEach(() => {
  disk = new MemoryDisk();
  store = createMemoryStore(clock, disk);
});

afterEach(async () => {
  await store.close();
});

async function replayed(): Promise<StoreReplay & { found: Drift[]; named: string[] }> {
  const found: Drift[] = [];
  const named: string[] = [];
  const result = await replayStore({
    store,
    decoders: [vaultCodec],
    onDrift: (drift) => found.push(drift),
    onUnreadable: ({ stream, revision, reason }) => named.push(`${stream} ${revision} ${reason}`),
  });
  return { ...result, found, named };
}

/** So many events of one session. */
function historyOf(length: number, seed = 5): SessionEvent[] {
  const history = createHistory(createSeededRandomness(seed, clock), clock.now());
  const events = Array.from({ length }, () => history.next()).filter((event) => event !== undefined);
  expect(events).toHaveLength(length);
  return events;
}

const append = (stream: string, events: NewEvent[]): Promise<unknown> => store.append(stream, 'any', events);

describe('replay of a whole store', () => {
  it('[AD6.1] finds nothing to say about what was recorded by the chart', async () => {
    const randomness = createSeededRandomness(7, clock);
    const { events } = await fillWithSessions(store, { sessions: 60, events: 3060, randomness, clock });
    const result = await replayed();
    expect(result).toEqual({ sessions: 60, events: events - 60, drift: 0, unreadable: 0, found: [], named: [] });
  });

  it('[AD6.1] names the place of what differs, and goes on behind it', async () => {
    const events = historyOf(8);
    const odd = structuredClone(events[4]) as SessionEvent;
    odd.metadata.since += 1;
    await append('session-a', events.with(4, odd));
    await append('session-b', historyOf(8, 6));
    const { found, events: seen } = await replayed();
    expect(seen).toBe(16);
    expect(found[0]).toMatchObject({ stream: 'session-a', revision: 4, type: odd.type });
    expect(found[0]?.problem).toContain('since was recorded as');
    expect(found.every(({ stream }) => stream === 'session-a')).toBe(true);
  });

  it('[AD6.1] sees a transition that today’s chart does not make', async () => {
    const [first, second] = historyOf(2);
    const never = { ...structuredClone(second), type: 'ConnectionRestored', data: { login: 1 } } as NewEvent;
    await append('session-a', [first as NewEvent, never]);
    expect((await replayed()).found).toMatchObject([
      { revision: 1, problem: 'changes nothing in qrPending, yet was recorded' },
    ]);
  });

  it('[AD6.1] reports a session that does not begin with its creation', async () => {
    await append('session-b', historyOf(3).slice(1));
    expect((await replayed()).found).toMatchObject([
      { stream: 'session-b', revision: 0, problem: 'is not how a session begins' },
    ]);
  });

  it('[FA7.5] names each event that cannot be read, of every kind of stream, and goes on behind it', async () => {
    const odd = { type: 'Odd', data: '{}', metadata: '{}' };
    disk.plant('session-of-another-app', odd);
    const events = historyOf(8);
    await append('session-a', events.slice(0, 4));
    disk.plant('session-a', { ...odd, metadata: undefined });
    await append('session-a', events.slice(4));
    disk.plant('session-a', { ...odd, data: '{"a' });
    await append('vault-a', [
      { id: crypto.randomUUID(), type: 'KeyCreated', data: { key: 'k', login: null }, metadata: {} },
    ]);
    disk.plant('vault-a', { type: 'LoginSaved', data: '{}', metadata: '{"version":3}' });
    disk.plant('neighbour-1', { ...odd, data: '{' });
    expect(await replayed()).toEqual({
      sessions: 1,
      events: 8,
      drift: 0,
      unreadable: 4,
      found: [],
      named: [
        'session-of-another-app 0 unknown-type',
        'session-a 4 no-metadata',
        'session-a 9 broken-json',
        'vault-a 1 newer-version',
      ],
    });
  });

  it('[AD6.1] reports an event that is missing', async () => {
    const [one, two, three] = historyOf(3) as [SessionEvent, SessionEvent, SessionEvent];
    await append('session-a', [one, two, three]);
    const found: Drift[] = [];
    const holed = {
      ...store,
      lastOfEach: store.lastOfEach.bind(store),
      async *readAll() {
        for await (const event of store.readAll()) if (event.revision !== 1) yield event;
      },
      last: store.last.bind(store),
      read: store.read.bind(store),
      close: store.close.bind(store),
    };
    await replayStore({
      store: holed,
      decoders: [],
      onDrift: (drift) => found.push(drift),
      onUnreadable: allReadable,
    });
    expect(found[0]).toMatchObject({ revision: 2, problem: expect.stringContaining('is missing') });
  });

  it('leaves everything else in the store alone, and starts a truncated stream with what is left', async () => {
    await append('neighbour-1', [{ id: crypto.randomUUID(), type: 'KeyCreated', data: {}, metadata: {} }]);
    await append('session-a', historyOf(6));
    await store.truncate('session-a', 3);
    expect(await replayed()).toMatchObject({ sessions: 1, events: 3, drift: 0 });
  });

  it('says how far it is', async () => {
    await append('session-a', historyOf(4));
    const said: [number, number][] = [];
    const onProgress = (done: number, total: number): unknown => said.push([done, total]);
    await replayStore({ store, decoders: [], onDrift: () => {}, onUnreadable: allReadable, onProgress });
    expect(said).toEqual([1, 2, 3, 4].map((done) => [done, 4]));
  });
});
