import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Randomness } from '../../../actors/ports/clock.ts';
import type { Unreadable } from '../../../actors/ports/event-codec.ts';
import type { EventStore, NewEvent } from '../../../actors/ports/event-store.ts';
import { createProjectionRunner, type ProjectionRunner } from '../../../projections/projection-runner.ts';
import type { ViewDatabase } from '../../../projections/view-database.ts';
import { openViewDatabase } from '../../../src/store/views/view-database.ts';
import { createDrivenClock, createSeededRandomness, type DrivenClock } from '../../support/kit/clock.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/kit/temporary-folder.ts';
import { created, sealed, sessionEvent } from '../../support/projections/session-events.ts';
import { watchDatabase } from '../../support/projections/watched-database.ts';
import { createMemoryStore, MemoryDisk } from '../../support/store/memory-store.ts';

let clock: DrivenClock;
let randomness: Randomness;
let folder: TemporaryFolder;
let store: EventStore;
let errors: unknown[];
let unreadable: Unreadable[];
const opened: { runner: ProjectionRunner; database: ViewDatabase }[] = [];

beforeEach(async () => {
  folder = await createTemporaryFolder();
  clock = createDrivenClock();
  randomness = createSeededRandomness(2, clock);
  store = createMemoryStore(clock);
  errors = [];
  unreadable = [];
});

afterEach(async () => {
  for (const { runner, database } of opened.splice(0)) {
    await runner.stop().catch(() => {});
    database.close();
  }
  await folder.remove();
});

const file = (): string => join(folder.path, 'projections.db');

function open(database: ViewDatabase = openViewDatabase(file())): ProjectionRunner {
  const onError = (error: unknown): void => {
    errors.push(error);
  };
  const runner = createProjectionRunner({
    store,
    database,
    clock,
    onError,
    reportUnreadable: (event) => unreadable.push(event),
  });
  opened.push({ runner, database });
  return runner;
}

async function close(): Promise<void> {
  for (const { runner, database } of opened.splice(0)) {
    await runner.stop();
    database.close();
  }
}

const creation = (): NewEvent => sessionEvent(randomness.uuid(), created, { to: 'qrPending' });
const deletion = (): NewEvent => sessionEvent(randomness.uuid(), { type: 'SessionDeleted' }, { to: 'deleted' });
const qrIssued = (link = 'link'): NewEvent =>
  sessionEvent(randomness.uuid(), { type: 'QrIssued', login: 1, link: sealed(link), expires: 1 }, { to: 'qrPending' });

async function append(id: string, ...events: NewEvent[]): Promise<bigint> {
  return (await store.append(`session-${id}`, 'any', events)).position;
}

