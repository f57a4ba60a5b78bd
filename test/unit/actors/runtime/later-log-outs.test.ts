import { expect, it } from 'vitest';
import {
  away,
  createWorld,
  eventsOf,
  minuteMs,
  sessionIn,
  typesOf,
  type World,
} from '../../../support/actors/sessions-world.ts';

const dayMs = 24 * 60 * minuteMs;
/** Deleted, with a log-out that Telegram did not answer. */
async function deletedUnanswered(world: World): Promise<string> {
  const id = await sessionIn('disconnected', world);
  world.sealer.keptLogOuts.set(id, world.clock.now() + dayMs);
  await world.sessions.delete(id);
  await world.clock.settle();
  return id;
}
const logOuts = (world: World, id: string): number =>
  world.links.all.filter(({ sessionId, told }) => sessionId === id && told.includes('logOut')).length;
/** From now on Telegram answers: a link reports it while it closes, and what was kept is dropped. */
function answer(world: World): void {
  world.links.whileClosing = async ({ sessionId, report }) => {
    await report({ type: 'LoggedOut' });
    world.sealer.keptLogOuts.delete(sessionId);
  };
}
const ends = async (world: World, id: string): Promise<string[]> => typesOf(await eventsOf(world, id)).slice(3);

it('[SE3.3] is tried again after 5 s, and each minute at least, each time on a new connection', async () => {
  const world = await createWorld();
  const id = await deletedUnanswered(world);
  expect([logOuts(world, id), world.sealer.keys.has(id), world.sessions.state(id)]).toEqual([1, false, undefined]);
  await world.clock.advance(5_000);
  expect(logOuts(world, id)).toBe(2);
  await world.clock.advance(10 * minuteMs);
  const tried = logOuts(world, id);
  expect(tried).toBeGreaterThanOrEqual(2 + 9);
  await world.clock.advance(minuteMs);
  expect(logOuts(world, id)).toBeGreaterThan(tried);
  expect(world.links.all.filter(({ sessionId }) => sessionId === id).every(({ told }) => told.at(-1) === 'close')).toBe(
    true,
  );
  expect(await ends(world, id)).toEqual(['SessionDeleted']);
});

it('[SE3.3] is in the audit once Telegram was told, and not tried again', async () => {
  const world = await createWorld();
  const id = await deletedUnanswered(world);
  const next = await world.restart();
  expect(logOuts(next, id)).toBe(1);
  answer(next);
  await next.clock.advance(2 * minuteMs);
  expect(await ends(next, id)).toEqual(['SessionDeleted', 'LoggedOut']);
  const [deleted, told] = (await eventsOf(next, id)).slice(3);
  expect(told?.metadata).toMatchObject({ from: 'deleted', to: 'deleted', reason: 'user', deadlines: [], effects: [] });
  expect(Object(told?.metadata).since).toBe(Object(deleted?.metadata).since);
  const tried = logOuts(next, id);
  await next.clock.advance(dayMs);
  expect([logOuts(next, id), next.clock.armed()]).toEqual([tried, 0]);
});

it('[SE3.3] is given up after 24 hours, and that is in the audit', async () => {
  const world = await createWorld();
  const id = await deletedUnanswered(world);
  await world.clock.advance(dayMs - 1);
  expect(await ends(world, id)).toEqual(['SessionDeleted']);
  expect(world.sealer.keptLogOuts.has(id)).toBe(true);
  await world.clock.advance(1);
  expect(await ends(world, id)).toEqual(['SessionDeleted', 'LogOutGivenUp']);
  expect([world.sealer.keptLogOuts.size, world.clock.armed()]).toEqual([0, 0]);
});

it('[SE3.3] one whose time ran out while the gateway was down is tried once more, and given up', async () => {
  const world = await createWorld();
  const id = await deletedUnanswered(world);
  await world.sessions.stop();
  await world.clock.advance(2 * dayMs);
  const next = await world.restart();
  expect([logOuts(next, id), await ends(next, id)]).toEqual([1, ['SessionDeleted', 'LogOutGivenUp']]);
});

it('[SE3.3] that Telegram was told is recorded once, however long the store is away', async () => {
  const world = await createWorld();
  const id = await sessionIn('connected', world);
  world.links.whileClosing = async ({ report }) => {
    for (let outage = 0; outage < 3; outage += 1) world.faults.push(...away('fails-after'));
    await report({ type: 'LoggedOut' });
  };
  await world.sessions.delete(id);
  await world.clock.advance(5 * minuteMs);
  expect(typesOf(await eventsOf(world, id)).slice(2)).toEqual(['SessionDeleted', 'LoggedOut']);
  expect([world.sealer.keys.has(id), world.clock.armed()]).toEqual([false, 0]);
});

it.each([
  ['an event that cannot be read is left alone', 'SomethingNewer', ['SessionDeleted', 'SomethingNewer']],
  ['the same fact is not recorded twice', 'LogOutGivenUp', ['SessionDeleted', 'LogOutGivenUp']],
])('[SE3.3] is given up though another writer comes first: %s', async (_, type, expected) => {
  const world = await createWorld();
  const id = await deletedUnanswered(world);
  await world.clock.advance(dayMs - 1);
  const stream = `session-${id}`;
  const last = await world.below.last(stream);
  const append = world.below.append.bind(world.below);
  let isFirst = true;
  world.below.append = async (to, expectedRevision, events) => {
    if (isFirst) await append(to, 'any', [{ id: crypto.randomUUID(), type, data: {}, metadata: last?.metadata ?? {} }]);
    isFirst = false;
    return append(to, expectedRevision, events);
  };
  await world.clock.advance(1);
  expect(await ends(world, id)).toEqual(expected);
  expect([world.sealer.keptLogOuts.size, world.clock.armed()]).toEqual([0, 0]);
});
