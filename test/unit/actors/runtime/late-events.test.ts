import { describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../../../actors/ports/event-store.ts';
import { sessionLifecycle } from '../../../../actors/session/lifecycle.ts';
import { sessionEvent, transitionMetadata } from '../../../../actors/session/transition-event.ts';
import { metadataOf } from '../../../support/actors/actor-world.ts';
import { linkFact } from '../../../support/actors/scripted-link.ts';
import { createWorld, minuteMs, type World } from '../../../support/actors/sessions-world.ts';
import { failureOf } from '../../../support/kit/failure-of.ts';

/** A world whose sessions hear of each event of the log, as they do from the views. */
async function followedWorld(): Promise<World> {
  const world = await createWorld();
  world.below.subscribeAll({
    prefixes: ['session-'],
    onEvent: ({ stream, revision }) => world.sessions.foundRecorded(stream.slice('session-'.length), revision),
    onError: () => undefined,
  });
  await world.clock.settle();
  return world;
}

/** All tries of an append: the outcome of the last reaches the store when it is released. */
const commitsLate = ['fails-before', 'fails-before', 'fails-before', 'fails-before', 'commits-late'] as const;

describe('an append that the store writes after its doubt was settled', () => {
  it('[SE3.1] of a deletion: the session is logged out and erased', async () => {
    const world = await followedWorld();
    const { id } = await world.sessions.create({});
    await world.links.of(id).report(linkFact('LoggedIn', 1));
    world.faults.push(...commitsLate.map((kind) => ({ kind })));
    const failure = failureOf(world.sessions.delete(id));
    await world.clock.advance(minuteMs);
    expect(await failure).toBeInstanceOf(StoreUnavailableError);
    expect(world.sessions.state(id)).toBe('connected');

    world.store.release('all');
    await world.clock.advance(minuteMs);
    expect([world.sessions.state(id), [...world.sealer.keys]]).toEqual([undefined, []]);
  });

  it('[SE4.1] of a creation: its deadline deletes it', async () => {
    const world = await followedWorld();
    world.faults.push(...commitsLate.map((kind) => ({ kind })));
    const failure = failureOf(world.sessions.create({}));
    await world.clock.advance(minuteMs);
    expect(await failure).toBeInstanceOf(StoreUnavailableError);

    world.store.release('all');
    await world.clock.advance(5 * minuteMs);
    const types: string[] = [];
    for await (const { type } of world.below.readAll()) types.push(type);
    expect(types).toEqual(['SessionCreated', 'QrTimedOut']);
  });
});

it('[SE9.1] what another process recorded of a session counts at once', async () => {
  const world = await followedWorld();
  const { id } = await world.sessions.create({});
  await world.links.of(id).report(linkFact('LoggedIn', 1));
  const last = await world.below.last(`session-${id}`);
  if (last === undefined) throw new Error('nothing is recorded');
  const before = metadataOf(last);
  const fact = { type: 'LoginLost', login: 1, reason: 'SESSION_REVOKED' } as const;
  const step = sessionLifecycle.nextStep(before.to, before.context, fact);
  if (step === undefined) throw new Error('no step');
  const metadata = transitionMetadata(before, fact, step, { at: world.clock.now(), by: 'another' });
  await world.below.append(`session-${id}`, 1, [sessionEvent('rival', fact, metadata)]);
  await world.clock.settle();
  expect(world.sessions.state(id)).toBe('qrPending');
  // It is held by this process again.
  await world.clock.advance(4 * minuteMs);
  expect(world.sessions.state(id)).toBeUndefined();
});