describe('the projection runner', () => {
  it('shows what is recorded when it has started, and then what comes', async () => {
    await append('a', creation());
    const runner = open();
    expect(runner.caughtUp).toBe(false);
    await runner.start();
    expect(runner.caughtUp).toBe(true);
    expect(runner.get('a')?.state).toBe('qrPending');
    expect(runner.get('b')).toBeUndefined();
    await runner.waitFor(await append('b', creation(), qrIssued()));
    expect(runner.get('b')?.qrLink).toBe(sealed('link'));
  });

  it('lets a client read its own write', async () => {
    const runner = open();
    await runner.start();
    for (let round = 0; round < 50; round += 1) {
      const id = `s${round}`;
      await runner.waitFor(await append(id, creation()));
      expect(runner.get(id)?.revision).toBe(0);
      await runner.waitFor(await append(id, qrIssued(`link ${round}`)));
      expect(runner.get(id)?.qrLink).toBe(sealed(`link ${round}`));
    }
  });

  it('lets every reader wait for its own position, and gives up with the signal', async () => {
    const runner = open();
    await runner.start();
    const base = await append('a', creation());
    await runner.waitFor(base);
    const order: number[] = [];
    const waiting = [3, 1, 2].map((ahead) => runner.waitFor(base + BigInt(ahead)).then(() => order.push(ahead)));
    const aborted = new AbortController();
    const given = runner.waitFor(base + 100n, aborted.signal);
    aborted.abort(new Error('client gone'));
    await expect(given).rejects.toThrow('client gone');
    await expect(runner.waitFor(base + 100n, aborted.signal)).rejects.toThrow('client gone');
    for (const seen of [1, 2, 3]) {
      await append('a', qrIssued());
      await clock.settle();
      expect(order).toHaveLength(seen);
    }
    await Promise.all(waiting);
    expect(order).toEqual([1, 2, 3]);
  });

  it('goes on where it ended, without folding anything twice', async () => {
    const first = open();
    await first.start();
    await append('a', creation(), qrIssued());
    await clock.advance(100);
    await close();
    await append('a', qrIssued('later'));
    const second = open();
    expect(second.get('a')?.qrLink).toBe(sealed('link'));
    const before = second.position;
    await second.start();
    expect(second.get('a')).toMatchObject({ qrLink: sealed('later'), revision: 2 });
    expect(second.position > before).toBe(true);
  });

  it('folds again what a crash took from the file', async () => {
    const first = open();
    await first.start();
    await append('a', creation());
    await clock.advance(100);
    await append('a', qrIssued('unsaved'));
    await clock.settle();
    expect(first.get('a')?.qrLink).toBe(sealed('unsaved'));
    const view = first.get('a');
    // The process dies: nobody stops the runner, nothing is saved.
    for (const { database } of opened.splice(0)) database.close();
    const second = open();
    expect(second.get('a')).not.toHaveProperty('qrLink');
    await second.start();
    expect(second.get('a')).toEqual(view);
  });

  it.each(['deleted', 'damaged'])('makes the views again when the file was %s', async (fate) => {
    const runner = open();
    await runner.start();
    await Promise.all(['a', 'b', 'c'].map((id) => append(id, creation(), qrIssued())));
    await append('b', deletion());
    await clock.settle();
    const views = ['a', 'b', 'c'].map((id) => runner.get(id));
    await close();
    for (const suffix of ['', '-wal', '-shm']) rmSync(file() + suffix, { force: true });
    if (fate === 'damaged') writeFileSync(file(), 'no database at all'.repeat(1000));
    const again = open();
    expect(again.position).toBe(0n);
    await again.start();
    expect(['a', 'b', 'c'].map((id) => again.get(id))).toEqual(views);
  });

  it('makes the views again when the file was damaged where nobody has looked yet', async () => {
    const runner = open();
    await runner.start();
    const ids = Array.from({ length: 200 }, (_, index) => `s${index}`);
    await Promise.all(ids.map((id) => append(id, creation(), qrIssued('link'.repeat(100)))));
    await clock.settle();
    const views = ids.map((id) => runner.get(id));
    await close();
    const bytes = readFileSync(file());
    const pageBytes = 4096;
    const [damaged = 0] = Array.from({ length: bytes.length / pageBytes }, (_, page) => page * pageBytes)
      .filter((at) => bytes.subarray(at, at + pageBytes).includes('linklink'))
      .slice(-2);
    writeFileSync(file(), bytes.fill(0xff, damaged, damaged + pageBytes));
    const again = open();
    await again.start();
    expect(ids.map((id) => again.get(id))).toEqual(views);
  });

  it('makes the views again when another store stands beside the file', async () => {
    const runner = open();
    await runner.start();
    await append('a', creation(), qrIssued(), qrIssued());
    await clock.advance(100);
    await close();
    store = createMemoryStore(clock, new MemoryDisk());
    await append('a', creation());
    await append('b', creation());
    const again = open();
    await again.start();
    expect(again.get('a')).toMatchObject({ revision: 0 });
    expect(again.list({ limit: 10 }).map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('makes the views again when the store has been copied: its positions are others', async () => {
    await append('z', creation());
    const runner = open();
    await runner.start();
    await append('a', creation(), qrIssued());
    await clock.advance(100);
    const events: NewEvent[] = [];
    for await (const { id, type, data, metadata } of store.read('session-a')) events.push({ id, type, data, metadata });
    await close();
    store = createMemoryStore(clock, new MemoryDisk());
    await append('a', ...events);
    const again = open();
    await again.start();
    expect(again.position).toBe(2n);
    expect(again.list({ limit: 10 }).map(({ id }) => id)).toEqual(['a']);
    await again.waitFor(await append('a', qrIssued('later')));
    expect(again.get('a')?.qrLink).toBe(sealed('later'));
  });

  it('forgets sessions whose events are gone, in memory and in the file', async () => {
    const runner = open();
    await runner.start();
    for (const id of ['a', 'b', 'c']) await append(id, creation(), deletion());
    await clock.advance(100);
    await append('b', qrIssued());
    await clock.settle();
    await store.erase('session-b');
    runner.remove(['a', 'b', 'x']);
    expect([runner.get('a'), runner.get('b')]).toEqual([undefined, undefined]);
    await close();
    const again = open();
    expect(again.get('a')).toBeUndefined();
    expect(again.list({ limit: 10, state: 'deleted' }).map(({ id }) => id)).toEqual(['c']);
  });

  it('[AD5.1] lists by ID, in pages, deleted ones only when asked for', async () => {
    const runner = open();
    await runner.start();
    for (const id of ['c', 'a', 'e', 'b', 'd']) await append(id, creation());
    await append('b', deletion());
    await clock.settle();
    const ids = (options: Parameters<ProjectionRunner['list']>[0]): string[] =>
      runner.list(options).map(({ id }) => id);
    expect(ids({ limit: 10 })).toEqual(['a', 'c', 'd', 'e']);
    expect(ids({ limit: 2 })).toEqual(['a', 'c']);
    expect(ids({ limit: 2, after: 'c' })).toEqual(['d', 'e']);
    expect(ids({ limit: 10, state: 'deleted' })).toEqual(['b']);
    expect(ids({ limit: 1, state: 'qrPending', after: 'a' })).toEqual(['c']);
    expect(ids({ limit: 10, state: 'connected' })).toEqual([]);
    expect(runner.list({ limit: 1 })[0]).toEqual(runner.get('a'));
  });

  it.each([
    ['no-metadata', { metadata: null }],
    ['unknown-type', { type: 'BasketOpened' }],
    ['wrong-shape', { data: { login: 'one' } }],
    ['newer-version', { metadata: { version: 99 } }],
  ])('[FA7.1] passes over an event that cannot be read (%s), and goes on with what comes', async (reason, change) => {
    const runner = open();
    await runner.start();
    await append('a', creation());
    await append('a', { ...qrIssued(), ...change });
    await append('stranger', { ...creation(), metadata: {} });
    const position = await append('b', creation());
    await runner.waitFor(position);
    expect([errors, runner.caughtUp]).toEqual([[], true]);
    expect([runner.get('a')?.revision, runner.get('b')?.revision]).toEqual([0, 0]);
    expect(runner.list({ limit: 10, state: 'any' }).map(({ id }) => id)).toEqual(['a', 'b']);
    expect(unreadable).toMatchObject([
      { stream: 'session-a', revision: 1, reason },
      { stream: 'session-stranger', revision: 0, reason: 'wrong-shape' },
    ]);
  });

  it('[FA7.1] does not read an event again that it passed over before a restart', async () => {
    await append('a', creation(), { ...qrIssued(), metadata: null });
    await open().start();
    await close();
    expect(unreadable).toHaveLength(1);
    const runner = open();
    await runner.start();
    expect(unreadable).toHaveLength(1);
    const position = await append('a', qrIssued('next'));
    expect([runner.position, runner.get('a')?.revision]).toEqual([position, 2]);
  });

  it('stops where a view cannot be read, says so, and can be started again', async () => {
    const database = openViewDatabase(file());
    const { get } = database;
    const runner = open(database);
    await runner.start();
    database.get = () => {
      throw new Error('disk failed');
    };
    await append('a', creation());
    await clock.settle();
    expect([errors.length, runner.caughtUp]).toEqual([1, false]);
    await expect(runner.start()).rejects.toThrow('disk failed');
    expect(errors).toHaveLength(2);
    database.get = get.bind(database);
    await runner.start();
    expect(runner.get('a')?.revision).toBe(0);
  });

  it('stays right in memory while the file cannot be written, asks less and less often, and saves later', async () => {
    const database = openViewDatabase(file());
    const faulty = watchDatabase(database);
    faulty.failure = new Error('disk full');
    const runner = open(faulty);
    await runner.start();
    await append('a', creation());
    await clock.advance(300);
    expect(errors).toEqual([new Error('disk full'), new Error('disk full')]);
    for (let second = 0; second < 60; second += 1) {
      await append('b', second === 0 ? creation() : qrIssued());
      await clock.advance(1000);
    }
    expect(errors.length).toBeLessThan(12);
    expect(runner.get('a')?.revision).toBe(0);
    expect(database.progress).toBeUndefined();
    faulty.failure = undefined;
    await clock.advance(30_000);
    expect(database.progress?.position).toBe(runner.position);
    expect(database.get('a')).toEqual(runner.get('a'));
  });
});
