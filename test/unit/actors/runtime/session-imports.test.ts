import { describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../../../actors/ports/event-store.ts';
import { allPartitions } from '../../../../actors/ports/ownership.ts';
import { SessionsStartingError } from '../../../../actors/runtime/sessions.ts';
import { away, createWorld, eventsOf, minuteMs, sessionIn, typesOf } from '../../../support/actors/sessions-world.ts';
import { failureOf } from '../../../support/kit/failure-of.ts';

const handedIn = { string: 'a session string' };

describe('a session string that a caller hands in', () => {
  it('[LG2.10] a login that was handed in is kept once it is recorded, and before the answer', async () => {
    const world = await createWorld();
    let answer: unknown;
    void world.sessions.create({}, undefined, handedIn).then((created) => {
      answer = created;
    });
    while (world.links.all.length === 0) await Promise.resolve();
    const [link] = world.links.all;
    let kept = (): void => {};
    if (link !== undefined) {
      link.keeping = new Promise((resolve) => {
        kept = resolve;
      });
    }
    await world.clock.settle();
    const id = link?.sessionId ?? '';
    expect(typesOf(await eventsOf(world, id))).toEqual(['SessionCreated', 'LoginImported']);
    expect([link?.told, answer]).toEqual([['keepLogin 1'], undefined]);
    kept();
    await world.clock.settle();
    expect(answer).toMatchObject({ id });
    expect(world.sessions.state(id)).toBe('connected');
  });

  it('[LG2.10] a login is not answered for that was recorded while its session left the process', async () => {
    const world = await createWorld();
    world.faults.push({ kind: 'slow-before' });
    const failure = failureOf(world.sessions.create({}, undefined, handedIn));
    await world.clock.settle();
    const [link] = world.links.all;
    const id = link?.sessionId ?? '';
    const notKept = new Error('the login is not the session’s own');
    if (link !== undefined) link.loginKept = () => Promise.reject(notKept);
    const leaving = world.sessions.release(allPartitions);
    world.store.release();
    await leaving;
    expect(await failure).toBe(notKept);
    expect(typesOf(await eventsOf(world, id))).toEqual(['SessionCreated', 'LoginImported']);
    expect(link?.told).not.toContain('keepLogin 1');
  });

  it('[LG2.10] a login that was handed in and could not be recorded is never kept', async () => {
    const world = await createWorld();
    world.faults.push(...away('fails-before'));
    const failure = failureOf(world.sessions.create({}, undefined, handedIn));
    await world.clock.advance(2_000);
    expect(await failure).toBeInstanceOf(StoreUnavailableError);
    await world.clock.advance(minuteMs);
    expect(world.links.all[0]?.told).toEqual(['logOut', 'close']);
  });

  it('[LG2.8] no login is taken in before every session has begun to connect', async () => {
    const before = await createWorld();
    await sessionIn('connected', before);
    await sessionIn('connected', before);
    const world = await before.restart({ linkStartsPerSecond: 1 });
    expect(await failureOf(world.sessions.create({}, undefined, handedIn))).toBeInstanceOf(SessionsStartingError);
    await world.clock.advance(2_000);
    expect(await world.sessions.create({}, undefined, handedIn)).toHaveProperty('sessionId');
  });

  it('[LG2.8] a session that waits until its views are known has not begun to connect', async () => {
    const before = await createWorld();
    await sessionIn('connected', before);
    let know = (): void => {};
    const known = new Promise<void>((resolve) => {
      know = resolve;
    });
    const world = await before.restart({ isKnown: () => known });
    expect(world.sessions.haveAllStarted()).toBe(false);
    expect(await failureOf(world.sessions.create({}, undefined, handedIn))).toBeInstanceOf(SessionsStartingError);
    know();
    await world.clock.settle();
    expect(await world.sessions.create({}, undefined, handedIn)).toHaveProperty('sessionId');
  });
});
