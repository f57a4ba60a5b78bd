import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EventStore, type NewEvent, StoreUnavailableError } from '../../../../../actors/ports/event-store.ts';
import { systemClock, systemRandomness } from '../../../../../src/config/clock.ts';
import { openDatabase } from '../../../../../src/store/database.ts';
import { openSqliteStore } from '../../../../../src/store/events/sqlite/sqlite-store.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../../../support/kit/temporary-folder.ts';
import { collect, idsOf } from '../../../../support/store/contract/given.ts';
import { aroundTransactions, createGroupCommit } from '../../../../support/store/group-commit.ts';

let folder: TemporaryFolder;
const opened: { close: () => unknown }[] = [];
beforeEach(async () => {
  folder = await createTemporaryFolder();
});
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
  await folder.remove();
});

const file = (): string => join(folder.path, 'events.db');

function open(): EventStore {
  const store = openSqliteStore({ file: file(), clock: systemClock });
  opened.push(store);
  return store;
}

const event = (text = ''): NewEvent => ({ id: systemRandomness.uuid(), type: 'T', data: { text }, metadata: {} });
const revisions = async (store: EventStore, stream: string): Promise<number[]> =>
  (await collect(store.read(stream))).map(({ revision }) => revision);

describe('what is written in one turn of the event loop', () => {
  it('keeps the order of an append and a truncation', async () => {
    const store = open();
    await store.append('s', 'no-stream', [event(), event()]);
    await Promise.all([store.append('s', 1, [event(), event(), event()]), store.truncate('s', 3)]);
    expect(await revisions(store, 's')).toEqual([3, 4]);
  });

  it('keeps the order of a truncation and an append', async () => {
    const store = open();
    await store.append('s', 'no-stream', [event(), event()]);
    await Promise.all([store.truncate('s', 4), store.append('s', 1, [event(), event(), event()])]);
    expect(await revisions(store, 's')).toEqual([2, 3, 4]);
  });

  it.each(['no-stream', 'any'] as const)(
    'finds the repeat (%s) of an append that is not written yet',
    async (expected) => {
      const store = open();
      const events = [event(), event()];
      const [first, repeat] = await Promise.all([
        store.append('s', 'no-stream', events),
        store.append('s', expected, events),
      ]);
      expect(repeat).toEqual(first);
      expect(await revisions(store, 's')).toEqual([0, 1]);
    },
  );

  it('refuses an append whose ID another one of the turn has used, and no other', async () => {
    const store = open();
    const used = event();
    const outcomes = await Promise.allSettled([
      store.append('one', 'no-stream', [event()]),
      store.append('two', 'no-stream', [used]),
      store.append('one', 0, [used]),
      store.append('three', 'no-stream', [event()]),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[2]).toMatchObject({ reason: { name: 'WrongExpectedRevisionError' } });
  });
});

it('numbers on after a truncation beyond the end, in the next process too', async () => {
  const store = open();
  await store.append('s', 'no-stream', [event(), event()]);
  await store.truncate('s', 99);
  await store.close();
  const next = open();
  expect(await next.append('s', 1, [event()])).toMatchObject({ revision: 2 });
});

it('writes all that was accepted when it is closed, however much', async () => {
  const store = open();
  const appends = Array.from({ length: 2_500 }, (_, index) => store.append(`s-${index}`, 'no-stream', [event()]));
  await store.close();
  expect(await Promise.all(appends)).toHaveLength(2_500);
  expect(await collect(open().readAll())).toHaveLength(2_500);
});

it('leaves nothing of a failed transaction in the next one', async () => {
  await open().append('s', 'no-stream', [event()]);
  const database = openDatabase({ file: file(), migrations: ['', ''], durability: 'full' });
  opened.push(database);
  let failsAtEnd = false;
  const writing = createGroupCommit(
    aroundTransactions(database, (work) => {
      const result = work();
      if (failsAtEnd) throw new Error('the disk is full');
      return result;
    }),
  );
  await writing.append('s', 0, [event()]);
  failsAtEnd = true;
  const lost = [writing.append('s', 1, [event()]), writing.append('new', 'no-stream', [event()])];
  for (const each of await Promise.allSettled(lost)) {
    expect(each).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailableError) });
  }
  failsAtEnd = false;
  const events = [event(), event()];
  const [one, other] = await Promise.all([
    writing.append('s', 1, events.slice(0, 1)),
    writing.append('new', 'no-stream', events.slice(1)),
  ]);
  expect([one, other]).toEqual([
    { revision: 2, position: 3n },
    { revision: 0, position: 4n },
  ]);
  const store = open();
  expect(idsOf(await collect(store.readAll({ after: 2n })))).toEqual(idsOf(events));
});

it('[SE11.4] leaves no row of a stream that is appended to and erased in one turn', async () => {
  const store = open();
  await store.append('s', 'no-stream', [event('before')]);
  await Promise.all([store.append('s', 0, [event('secret')]), store.erase('s')]);
  await store.close();
  const database = openDatabase({ file: file(), migrations: ['', ''], durability: 'full' });
  opened.push(database);
  expect(database.prepare('SELECT count(*) FROM events').all()).toEqual([[0]]);
});
