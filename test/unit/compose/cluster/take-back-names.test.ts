import { beforeEach, expect, it } from 'vitest';
import { sessionIdOf, sessionStream } from '../../../../actors/session/events.ts';
import { externalKey } from '../../../../actors/session/external-key.ts';
import { createProjectionRunner, type ProjectionRunner } from '../../../../projections/projection-runner.ts';
import { takeBackNames } from '../../../../src/compose/cluster/take-back-names.ts';
import { createPlainSealer } from '../../../support/actors/plain-sealer.ts';
import { eventsOf, openWorld, typesOf, type World } from '../../../support/actors/sessions-world.ts';
import { createDrivenClock } from '../../../support/kit/clock.ts';
import { allReadable } from '../../../support/store/all-readable.ts';
import { createMemoryStore } from '../../../support/store/memory-store.ts';
import { createMemoryViewDatabase } from '../../../support/store/memory-view-database.ts';

/** Commands that know of no other session, as those of a process whose keeper was killed. */

let world: World;
let views: ProjectionRunner;
let isOwner: boolean;
let store: ReturnType<typeof createMemoryStore>;

const openViews = async (): Promise<ProjectionRunner> => {
  const deps = { store, clock: world.clock, reportUnreadable: allReadable, onError: () => {} };
  const runner = createProjectionRunner({ ...deps, database: createMemoryViewDatabase() });
  await runner.start();
  return runner;
};

beforeEach(async () => {
  const clock = createDrivenClock();
  store = createMemoryStore(clock);
  world = openWorld(clock, store, createPlainSealer(), 1, {});
  await world.sessions.start();
  views = await openViews();
  isOwner = true;
  const deps = { views, sessions: world.sessions, ownership: { owns: () => isOwner } };
  views.onShown(({ stream }) => takeBackNames(deps, sessionIdOf(stream)));
});

const holderIn = (runner: ProjectionRunner): string | undefined => runner.byExternalKey(externalKey('x'))?.id;

it('[CL5.13] the owner of a session that was given another one’s names records its own again, once', async () => {
  const first = await world.sessions.create({ externalId: 'x' });
  const other = await world.sessions.create({ externalId: 'y', label: 'desk' });
  await world.sessions.rename(other.id, { externalId: 'x', label: 'shop' });
  await world.clock.settle();
  const events = await eventsOf(world, other.id);
  expect(typesOf(events)).toEqual(['SessionCreated', 'SessionRenamed', 'SessionRenamed']);
  expect(events.at(-1)?.data).toEqual({ externalId: 'y', label: 'desk' });
  // Views that never saw the first one agree.
  await store.erase(sessionStream(first.id));
  const anew = await openViews();
  expect(anew.get(other.id)).toMatchObject({ externalId: 'y', label: 'desk' });
  expect(holderIn(anew)).toBeUndefined();
});

it('[CL5.13] the next owner does so if the first could not', async () => {
  isOwner = false;
  const first = await world.sessions.create({ externalId: 'x' });
  const other = await world.sessions.create({});
  await world.sessions.rename(other.id, { externalId: 'x' });
  await world.clock.settle();
  expect(typesOf(await eventsOf(world, other.id))).toEqual(['SessionCreated', 'SessionRenamed']);
  isOwner = true;
  await world.sessions.rotateSecret(other.id);
  await world.clock.settle();
  const events = await eventsOf(world, other.id);
  expect(typesOf(events).slice(2)).toEqual(['SecretRotated', 'SessionRenamed']);
  expect(events.at(-1)?.data).toEqual({ externalId: '', label: '' });
  expect(holderIn(views)).toBe(first.id);
});
