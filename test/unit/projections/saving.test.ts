import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EventStore } from '../../../actors/ports/event-store.ts';
import { sessionIdOf } from '../../../actors/session/events.ts';
import { createProjectionRunner, type ProjectionRunner } from '../../../projections/projection-runner.ts';
import { openViewDatabase } from '../../../src/store/views/view-database.ts';
import { createDrivenClock, type DrivenClock } from '../../support/kit/clock.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/kit/temporary-folder.ts';
import { created, sessionEvent } from '../../support/projections/session-events.ts';
import { type WatchedDatabase, watchDatabase } from '../../support/projections/watched-database.ts';
import { createMemoryStore, MemoryDisk } from '../../support/store/memory-store.ts';

let clock: DrivenClock;
let folder: TemporaryFolder;
let store: EventStore;
let database: WatchedDatabase;
let runner: ProjectionRunner;
let errors: [message: string, during: string][];

beforeEach(async () => {
  clock = createDrivenClock();
  folder = await createTemporaryFolder();
  store = createMemoryStore(clock);
  database = watchDatabase(openViewDatabase(join(folder.path, 'projections.db')));
  errors = [];
  runner = createRunner();
});

afterEach(async () => {
  await runner.stop();
  database.close();
  await folder.remove();
});

function createRunner(): ProjectionRunner {
  return createProjectionRunner({
    store,
    database,
    clock,
    onError: (error, during) => errors.push([(error as Error).message, during]),
    reportUnreadable: () => {},
  });
}

/** Creates sessions `s0`, `s1` …; the IDs of their events begin with `prefix`. */
async function create(count: number, prefix = 'e'): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await store.append(`session-s${index}`, 'any', [sessionEvent(`${prefix}${index}`, created, { to: 'qrPending' })]);
  }
}

describe('the saved views', () => {
  it('are written a moment after a change, and once where nothing has changed since', async () => {
    await runner.start();
    await create(3);
    await clock.settle();
    expect([database.saves, clock.armed()]).toEqual([0, 1]);
    await clock.advance(100);
    expect([database.saves, database.get('s2')?.state, clock.armed()]).toEqual([1, 'qrPending', 0]);
    runner.list({ limit: 1 });
    runner.countByState();
    await clock.advance(10_000);
    expect(database.saves).toBe(1);
  });

  it('are not written before there is an event', async () => {
    expect([runner.list({ limit: 1 }), runner.countByState()]).toEqual([[], {}]);
    await runner.start();
    runner.list({ limit: 1 });
    expect([database.saves, errors]).toEqual([0, []]);
  });

  it('are written in portions of 250 while many events are folded', async () => {
    await create(250);
    await runner.start();
    expect([database.saves, database.progress?.position]).toEqual([1, runner.position]);
  });

  it('are not tried again with every event while they cannot be written', async () => {
    database.failure = new Error('disk full');
    await create(300);
    await runner.start();
    expect([database.saves, errors]).toEqual([1, [['disk full', 'saving']]]);
    database.failure = undefined;
    await clock.advance(200);
    expect(database.progress?.position).toBe(runner.position);
  });

  it('are written at the stop, and no timer is left', async () => {
    await runner.start();
    await create(1);
    await clock.settle();
    await runner.stop();
    expect([database.saves, clock.armed(), runner.caughtUp]).toEqual([1, 0, false]);
    expect(database.get('s0')?.state).toBe('qrPending');
  });

  it('are made again from another store with as many events under the same names', async () => {
    await runner.start();
    await create(2);
    await runner.stop();
    store = createMemoryStore(clock, new MemoryDisk());
    await create(2, 'other');
    await store.append('session-s1', 'any', [sessionEvent('last', { type: 'SessionDeleted' }, { to: 'deleted' })]);
    runner = createRunner();
    await runner.start();
    expect(runner.list({ limit: 10 }).map(({ id }) => id)).toEqual(['s0']);
    expect(runner.get('s1')?.revision).toBe(1);
  });
});

describe('the projection', () => {
  it('is started once', async () => {
    await runner.start();
    await expect(runner.start()).rejects.toThrow('the projection runs already');
  });

  it('can be stopped before it was started', async () => {
    await expect(runner.stop()).resolves.toBeUndefined();
  });

  it('tells of each event of a session in order, once its view has it', async () => {
    const shown: [id: string, revision: number, inView: number | undefined][] = [];
    const forget = runner.onShown(({ stream, revision }) => {
      const id = sessionIdOf(stream);
      shown.push([id, revision, runner.get(id)?.revision]);
    });
    await create(2);
    await runner.start();
    const append = async (): Promise<void> => {
      const event = sessionEvent('later', { type: 'SessionDeleted' }, { to: 'deleted' });
      const { position } = await store.append('session-s1', 'any', [event]);
      await runner.waitFor(position);
    };
    await append();
    expect(shown).toEqual([
      ['s0', 0, 0],
      ['s1', 0, 0],
      ['s1', 1, 1],
    ]);
    forget();
    await append();
    expect(shown).toHaveLength(3);
  });

  it('says that it has ended, not that saving failed, where a view cannot be read', async () => {
    await runner.start();
    const { get } = database;
    database.get = () => {
      throw new Error('disk failed');
    };
    await create(1);
    await clock.settle();
    expect(errors).toEqual([['disk failed', 'following']]);
    database.get = get;
  });
});
