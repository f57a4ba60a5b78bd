import { describe, expect, it } from 'vitest';
import { type EventStore, StoreUnavailableError } from '../../../../actors/ports/event-store.ts';
import { SessionNotActiveError } from '../../../../actors/runtime/sessions.ts';
import { sessionIdOf, type TransitionMetadata } from '../../../../actors/session/events.ts';
import type { SessionEnd } from '../../../../actors/session/restore.ts';
import { linkFact } from '../../../support/actors/scripted-link.ts';
import {
  away,
  createWorld,
  eventsOf,
  liveStates,
  openWorld,
  sessionIn,
  typesOf,
} from '../../../support/actors/sessions-world.ts';
import { failureOf } from '../../../support/kit/failure-of.ts';
import { createFaultyStore } from '../../../support/store/faulty-store.ts';

describe('start', () => {
  it('[SE7.2] takes every live session up as it was left', async () => {
    const world = await createWorld();
    const ids: string[] = [];
    for (const state of liveStates) ids.push(await sessionIn(state, world));
    const next = await world.restart();
    expect(ids.map((id) => next.sessions.state(id))).toEqual([
      'qrPending',
      'passwordRequired',
      'disconnected',
      'disconnected',
    ]);
    expect(ids.map((id) => next.links.of(id).told)).toEqual([
      ['startQrLogin 1'],
      ['awaitPassword 1'],
      ['connect 1'],
      ['connect 1'],
    ]);
    expect((await world.below.last(`session-${ids[2]}`))?.metadata).toMatchObject({
      by: 'run-2',
      from: 'connected',
      to: 'disconnected',
      reason: 'gateway-restart',
    });
  });

  it('[AU2.1] a session that is not active yet is loading, and takes no command', async () => {
    const world = await createWorld();
    const id = await sessionIn('connected', world);
    world.store.crash();
    const store = createFaultyStore(world.below, () => ({ kind: 'slow-before' }));
    const next = openWorld(world.clock, world.below, world.sealer, 2, { store });
    expect(next.sessions.state(id)).toBe('loading');
    const started = next.sessions.start();
    await world.clock.settle();
    expect(next.sessions.state(id)).toBe('loading');
    await expect(next.sessions.delete(id)).rejects.toThrow(SessionNotActiveError);
    store.release();
    await started;
    expect([next.sessions.state(id), next.sessions.state('stranger')]).toEqual(['disconnected', undefined]);
  });

  it('spreads the connecting over time', async () => {
    const world = await createWorld();
    for (let count = 0; count < 50; count += 1) await sessionIn('connected', world);
    const next = await world.restart({ linkStartsPerSecond: 20 });
    expect(next.links.all).toHaveLength(20);
    await world.clock.advance(1_000);
    expect(next.links.all).toHaveLength(40);
    await world.clock.advance(1_000);
    expect(next.links.all.map(({ told }) => told)).toEqual(Array.from({ length: 50 }, () => ['connect 1']));
  });

  it('does what a command wants instead of what still waits for its turn', async () => {
    const world = await createWorld();
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) ids.push(await sessionIn('connected', world));
    const next = await world.restart({ linkStartsPerSecond: 1 });
    const [, second = '', third = ''] = ids;
    await next.sessions.reset(second, {});
    await next.sessions.delete(third);
    await world.clock.advance(10_000);
    expect(next.links.of(second).told).toEqual(['logOut', 'startQrLogin 2']);
    expect(next.links.of(third).told).toEqual(['logOut', 'close']);
  });

  it('opens the half-finished login at once where a password is given', async () => {
    const world = await createWorld();
    const ids = [await sessionIn('passwordRequired', world), await sessionIn('passwordRequired', world)];
    const next = await world.restart({ linkStartsPerSecond: 1 });
    expect(next.links.all).toHaveLength(1);
    const answers = await Promise.all(ids.map((id) => next.sessions.submitPassword(id, 'x')));
    expect(answers.map(({ outcome }) => outcome)).toEqual(['rejected', 'rejected']);
    expect(next.links.all.map(({ told }) => told)).toEqual([['awaitPassword 1'], ['awaitPassword 1']]);
  });

  it('waits for a store that is away', async () => {
    const world = await createWorld();
    const id = await sessionIn('connected', world);
    let failures = 3;
    const lastOfEach: EventStore['lastOfEach'] = (prefix) => {
      if (failures-- > 0) throw new StoreUnavailableError('away');
      return world.below.lastOfEach(prefix);
    };
    const next = openWorld(world.clock, world.below, world.sealer, 2, { store: { ...world.store, lastOfEach } });
    const started = next.sessions.start();
    await world.clock.advance(3_000);
    await started;
    expect(next.sessions.state(id)).toBe('disconnected');
  });

  it('[OP2.4] asks no store for what is known of the ends of the streams', async () => {
    const world = await createWorld();
    const ids: string[] = [];
    for (const state of liveStates) ids.push(await sessionIn(state, world));
    const ends: SessionEnd[] = [];
    for await (const last of world.below.lastOfEach('session-')) {
      const { id, revision, position, metadata } = last;
      const committed = { id, revision, position, metadata: metadata as unknown as TransitionMetadata };
      ends.push({ id: sessionIdOf(last.stream), committed });
    }
    const lastOfEach: EventStore['lastOfEach'] = () => {
      throw new Error('asked');
    };
    const store = { ...world.store, lastOfEach };
    const next = openWorld(world.clock, world.below, world.sealer, 2, { store, knownEnds: () => ends });
    await next.sessions.start();
    expect(ids.map((id) => next.sessions.state(id))).toEqual([
      'qrPending',
      'passwordRequired',
      'disconnected',
      'disconnected',
    ]);
  });

  it('[OP2.4] [SE11.2] reads what is not known, and erases nothing that is only unknown', async () => {
    const world = await createWorld();
    const [unread, missing] = [await sessionIn('connected', world), await sessionIn('connected', world)];
    const gone = await sessionIn('connected', world);
    await world.sessions.delete(gone);
    const keys = new Set(world.sealer.keys);
    const ends = [
      { id: unread, committed: undefined },
      { id: gone, committed: undefined },
    ];
    const next = await world.restart({ knownEnds: () => ends });
    await world.clock.advance(1_000);
    expect([unread, missing, gone].map((id) => next.sessions.state(id))).toEqual([
      'disconnected',
      'disconnected',
      undefined,
    ]);
    expect(keys).toContain(missing);
    expect(next.sealer.keys).toEqual(new Set([unread, missing]));
  });

  it('[OP2.2] stops waiting for a store that is away when the process stops', async () => {
    const world = await createWorld();
    const lastOfEach: EventStore['lastOfEach'] = () => {
      throw new StoreUnavailableError('away');
    };
    const next = openWorld(world.clock, world.below, world.sealer, 2, { store: { ...world.store, lastOfEach } });
    const started = next.sessions.start();
    await world.clock.advance(1_500);
    const armed = world.clock.armed();
    await next.sessions.stop();
    await started;
    expect(world.clock.armed()).toBe(armed - 1);
  });
});

