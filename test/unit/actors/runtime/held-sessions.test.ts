import { describe, expect, it } from 'vitest';
import type { EventStore, NewEvent, RecordedEvent } from '../../../../actors/ports/event-store.ts';
import { SessionNotActiveError, SessionNotFoundError } from '../../../../actors/runtime/sessions.ts';
import { linkFact } from '../../../support/actors/scripted-link.ts';
import {
  createWorld,
  eventsOf,
  liveStates,
  minuteMs,
  sessionIn,
  typesOf,
  type World,
} from '../../../support/actors/sessions-world.ts';
import { failureOf } from '../../../support/kit/failure-of.ts';
import { layerOver } from '../../../support/store/layer-over.ts';

const odd = { id: 'odd', type: 'BasketOpened', data: { any: 1 }, metadata: {} };
/** Every way in which an event cannot be read, and what is said of it. */
const unreadable: [reason: string, event: NewEvent][] = [
  ['unknown-type', odd],
  ['no-metadata', { ...odd, type: 'ConnectionLost', metadata: null }],
  ['newer-version', { ...odd, type: 'ConnectionLost', metadata: { version: 99 } }],
  ['wrong-shape', { ...odd, type: 'ConnectionLost', metadata: { to: 'suspended' } }],
];

const heldForHalfADay = async (world: World, id: string): Promise<void> => {
  const before = await eventsOf(world, id);
  await world.clock.advance(12 * 60 * minuteMs);
  expect(world.sessions.state(id)).toBe('held');
  expect(world.sealer.keys.has(id)).toBe(true);
  expect(await eventsOf(world, id)).toEqual(before);
  for (const command of [
    () => world.sessions.delete(id),
    () => world.sessions.reset(id, {}),
    () => world.sessions.setWebhook(id, null),
    () => world.sessions.submitPassword(id, 'x'),
  ]) {
    expect(await failureOf(command())).toBeInstanceOf(SessionNotActiveError);
  }
};

describe('a session whose last event cannot be read', () => {
  it.each(liveStates.flatMap((state) => unreadable.map(([reason, event]) => ({ state, reason, event }))))(
    '[FA7.2] is held by a start, with its key, and no deadline ends it: $state, $reason',
    async ({ state, reason, event }) => {
      const world = await createWorld();
      const id = await sessionIn(state, world);
      const other = await sessionIn('connected', world);
      await world.below.append(`session-${id}`, 'any', [event]);
      const next = await world.restart();
      expect(next.sessions.state(id)).toBe('held');
      expect(next.unreadable).toMatchObject([{ kind: 'session', stream: `session-${id}`, reason }]);
      expect(next.errors).toEqual(['a session is held: an event is unreadable']);
      await next.links.of(other).report(linkFact('ConnectionRestored', 1));
      await heldForHalfADay(next, id);
      expect(next.links.all.map(({ sessionId }) => sessionId)).toEqual([other]);
      expect(next.sessions.state(other)).toBe('connected');
      await next.sessions.delete(other);
    },
  );

  it.each(unreadable)(
    '[FA7.2] is held where it runs, at its next fact: its connection is closed, its key kept (%s)',
    async (_reason, event) => {
      const world = await createWorld();
      const id = await sessionIn('connected', world);
      const other = await sessionIn('connected', world);
      await world.below.append(`session-${id}`, 'any', [event]);
      expect(await failureOf(world.sessions.setWebhook(id, null))).toBeInstanceOf(SessionNotActiveError);
      await world.clock.settle();
      await heldForHalfADay(world, id);
      expect(world.links.of(id).told).toEqual(['startQrLogin 1', 'close']);
      expect(world.links.of(other).told).toEqual(['startQrLogin 1']);
      await world.sessions.setWebhook(other, null);
    },
  );

  it('[FA7.2] is held where it runs as soon as somebody has found the event', async () => {
    const world = await createWorld();
    const id = await sessionIn('qrPending', world);
    await world.below.append(`session-${id}`, 'any', [odd]);
    world.sessions.foundRecorded(id, 1);
    await world.clock.settle();
    expect(world.sessions.state(id)).toBe('held');
    await heldForHalfADay(world, id);
    world.sessions.foundRecorded(id, 1);
    world.sessions.foundRecorded('stranger', 1);
    expect(world.sessions.state(id)).toBe('held');
  });

  it('[FA7.2] goes on where the event is older than what it has recorded since', async () => {
    const world = await createWorld();
    const id = await sessionIn('connected', world);
    world.sessions.foundRecorded(id, 1);
    await world.clock.settle();
    expect(world.sessions.state(id)).toBe('connected');
    await world.sessions.setWebhook(id, null);
  });

  it('[FA7.2] is taken up again by a start that can read it', async () => {
    const world = await createWorld();
    const id = await sessionIn('connected', world);
    await world.below.append(`session-${id}`, 'any', [odd]);
    const held = await world.restart();
    expect(held.sessions.state(id)).toBe('held');
    await held.clock.advance(60 * minuteMs);
    const [, loggedIn] = (await eventsOf(held, id)) as [RecordedEvent, RecordedEvent, RecordedEvent];
    /** A version that knows what it means: nothing has changed. */
    const read = (event: RecordedEvent): RecordedEvent =>
      event.type === odd.type
        ? { ...event, type: 'AccountChanged', data: loggedIn.data, metadata: loggedIn.metadata }
        : event;
    const store: EventStore = layerOver(world.below, {
      async *lastOfEach(prefix) {
        for await (const event of world.below.lastOfEach(prefix)) yield read(event);
      },
    });
    const next = await held.restart({ store });
    expect(next.sessions.state(id)).toBe('disconnected');
    expect(next.links.of(id).told).toEqual(['connect 1']);
    expect(typesOf(await eventsOf(next, id))).toEqual([
      'SessionCreated',
      'LoggedIn',
      'BasketOpened',
      'GatewayRestarted',
    ]);
  });

  it('[FA7.2] is deleted all the same where that was recorded before', async () => {
    const world = await createWorld();
    const id = await sessionIn('connected', world);
    const { store, below, sealer } = world;
    await world.sessions.delete(id);
    await world.clock.settle();
    store.crash();
    await below.append(`session-${id}`, 'any', [odd, { ...odd, id: 'odd 2' }]);
    await sealer.createKey(id);
    const next = await world.restart();
    await next.clock.settle();
    expect([next.sessions.state(id), sealer.keys.has(id)]).toEqual([undefined, false]);
    expect(next.links.of(id).told).toEqual(['logOut', 'close']);
  });
});

