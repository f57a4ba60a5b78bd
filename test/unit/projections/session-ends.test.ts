import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { EventStore, NewEvent } from '../../../actors/ports/event-store.ts';
import type { TransitionMetadata } from '../../../actors/session/events.ts';
import type { SessionEnd } from '../../../actors/session/restore.ts';
import { createProjectionRunner, type ProjectionRunner } from '../../../projections/projection-runner.ts';
import { openViewDatabase } from '../../../src/store/views/view-database.ts';
import { createDrivenClock, createSeededRandomness } from '../../support/kit/clock.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/kit/temporary-folder.ts';
import { created, sealed, sessionEvent } from '../../support/projections/session-events.ts';
import { type WatchedDatabase, watchDatabase } from '../../support/projections/watched-database.ts';
import { createMemoryStore } from '../../support/store/memory-store.ts';

/** How the streams of sessions end, as the views remember it for the next start. */

const clock = createDrivenClock();
const randomness = createSeededRandomness(3, clock);
let folder: TemporaryFolder;
let store: EventStore;
let database: WatchedDatabase;
let runner: ProjectionRunner;

beforeEach(async () => {
  folder = await createTemporaryFolder();
  store = createMemoryStore(clock);
  await open();
});
afterEach(async () => {
  await close();
  await folder.remove();
});

async function open(keepsEnds = true): Promise<void> {
  database = watchDatabase(openViewDatabase(join(folder.path, 'views.db')));
  runner = createProjectionRunner({
    store,
    database,
    clock,
    keepsEnds,
    onError: () => {},
    reportUnreadable: () => {},
  });
  await runner.start();
}

async function close(): Promise<void> {
  await runner.stop();
  database.close();
}

const creation = (): NewEvent => sessionEvent(randomness.uuid(), created, { to: 'qrPending' });
const qrIssued = (): NewEvent =>
  sessionEvent(
    randomness.uuid(),
    { type: 'QrIssued', login: 1, link: sealed('link'), expires: 1 },
    { to: 'qrPending' },
  );
const deletion = (): NewEvent => sessionEvent(randomness.uuid(), { type: 'SessionDeleted' }, { to: 'deleted' });
const foreign = (): NewEvent => ({ id: randomness.uuid(), type: 'SomethingNewer', data: {}, metadata: {} });

async function append(id: string, ...events: NewEvent[]): Promise<void> {
  await runner.waitFor((await store.append(`session-${id}`, 'any', events)).position);
}

/** What the store itself says. */
async function ended(id: string): Promise<SessionEnd> {
  const last = await store.last(`session-${id}`);
  if (last === undefined) throw new Error(`no ${id}`);
  const { id: eventId, revision, position } = last;
  const metadata = last.metadata as unknown as TransitionMetadata;
  return { id, committed: { id: eventId, revision, position, metadata } };
}

it('[OP2.4] has the last event of each session that is not deleted, over restarts', async () => {
  await append('a', creation(), qrIssued());
  await append('b', creation());
  await append('c', creation(), deletion());
  const ends = [await ended('a'), await ended('b')];
  expect([...(runner.ends() ?? [])]).toEqual(ends);
  await close();
  await open();
  expect([...(runner.ends() ?? [])]).toEqual(ends);
  await append('a', deletion());
  expect([...(runner.ends() ?? [])]).toEqual([ends[1]]);
  runner.remove(['b']);
  expect([...(runner.ends() ?? [])]).toEqual([]);
});

it('[FA7.1] tells of a last event that cannot be read, and nothing else of it', async () => {
  await append('a', creation());
  await store.append('session-a', 'any', [foreign()]);
  await append('b', creation());
  expect([...(runner.ends() ?? [])]).toEqual([{ id: 'a', committed: undefined }, await ended('b')]);
});

it('[OP2.4] has all of more than a page, and what could not be saved', async () => {
  for (let count = 0; count < 600; count += 1) await append(`s${count}`, creation());
  expect(new Set([...(runner.ends() ?? [])].map(({ id }) => id)).size).toBe(600);
  database.failure = new Error('disk full');
  await append('s7', qrIssued());
  await append('new', creation());
  const ends = [...(runner.ends() ?? [])];
  expect(ends).toHaveLength(601);
  expect(ends).toContainEqual(await ended('s7'));
  expect(ends).toContainEqual(await ended('new'));
  database.failure = undefined;
});

it('[OP2.4] has none for a store that finds them itself', async () => {
  await close();
  await open(false);
  await append('a', creation());
  expect(runner.ends()).toBeUndefined();
  expect(database.ends('', 10)).toEqual([]);
});
