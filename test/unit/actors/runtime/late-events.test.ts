import { describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../../../actors/ports/event-store.ts';
import { SessionNotActiveError } from '../../../../actors/runtime/sessions.ts';
import type { SessionFact } from '../../../../actors/session/events.ts';
import { sessionLifecycle } from '../../../../actors/session/lifecycle.ts';
import { sessionEvent, transitionMetadata } from '../../../../actors/session/transition-event.ts';
import { metadataOf } from '../../../support/actors/actor-world.ts';
import { linkFact } from '../../../support/actors/scripted-link.ts';
import { createWorld, eventsOf, minuteMs, type World } from '../../../support/actors/sessions-world.ts';
import { failureOf } from '../../../support/kit/failure-of.ts';
import { createGate, type Gate } from '../../../support/kit/gate.ts';
import { sealed } from '../../../support/projections/session-events.ts';

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

/** Another process records a fact behind the last event of a session. */
async function recordElsewhere({ below, clock }: World, id: string, fact: SessionFact): Promise<void> {
  const last = await below.last(`session-${id}`);
  if (last === undefined) throw new Error('nothing is recorded');
  const before = metadataOf(last);
  const step = sessionLifecycle.nextStep(before.to, before.context, fact);
  if (step === undefined) throw new Error('no step');
  const metadata = transitionMetadata(before, fact, step, { at: clock.now(), by: 'another' });
  await below.append(`session-${id}`, last.revision, [sessionEvent(`rival-${last.revision}`, fact, metadata)]);
}

it('[SE9.1] what another process recorded of a session counts at once', async () => {
  const world = await followedWorld();
  const { id } = await world.sessions.create({});
  await world.links.of(id).report(linkFact('LoggedIn', 1));
  await recordElsewhere(world, id, { type: 'LoginLost', login: 1, reason: 'SESSION_REVOKED' });
  await world.clock.settle();
  expect(world.sessions.state(id)).toBe('qrPending');
  // It is held by this process again.
  await world.clock.advance(4 * minuteMs);
  expect(world.sessions.state(id)).toBeUndefined();
});

describe('what another process recorded while the session was read', () => {
  /** The next answer about the end of a stream is under way until the gate opens. */
  function holdNextRead(world: World): Gate {
    const answer = createGate();
    const last = world.store.last.bind(world.store);
    world.store.last = async (stream) => {
      world.store.last = last;
      const event = await last(stream);
      await answer.passed;
      return event;
    };
    return answer;
  }
  const passwordRequested = { type: 'PasswordRequested', login: 1, hint: sealed('') } as const;

  it('[SE5.1] counts after a reload', async () => {
    const world = await followedWorld();
    const { id } = await world.sessions.create({});
    const answer = holdNextRead(world);
    // The actor is fenced.
    world.sessions.foundRecorded(id, 1);
    await world.clock.settle();
    await recordElsewhere(world, id, passwordRequested);
    answer.open();
    await world.clock.settle();
    expect(world.sessions.state(id)).toBe('passwordRequired');
  });

  it('[SE5.1] counts after a session was taken up', async () => {
    const world = await followedWorld();
    const other = await createWorld();
    const { id } = await other.sessions.create({});
    const [creation] = await eventsOf(other, id);
    if (creation === undefined) throw new Error('nothing is recorded');
    const answer = holdNextRead(world);
    await world.below.append(creation.stream, 'no-stream', [creation]);
    await world.clock.settle();
    // It exists: nobody may be told otherwise.
    expect(world.sessions.state(id)).toBe('loading');
    expect(await failureOf(world.sessions.reset(id, {}))).toBeInstanceOf(SessionNotActiveError);
    await recordElsewhere(world, id, passwordRequested);
    answer.open();
    await world.clock.settle();
    expect(world.sessions.state(id)).toBe('passwordRequired');
  });
});
