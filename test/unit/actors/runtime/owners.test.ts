import { describe, expect, it } from 'vitest';
import { SessionNotActiveError } from '../../../../actors/runtime/sessions.ts';
import { metadataOf } from '../../../support/actors/actor-world.ts';
import { linkFact } from '../../../support/actors/scripted-link.ts';
import {
  deadlinesOf,
  eventsOf,
  liveStates,
  minuteMs,
  sessionIn,
  typesOf,
} from '../../../support/actors/sessions-world.ts';
import { createSharedWorlds } from '../../../support/actors/shared-world.ts';
import { failureOf } from '../../../support/kit/failure-of.ts';

/** What the next owner has its connection do, by the state that it finds. */
const begun: Record<string, string> = {
  qrPending: 'startQrLogin 1',
  passwordRequired: 'awaitPassword 1',
  connected: 'connect 1',
  disconnected: 'connect 1',
};

describe('a session that another process takes', () => {
  it.each(liveStates)('[CL2.21] begins with the event of its owner and epoch: %s', async (state) => {
    const { one, two } = await createSharedWorlds();
    const id = await sessionIn(state, one);
    const before = await eventsOf(one, id);
    await one.release();
    expect(one.links.of(id).told.at(-1)).toBe('close');
    await two.take(1);

    const events = await eventsOf(two, id);
    expect(typesOf(events)).toEqual([...typesOf(before), 'OwnerChanged']);
    expect(events.at(-1)).toMatchObject({ data: { epoch: 1 }, metadata: { by: 'run-2' } });
    expect(two.sessions.state(id)).toBe(state === 'connected' ? 'disconnected' : state);
    expect(two.links.of(id).told).toEqual([begun[state]]);
    if (state === 'qrPending' || state === 'passwordRequired') {
      expect(deadlinesOf(events.at(-1))).toEqual(deadlinesOf(before.at(-1)));
    }
  });

  it('[CL2.21] ends at a deadline that passed while nobody had it', async () => {
    const { clock, one, two } = await createSharedWorlds();
    const id = await sessionIn('qrPending', one);
    await one.release();
    await clock.advance(10 * minuteMs);
    expect(typesOf(await eventsOf(one, id))).toEqual(['SessionCreated']);
    await two.take(1);
    await clock.settle();
    expect(typesOf(await eventsOf(two, id))).toContain('QrTimedOut');
    expect(two.sealer.keys.has(id)).toBe(false);
  });

  it('[CL2.21] is not unknown to its next owner before that has read it', async () => {
    const { one, two } = await createSharedWorlds();
    await one.release();
    await two.take(1);
    const id = await sessionIn('connected', two);
    await two.release();
    // Its lease is taken, and the sessions are not handed over yet.
    one.isOwner = true;
    expect(one.sessions.state(id)).toBe('loading');
    expect(await failureOf(one.sessions.setWebhook(id, null))).toBeInstanceOf(SessionNotActiveError);
    await one.take(2);
    expect(one.sessions.state(id)).toBe('disconnected');
    expect(one.sessions.state('another')).toBeUndefined();
    await one.release();
    one.isOwner = true;
    expect(one.sessions.state('another')).toBe('loading');
  });

  it('[CL2.22] is out of reach of an owner that has not noticed: its next append is refused, and it stops', async () => {
    const { clock, one, two } = await createSharedWorlds();
    const id = await sessionIn('connected', one);
    // The first process stood still: its lease is over, and it has done nothing about it yet.
    await two.take(1);
    one.isOwner = false;
    await one.links.of(id).report(linkFact('ConnectionLost', 1));
    expect(await failureOf(one.sessions.setWebhook(id, null))).toBeInstanceOf(SessionNotActiveError);
    await clock.advance(minuteMs);
    expect(one.links.of(id).told.at(-1)).toBe('close');
    const writers = (await eventsOf(one, id)).map((event) => metadataOf(event).by);
    expect(writers).toEqual(['run-1', 'run-1', 'run-2']);
  });

  it('[CL2.22] is given up by a process that finds a later owner in the log, without writing', async () => {
    const { clock, one, two } = await createSharedWorlds();
    const id = await sessionIn('connected', one);
    // The first process still believes in its lease.
    await two.take(1);
    await clock.advance(minuteMs);
    expect(one.links.of(id).told.at(-1)).toBe('close');
    expect(one.sessions.state(id)).toBe('loading');
    expect(two.sessions.state(id)).toBe('disconnected');
    expect(typesOf(await eventsOf(two, id))).toEqual(['SessionCreated', 'LoggedIn', 'OwnerChanged']);
  });

  it('[CL2.23] goes on being erased by its next owner', async () => {
    const { clock, one, two } = await createSharedWorlds();
    const id = await sessionIn('connected', one);
    one.links.whileClosing = () => new Promise(() => {});
    await one.sessions.delete(id);
    await clock.settle();
    expect(one.sealer.keys.has(id)).toBe(true);
    void one.release();
    one.isOwner = false;
    await two.take(1);
    await clock.settle();
    expect(two.links.of(id).told).toEqual(['logOut', 'close']);
    expect(two.sealer.keys.has(id)).toBe(false);
  });

  it('[CL2.24] is created only by a process that owns it from its first event on', async () => {
    const { two } = await createSharedWorlds();
    expect(await failureOf(two.sessions.create({}))).toBeInstanceOf(SessionNotActiveError);
    expect(two.sealer.keys.size).toBe(0);
  });

  it('[CL2.25] takes no commands while it leaves, and none is lost', async () => {
    const { one, two } = await createSharedWorlds();
    const id = await sessionIn('connected', one);
    const renamed = one.sessions.rename(id, { label: 'first' });
    const released = one.release();
    expect(await failureOf(one.sessions.rename(id, { label: 'second' }))).toBeInstanceOf(SessionNotActiveError);
    await renamed;
    await released;
    expect(one.sessions.state(id)).toBe('loading');
    await two.take(1);
    expect(typesOf(await eventsOf(two, id)).slice(-2)).toEqual(['SessionRenamed', 'OwnerChanged']);
  });
});
