import { expect, it } from 'vitest';
import { allPartitions } from '../../../../actors/ports/ownership.ts';
import { restore, type SessionEnd } from '../../../../actors/session/restore.ts';
import { readSessionEvent } from '../../../support/actors/read-session-event.ts';
import { eventsOf, sessionIn, typesOf } from '../../../support/actors/sessions-world.ts';
import { createSharedWorlds, type SharingWorld } from '../../../support/actors/shared-world.ts';
import { holdNextRead } from '../../../support/store/hold-next-read.ts';

/** What a process meets when it takes partitions that others had. */

function begin(world: SharingWorld): { hasEnded: boolean } {
  const taking = { hasEnded: false };
  Object.assign(world, { isOwner: true, epoch: 1 });
  void world.sessions.take({ ...allPartitions }).then(() => (taking.hasEnded = true));
  return taking;
}

it('[CL2.8] a session that it had before is here, also if its readers of the log learn of it later', async () => {
  const { clock, one } = await createSharedWorlds({
    knownEnds: () => [],
    unfinishedErasures: async function* none() {},
  });
  const id = await sessionIn('connected', one);
  await one.release();
  await one.take(1);
  one.sessions.foundRecorded(id, 1);
  await clock.settle();
  expect(one.sessions.state(id)).toBe('disconnected');
  expect(one.links.of(id).told).toEqual(['connect 1']);
});

it('[CL2.26] a session whose append has no answer keeps the others waiting for 5 seconds', async () => {
  const { clock, one, two } = await createSharedWorlds();
  const ids = [await sessionIn('connected', one), await sessionIn('connected', one)];
  await one.release();
  two.faults.push({ kind: 'slow-before' });
  const taking = begin(two);
  await clock.advance(4_999);
  expect(taking.hasEnded).toBe(false);
  await clock.advance(1);
  expect(taking.hasEnded).toBe(true);
  const states = (): string[] => ids.map((id) => `${two.sessions.state(id)}`).toSorted();
  expect([states(), two.sessions.haveAllStarted()]).toEqual([['disconnected', 'loading'], false]);
  two.store.release();
  await clock.settle();
  expect([states(), two.sessions.haveAllStarted()]).toEqual([['disconnected', 'disconnected'], true]);
});

/** The first of two reads finds that another writer has appended: the second is of a session that is fenced. */
async function fencedWhileTaken() {
  const ends: SessionEnd[] = [];
  const { clock, one, two } = await createSharedWorlds({ knownEnds: () => ends });
  const id = await sessionIn('connected', one);
  await one.release();
  const [creation] = await eventsOf(one, id);
  if (creation === undefined) throw new Error('nothing is stored');
  // The readers of the log do not have its last event yet.
  ends.push({ id, committed: restore(readSessionEvent(creation)) });
  const answer = holdNextRead(two.store, 1);
  const taking = begin(two);
  await clock.settle();
  return { clock, two, id, answer, taking };
}

it('[CL2.26] a session that has to be read again is waited for', async () => {
  const { clock, two, id, answer, taking } = await fencedWhileTaken();
  expect([taking.hasEnded, two.sessions.haveAllStarted()]).toEqual([false, false]);
  answer.open();
  await clock.settle();
  expect([taking.hasEnded, two.sessions.haveAllStarted()]).toEqual([true, true]);
  expect(two.sessions.state(id)).toBe('disconnected');
  expect(typesOf(await eventsOf(two, id))).toEqual(['SessionCreated', 'LoggedIn', 'OwnerChanged']);
});

it('[CL4.3] a session that has to be read again does not delay the release of its partition', async () => {
  const { clock, two, taking } = await fencedWhileTaken();
  await two.release();
  await clock.settle();
  expect(taking.hasEnded).toBe(true);
});

it('[CL2.26] a session that cannot be resumed is held until its partition is taken again, and delays nothing', async () => {
  const { one, two } = await createSharedWorlds();
  const id = await sessionIn('connected', one);
  await one.release();
  const append = two.store.append.bind(two.store);
  two.store.append = () => Promise.reject(new TypeError('a defect'));
  await two.take(1);
  expect([two.sessions.state(id), two.sessions.haveAllStarted()]).toEqual(['held', true]);
  expect(two.errors).toEqual(['a fact could not be recorded']);
  await two.release();
  two.store.append = append;
  await two.take(2);
  expect(two.sessions.state(id)).toBe('disconnected');
});
