import { expect, it } from 'vitest';
import { WrongExpectedRevisionError } from '../../../../actors/ports/event-store.ts';
import { systemClock } from '../../../../src/config/clock.ts';
import { withReaderPrefix, withStreamPrefix } from '../../../../src/store/events/stream-prefix.ts';
import { createDrivenClock } from '../../../support/kit/clock.ts';
import { describeEventStore } from '../../../support/store/contract/event-store.ts';
import { collect, Follower, fill, idsOf, newEvent, newEvents } from '../../../support/store/contract/given.ts';
import { createMemoryStore, MemoryDisk } from '../../../support/store/memory-store.ts';

describeEventStore('memory, under a prefix', async () => {
  const disk = new MemoryDisk();
  const open = () => withStreamPrefix(createMemoryStore(systemClock, disk), 'desk-');
  return {
    store: open(),
    reopen: async () => open(),
    plant: (stream, event) => disk.plant(`desk-${stream}`, event),
    dispose: async () => {},
  };
});

it('[OP1.3] two gateways on one store do not see each other, nor what has no prefix', async () => {
  const below = createMemoryStore(createDrivenClock());
  const [one, two] = [withStreamPrefix(below, 'one-'), withStreamPrefix(below, 'two-')];
  const [ofOne, ofTwo, ofNone] = [newEvents(3), newEvents(2), newEvents(1)];
  await fill(one, 'session-a', ofOne);
  await fill(two, 'session-a', ofTwo);
  await fill(below, 'session-a', ofNone);
  expect(idsOf(await collect(below.read('one-session-a')))).toEqual(idsOf(ofOne));

  for (const [store, events] of [
    [one, ofOne],
    [two, ofTwo],
    [withReaderPrefix(below, 'two-'), ofTwo],
  ] as const) {
    expect(idsOf(await collect(store.read('session-a')))).toEqual(idsOf(events));
    expect((await store.last('session-a'))?.stream).toBe('session-a');
    for (const found of [
      await collect(store.readAll()),
      await collect(store.readAll({ prefixes: ['session-'] })),
      await collect(store.readAll({ prefixes: [''] })),
    ]) {
      expect([idsOf(found), new Set(found.map(({ stream }) => stream))]).toEqual([
        idsOf(events),
        new Set(['session-a']),
      ]);
    }
    for (const prefix of ['', 'session-']) {
      expect((await collect(store.lastOfEach(prefix))).map(({ stream }) => stream)).toEqual(['session-a']);
    }
  }

  const followers = [new Follower(one, {}), new Follower(one, { prefixes: ['session-'] })];
  await two.append('session-b', 'no-stream', [newEvent()]);
  await one.append('session-b', 'no-stream', [newEvent()]);
  for (const follower of followers) {
    await follower.has(4);
    await follower.stop();
    expect(follower.seen.map(({ stream }) => stream)).toEqual(['session-a', 'session-a', 'session-a', 'session-b']);
  }
  await one.truncate('session-a', 2);
  await one.erase('session-b');
  expect(await collect(two.readAll())).toHaveLength(3);
  expect(await collect(one.readAll())).toHaveLength(1);
});

it('[OP1.3] an error of a store under a prefix names the stream as its caller does', async () => {
  const store = withStreamPrefix(createMemoryStore(createDrivenClock()), 'one-');
  await store.append('session-a', 'no-stream', [newEvent()]);
  const refused: unknown = await store.append('session-a', 7, [newEvent()]).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(WrongExpectedRevisionError);
  expect(refused).toMatchObject({ stream: 'session-a', expected: 7, actual: 0 });
});