describe('a stream of another program', () => {
  it('[FA7.2] is left alone, with a key that may be there for it', async () => {
    const world = await createWorld();
    await world.below.append('session-odd', 'no-stream', [odd]);
    await world.sealer.createKey('odd');
    const next = await world.restart();
    expect(next.sessions.state('odd')).toBe('held');
    expect(world.sealer.keys.has('odd')).toBe(true);
    expect(next.unreadable).not.toEqual([]);
    expect(next.errors).toEqual([]);
    expect(next.links.all).toEqual([]);
    await next.sessions.create({});
  });
});

describe('a session whose vault cannot be read', () => {
  it('[FA7.2] is held by a start', async () => {
    const world = await createWorld();
    const [id, other] = [await sessionIn('connected', world), await sessionIn('connected', world)];
    const next = await world.restart({ unreadableVaults: async () => [id, 'stranger'] });
    expect([next.sessions.state(id), next.sessions.state(other)]).toEqual(['held', 'disconnected']);
    expect(next.links.all.map(({ sessionId }) => sessionId)).toEqual([other]);
    await heldForHalfADay(next, id);
  });

  it('[FA7.2] is held where it runs', async () => {
    const world = await createWorld();
    const id = await sessionIn('disconnected', world);
    world.sessions.hold(id);
    world.sessions.hold(id);
    world.sessions.hold('stranger');
    await heldForHalfADay(world, id);
    expect(world.links.of(id).told).toEqual(['startQrLogin 1', 'connect 1', 'close']);
    expect(world.errors).toHaveLength(1);
    expect(world.sessions.state('stranger')).toBeUndefined();
    const next = await world.restart();
    expect(next.sessions.state(id)).toBe('disconnected');
  });

  it('[SE3.1] is erased where it was deleted', async () => {
    const world = await createWorld();
    const id = await sessionIn('connected', world);
    await world.sessions.delete(id);
    world.sessions.hold(id);
    await world.clock.settle();
    expect([world.sessions.state(id), world.sealer.keys.has(id)]).toEqual([undefined, false]);
  });
});

describe('a stream that is gone', () => {
  it('[SE11.2] is looked for twice before its session is erased', async () => {
    const world = await createWorld();
    const id = await sessionIn('connected', world);
    await world.below.append(`session-${id}`, 'any', [
      {
        ...odd,
        type: 'UpdatesLost',
        data: { login: 1, reason: 'too-many' },
        metadata: (await eventsOf(world, id))[1]?.metadata ?? null,
      },
    ]);
    const last = world.store.last.bind(world.store);
    let misses = 1;
    world.store.last = async (stream) => (misses-- > 0 ? undefined : last(stream));
    expect(await failureOf(world.sessions.setWebhook(id, null))).toBeInstanceOf(SessionNotActiveError);
    await world.clock.advance(minuteMs);
    expect([world.sessions.state(id), world.sealer.keys.has(id)]).toEqual(['disconnected', true]);

    await world.below.erase(`session-${id}`);
    expect(await failureOf(world.sessions.setWebhook(id, null))).toBeInstanceOf(SessionNotActiveError);
    await world.clock.advance(minuteMs);
    expect([world.sessions.state(id), world.sealer.keys.has(id)]).toEqual([undefined, false]);
    expect(await failureOf(world.sessions.setWebhook(id, null))).toBeInstanceOf(SessionNotFoundError);
  });
});