describe('one actor a session', () => {
  it('is read again from the store where somebody else has written, with a new link', async () => {
    const world = await createWorld();
    const id = await sessionIn('qrPending', world);
    const other = openWorld(world.clock, world.below, world.sealer, 2, {});
    await other.sessions.start();
    await other.links.of(id).report(linkFact('LoggedIn', 1));
    expect(await failureOf(world.sessions.setWebhook(id, null))).toBeInstanceOf(SessionNotActiveError);
    await world.clock.settle();
    expect(world.sessions.state(id)).toBe('disconnected');
    expect(world.links.all.map(({ told }) => told)).toEqual([['startQrLogin 1', 'close'], ['connect 1']]);
    await world.sessions.setWebhook(id, null);
  });

  it('is erased where somebody else has deleted it', async () => {
    const world = await createWorld();
    const id = await sessionIn('qrPending', world);
    const other = openWorld(world.clock, world.below, world.sealer, 2, {});
    await other.sessions.start();
    await other.sessions.delete(id);
    expect(await failureOf(world.sessions.setWebhook(id, null))).toBeInstanceOf(SessionNotActiveError);
    await world.clock.settle();
    expect(world.sessions.state(id)).toBeUndefined();
  });
});

describe('stop', () => {
  it('lets running commands end, closes the links and leaves no timer', async () => {
    const world = await createWorld();
    const ids: string[] = [];
    for (const state of liveStates) ids.push(await sessionIn(state, world));
    const [id = ''] = ids;
    world.faults.push({ kind: 'slow-before' });
    const running = world.sessions.setWebhook(id, null);
    await world.clock.settle();
    const stopped = world.sessions.stop();
    await expect(world.sessions.delete(id)).rejects.toThrow(SessionNotActiveError);
    await expect(world.sessions.create({})).rejects.toThrow(SessionNotActiveError);
    world.store.release();
    await expect(running).resolves.toHaveProperty('position');
    await stopped;
    expect(world.links.all.map(({ told }) => told.at(-1))).toEqual(liveStates.map(() => 'close'));
    expect(world.clock.armed()).toBe(0);
    expect(typesOf(await eventsOf(world, id)).at(-1)).toBe('WebhookSet');
  });

  it('does not wait for a store that stays away', async () => {
    const world = await createWorld();
    const id = await sessionIn('connected', world);
    for (let outage = 0; outage < 9; outage += 1) world.faults.push(...away('fails-before'));
    void failureOf(world.links.of(id).report(linkFact('ConnectionLost', 1)));
    await world.clock.settle();
    const stopped = world.sessions.stop();
    await world.clock.advance(2_000);
    await stopped;
    expect(world.clock.armed()).toBe(0);
  });
});
