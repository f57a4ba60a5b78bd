import { describe, expect, it } from 'vitest';
import { SessionNotActiveError, SessionNotFoundError } from '../../../../actors/runtime/sessions.ts';
import {
  createActor,
  createWorld as createActorWorld,
  loggedIn,
  minuteMs,
  restart,
} from '../../../support/actors/actor-world.ts';
import { linkFact } from '../../../support/actors/scripted-link.ts';
import { createWorld, liveStates, sessionIn } from '../../../support/actors/sessions-world.ts';
import { failureOf } from '../../../support/kit/failure-of.ts';
import { createGate } from '../../../support/kit/gate.ts';

describe('a deleted session that is not erased yet', () => {
  it('[SE3.1] is not found by any command, and known to be deleted', async () => {
    const world = await createWorld();
    const [id, other] = [await sessionIn('connected', world), await sessionIn('connected', world)];
    const gate = createGate();
    world.links.of(id).closing = gate.passed;
    await world.sessions.delete(id);
    await world.clock.settle();
    expect([id, other, 'stranger'].map((each) => world.sessions.isDeleted(each))).toEqual([true, false, false]);
    expect(world.sessions.state(id)).toBe('deleted');
    for (const command of [
      () => world.sessions.delete(id),
      () => world.sessions.reset(id, {}),
      () => world.sessions.setWebhook(id, null),
      () => world.sessions.submitPassword(id, 'x'),
    ]) {
      expect(await failureOf(command())).toEqual(new SessionNotFoundError(`session ${id} is deleted`));
    }
    gate.open();
    await world.clock.settle();
    expect(world.sessions.isDeleted(id)).toBe(false);
  });

  it('[SE3.1] is closed with its connection, which logs out once', async () => {
    const world = await createWorld();
    const id = await sessionIn('connected', world);
    const link = world.links.of(id);
    await world.sessions.delete(id);
    await world.clock.settle();
    expect(link.told.filter((told) => told === 'logOut')).toHaveLength(1);
    expect(link.told.at(-1)).toBe('close');
  });
});

describe('a process that stops', () => {
  it.each(liveStates)('[OP2.2] takes no command for a session in %s, nor creates one', async (state) => {
    const world = await createWorld();
    const id = await sessionIn(state, world);
    const told = world.links.of(id).told.length;
    const stopped = world.sessions.stop();
    expect(await failureOf(world.sessions.setWebhook(id, null))).toBeInstanceOf(SessionNotActiveError);
    expect(await failureOf(world.sessions.create({}))).toBeInstanceOf(SessionNotActiveError);
    await stopped;
    expect(world.links.of(id).told.slice(told)).toEqual(['close']);
    expect(world.clock.armed()).toBe(0);
  });
});

describe('an actor', () => {
  it('[SE7.1] has a deadline pass at once that is due at the moment of its restart', async () => {
    const world = createActorWorld();
    (await createActor(world)).stop();
    await world.clock.advance(3 * minuteMs);
    const actor = await restart(world);
    await actor.resume();
    expect([actor.state, world.clock.armed()]).toEqual(['deleted', 0]);
  });

  it('goes on with what waits behind a fact that could not be made', async () => {
    const world = createActorWorld();
    const actor = await createActor(world);
    const broken = failureOf(actor.send(() => Promise.reject(new TypeError('no'))));
    const next = actor.send(loggedIn);
    expect(await broken).toBeInstanceOf(TypeError);
    expect(await next).toMatchObject({ recorded: true });
    expect(actor.state).toBe('connected');
  });
});

describe('a password', () => {
  it('[SE5.1] that was accepted counts no more if the session was reset meanwhile', async () => {
    const world = await createWorld();
    const id = await sessionIn('passwordRequired', world);
    const gate = createGate();
    world.links.of(id).password = async () => {
      await gate.passed;
      return 'accepted';
    };
    const answer = world.sessions.submitPassword(id, 'x');
    await world.clock.settle();
    await world.sessions.reset(id, {});
    gate.open();
    expect(await answer).toMatchObject({ outcome: 'not-required' });
  });

  it('[SE5.1] that fails because the session was reset is no longer required; another failure is passed on', async () => {
    const world = await createWorld();
    const id = await sessionIn('passwordRequired', world);
    world.links.of(id).password = async () => {
      await world.sessions.reset(id, {});
      throw new Error('closed');
    };
    expect(await world.sessions.submitPassword(id, 'x')).toMatchObject({ outcome: 'not-required' });
    await world.links.of(id).report(linkFact('PasswordRequested', 2));
    world.links.of(id).password = () => Promise.reject(new Error('closed'));
    await expect(world.sessions.submitPassword(id, 'x')).rejects.toThrow('closed');
  });
});
