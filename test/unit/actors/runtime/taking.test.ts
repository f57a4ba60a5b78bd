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
  const states = (): unknown[] => ids.map((id) => two.sessions.state(id)).toSorted();
  expect([states(), two.sessions.haveAllStarted()]).toEqual([['disconnected', 'loading'], false]);
  two.store.release();
  await clock.settle();
  expect([states(), two.sessions.haveAllStarted()]).toEqual([['disconnected', 'disconnected'], true]);
});

it('[CL2.26] a session that has to be read again is waited for', async () => {
  const ends: SessionEnd[] = [];
  const { clock, one, two } = await createSharedWorlds({ knownEnds: () => ends });
  const id = await sessionIn('connected', one);
  await one.release();
  const [creation] = await eventsOf(one, id);
  if (creation === undefined) throw new Error('nothing is stored');
  // The readers of the log do not have its last event yet.
  ends.push({ id, committed: restore(readSessionEvent(creation)) });
  // The first read finds that another writer has appended.
  const answer = holdNextRead(two.store, 1);
  const taking = begin(two);
  await clock.settle();
  expect([taking.hasEnded, two.sessions.haveAllStarted()]).toEqual([false, false]);
  answer.open();
  await clock.settle();
  expect([taking.hasEnded, two.sessions.haveAllStarted()]).toEqual([true, true]);
  expect(two.sessions.state(id)).toBe('disconnected');
  expect(typesOf(await eventsOf(two, id))).toEqual(['SessionCreated', 'LoggedIn', 'OwnerChanged']);
});
