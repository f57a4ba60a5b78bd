import { describe, expect, it } from 'vitest';
import { ActorStoppedError } from '../../../../actors/runtime/actor-stopped-error.ts';
import { SessionActor } from '../../../../actors/runtime/session-actor.ts';
import {
  id as actorId,
  away,
  createActor,
  createWorld as createActorWorld,
  created,
  loggedIn,
  lost,
} from '../../../support/actors/actor-world.ts';
import { createWorld, sessionIn } from '../../../support/actors/sessions-world.ts';
import { failureOf } from '../../../support/kit/failure-of.ts';
import { holdNextRead } from '../../../support/store/hold-next-read.ts';

describe('an actor that is stopped while it works', () => {
  it('publishes nothing of an append that ends after it', async () => {
    const world = createActorWorld();
    const actor = await createActor(world, loggedIn);
    world.seen.length = 0;
    world.faults.push({ kind: 'slow-before' });
    const sent = failureOf(actor.send(lost));
    await world.clock.settle();
    actor.stop();
    world.store.release();
    expect(await sent).toBeInstanceOf(ActorStoppedError);
    await actor.idle();
    expect([actor.state, world.seen, world.clock.armed()]).toEqual(['connected', [], 0]);
  });

  it('discards no session whose creation turns out then not to be recorded', async () => {
    const world = createActorWorld();
    const actor = new SessionActor(actorId, world.around);
    world.faults.push(...away('fails-before'));
    const sent = failureOf(actor.send(created));
    await world.clock.advance(1_600);
    await sent;
    const answer = holdNextRead(world.store);
    await world.clock.advance(1_000);
    actor.stop();
    answer.open();
    await actor.idle();
    expect(world.seen).toEqual([]);
  });
});

describe('a session that is read again', () => {
  it('[FA7.2] stays held if its vault turns out to be unreadable meanwhile', async () => {
    const world = await createWorld();
    const id = await sessionIn('connected', world);
    const answer = holdNextRead(world.store);
    // Another writer has appended, it seems: the actor is fenced.
    world.sessions.foundRecorded(id, 99);
    await world.clock.settle();
    world.sessions.hold(id);
    answer.open();
    await world.clock.settle();
    expect(world.sessions.state(id)).toBe('held');
    expect(world.links.all).toHaveLength(1);
  });

  it('has none of the effects that still waited for their turn', async () => {
    const world = await createWorld();
    const ids = [await sessionIn('connected', world), await sessionIn('connected', world)];
    const next = await world.restart({ linkStartsPerSecond: 1 });
    const waiting = ids.find((id) => next.links.all.every(({ sessionId }) => sessionId !== id)) ?? '';
    const answer = holdNextRead(next.store);
    next.sessions.foundRecorded(waiting, 99);
    await world.clock.advance(5_000);
    expect(next.links.all).toHaveLength(1);
    answer.open();
    await world.clock.advance(5_000);
    expect(next.links.of(waiting).told).toEqual(['connect 1']);
  });
});
