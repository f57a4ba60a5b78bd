import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { EventStore, NewEvent } from '../../../actors/ports/event-store.ts';
import type { SessionFact } from '../../../actors/session/events.ts';
import { createProjectionRunner, type ProjectionRunner } from '../../../projections/projection-runner.ts';
import type { ViewChanges, ViewDatabase } from '../../../projections/view-database.ts';
import { viewAtMoment } from '../../../src/audit/read-audit.ts';
import { openViewDatabase } from '../../../src/store/views/view-database.ts';
import { createDrivenClock, createSeededRandomness } from '../../support/kit/clock.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/kit/temporary-folder.ts';
import { created, sealed, sessionEvent } from '../../support/projections/session-events.ts';
import { allReadable } from '../../support/store/all-readable.ts';
import { createMemoryStore, MemoryDisk } from '../../support/store/memory-store.ts';

/** What one save may hold; a single picture may be larger. */
const maxViews = 250;
const maxCharacters = 512 * 1024;

const clock = createDrivenClock();
const randomness = createSeededRandomness(3, clock);
let folder: TemporaryFolder;
let store: EventStore;
const opened: { runner: ProjectionRunner; database: ViewDatabase }[] = [];
/** The views and the characters of the pictures in each save. */
let saves: { views: number; pictures: number; characters: number }[];

beforeEach(async () => {
  folder = await createTemporaryFolder();
  store = createMemoryStore(clock);
  saves = [];
});
afterEach(async () => {
  await close();
  await folder.remove();
});

async function open(): Promise<ProjectionRunner> {
  const database = openViewDatabase(join(folder.path, 'views.db'));
  const save = database.save.bind(database);
  database.save = (changes: ViewChanges, progress) => {
    const [views, pictures] = [[...changes.views], [...changes.pictures]];
    const characters = pictures.reduce((sum, [, picture]) => sum + (picture?.length ?? 0), 0);
    saves.push({ views: views.length, pictures: pictures.length, characters });
    save({ ...changes, views, pictures }, progress);
  };
  const onError = (error: unknown): never => {
    throw error;
  };
  const runner = createProjectionRunner({ store, database, clock, onError, reportUnreadable: allReadable });
  opened.push({ runner, database });
  await runner.start();
  return runner;
}

async function close(): Promise<void> {
  for (const { runner, database } of opened.splice(0)) {
    await runner.stop();
    database.close();
  }
}

const event = (fact: SessionFact, to: 'connected' | 'disconnected' | 'deleted' | 'qrPending'): NewEvent =>
  sessionEvent(randomness.uuid(), fact, { to });
const creation = (): NewEvent => event(created, 'qrPending');
const loggedIn = (picture: string): NewEvent =>
  event({ type: 'LoggedIn', login: 1, account: sealed('account'), picture: sealed(picture) }, 'connected');
const lost = (): NewEvent => event({ type: 'ConnectionLost', login: 1, reason: 'away' }, 'disconnected');
const append = (id: string, ...events: NewEvent[]) => store.append(`session-${id}`, 'any', events);

it('[SE13.2] shows the picture of the last account, before and after it is saved', async () => {
  const runner = await open();
  await append('a', creation());
  expect(runner.picture('a')).toBeUndefined();
  await append('a', loggedIn('one'));
  expect([runner.picture('a'), runner.get('a')?.pictureLength]).toEqual([sealed('one'), sealed('one').length]);
  await clock.advance(100);
  expect(runner.picture('a')).toBe(sealed('one'));
  const change = { type: 'AccountChanged', login: 1, account: sealed('account'), picture: sealed('two') } as const;
  await append('a', event(change, 'connected'), lost());
  expect(runner.picture('a')).toBe(sealed('two'));
  await close();
  expect((await open()).picture('a')).toBe(sealed('two'));
});

it('[SE11.2] has no picture of a deleted session, before and after that is saved', async () => {
  const runner = await open();
  await append('a', creation(), loggedIn('one'));
  await append('b', creation(), loggedIn('one'));
  await clock.advance(100);
  await append('a', event({ type: 'SessionDeleted' }, 'deleted'));
  expect(runner.picture('a')).toBeUndefined();
  runner.remove(['b']);
  expect(runner.picture('b')).toBeUndefined();
  await close();
  const again = await open();
  expect([again.picture('a'), again.picture('b')]).toEqual([undefined, undefined]);
});

it('has no picture of a store that was replaced by another', async () => {
  const runner = await open();
  await append('a', creation(), loggedIn('one'));
  await clock.advance(100);
  await append('b', creation(), loggedIn('one'));
  await runner.stop();
  await close();
  store = createMemoryStore(clock, new MemoryDisk());
  const again = await open();
  expect([again.picture('a'), again.picture('b')]).toEqual([undefined, undefined]);
});

it('saves a picture once, not with each change of its session', async () => {
  await open();
  await append('a', creation(), loggedIn('one'));
  await clock.advance(100);
  await append('a', lost());
  await clock.advance(100);
  expect(saves.map(({ views, pictures }) => [views, pictures])).toEqual([
    [1, 1],
    [1, 0],
  ]);
});

it.each([
  ['sessions without a picture', 1_000, 0, 4],
  ['sessions with a photo', 100, 60_000, 12],
])('builds the views of %s in saves of one turn each', async (_, sessions, characters, expected) => {
  for (let session = 0; session < sessions; session += 1) {
    await append(`${session}`, creation(), ...(characters > 0 ? [loggedIn('x'.repeat(characters))] : []));
  }
  const runner = await open();
  await clock.advance(100);
  expect(saves.length).toBeGreaterThanOrEqual(expected);
  for (const { views, characters: saved } of saves) {
    expect(views).toBeLessThanOrEqual(maxViews);
    expect(saved).toBeLessThanOrEqual(maxCharacters + characters);
  }
  expect(Object.values(runner.countByState())).toEqual([sessions]);
});

it('[AD2.1] a moment has the picture that was shown then', async () => {
  await append('a', creation(), loggedIn('one'), lost(), loggedIn('two'), event({ type: 'SessionDeleted' }, 'deleted'));
  const pictures: unknown[] = [];
  for (let seq = 1; seq <= 5; seq += 1) {
    pictures.push((await viewAtMoment({ store, reportUnreadable: allReadable }, 'a', { seq }))?.picture);
  }
  expect(pictures).toEqual([undefined, sealed('one'), sealed('one'), sealed('two'), undefined]);
});

it('forgets all views, saved or not, if the store is another one when the projection starts again', async () => {
  let current = store;
  const database = openViewDatabase(join(folder.path, 'views.db'));
  let isBroken = false;
  const get = database.get.bind(database);
  database.get = (id) => {
    if (isBroken) throw new Error('the disk cannot be read');
    return get(id);
  };
  const runner = createProjectionRunner({
    store: {
      ...store,
      read: (stream, options) => current.read(stream, options),
      subscribeAll: (options) => current.subscribeAll(options),
    },
    database,
    clock,
    onError: () => {},
    reportUnreadable: allReadable,
  });
  opened.push({ runner, database });
  await runner.start();
  await append('saved', creation());
  await clock.advance(100);
  await append('unsaved', creation());
  isBroken = true;
  await append('another', creation());
  await clock.settle();
  isBroken = false;
  current = createMemoryStore(clock, new MemoryDisk());
  await runner.start();
  expect([runner.get('saved'), runner.get('unsaved'), runner.position]).toEqual([undefined, undefined, 0n]);
});
