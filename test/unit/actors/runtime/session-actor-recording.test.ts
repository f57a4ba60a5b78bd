import { describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../../../actors/ports/event-store.ts';
import { silentLog } from '../../../../actors/ports/log.ts';
import { ActorStoppedError } from '../../../../actors/runtime/actor-stopped-error.ts';
import { SessionActor } from '../../../../actors/runtime/session-actor.ts';
import {
  away,
  createActor,
  created,
  createWorld,
  deleted,
  id,
  loggedIn,
  lost,
  metadataOf,
  minuteMs,
  recorded,
  restart,
  sealed,
  typesOf,
} from '../../../support/actors/actor-world.ts';
import { failureOf } from '../../../support/kit/failure-of.ts';

describe('what is recorded', () => {
  it('is the fact, and all that the session is after it', async () => {
    const world = createWorld();
    const startedAt = world.clock.now();
    const actor = await createActor(world);
    await world.clock.advance(1_000);
    await actor.send({ type: 'QrIssued', login: 1, link: sealed, expires: 7 });
    await actor.send(loggedIn);
    const events = await recorded(world);
    expect(typesOf(events)).toEqual(['SessionCreated', 'QrIssued', 'LoggedIn']);
    expect(events[1]).toMatchObject({
      revision: 1,
      data: { login: 1, link: 'sealed', expires: 7 },
      metadata: {
        at: startedAt + 1_000,
        by: 'node-1',
        from: 'qrPending',
        to: 'qrPending',
        since: startedAt,
        reason: 'created',
        context: { login: 1 },
        deadlines: [{ fact: 'QrTimedOut', dueAt: startedAt + 3 * minuteMs }],
        effects: [],
      },
    });
    expect(metadataOf(events[2])).toMatchObject({
      to: 'connected',
      since: startedAt + 1_000,
      reason: 'logged-in',
      deadlines: [],
    });
  });

  it('is nothing, for a fact that changes nothing', async () => {
    const world = createWorld();
    const actor = await createActor(world, loggedIn);
    const { position } = actor;
    await expect(actor.send(loggedIn)).resolves.toEqual({ position, recorded: false });
    await expect(actor.send({ ...lost, login: 7 })).resolves.toEqual({ position, recorded: false });
    expect(await recorded(world)).toHaveLength(2);
  });

  it('keeps the order of the calls', async () => {
    const world = createWorld();
    const actor = await createActor(world);
    await Promise.all([
      actor.send(loggedIn),
      actor.send(lost),
      actor.send({ type: 'SessionReset' }),
      actor.send(deleted),
    ]);
    expect(typesOf(await recorded(world)).slice(1)).toEqual([
      'LoggedIn',
      'ConnectionLost',
      'SessionReset',
      'SessionDeleted',
    ]);
  });
});

describe('writing ahead', () => {
  it('shows no state, arms no deadline and has no effect done before the record', async () => {
    const world = createWorld();
    const actor = await createActor(world, loggedIn);
    world.seen.length = 0;
    world.faults.push({ kind: 'slow-before' });
    const sent = actor.send(lost);
    await world.clock.settle();
    expect([actor.state, world.seen, world.clock.armed()]).toEqual(['connected', [], 0]);
    world.store.release();
    await sent;
    expect([actor.state, world.seen, world.clock.armed()]).toEqual(['disconnected', ['connect 1'], 1]);
  });

  it('leaves all as it was where the store stays away', async () => {
    const world = createWorld();
    const actor = await createActor(world);
    const before = [actor.state, actor.position, [...world.seen]];
    world.faults.push(...away('fails-before'));
    const sent = failureOf(actor.send(loggedIn));
    await world.clock.advance(2_000);
    expect(await sent).toBeInstanceOf(StoreUnavailableError);
    expect([actor.state, actor.position, world.seen]).toEqual(before);
    await actor.send(loggedIn);
    expect(actor.state).toBe('connected');
    expect(typesOf(await recorded(world))).toEqual(['SessionCreated', 'LoggedIn']);
  });

  it('records once where the answer was lost', async () => {
    const world = createWorld();
    const actor = await createActor(world);
    world.faults.push({ kind: 'fails-after' });
    const sent = actor.send(loggedIn);
    await world.clock.advance(100);
    await expect(sent).resolves.toMatchObject({ recorded: true });
    expect(typesOf(await recorded(world))).toEqual(['SessionCreated', 'LoggedIn']);
    await actor.send(lost);
    expect(actor.state).toBe('disconnected');
  });

  it('lives with a record that it was told had failed', async () => {
    const world = createWorld();
    const actor = await createActor(world);
    world.faults.push(...away('fails-after'));
    const sent = failureOf(actor.send(loggedIn));
    await world.clock.advance(1_700);
    expect(await sent).toBeInstanceOf(StoreUnavailableError);
    expect(actor.state).toBe('qrPending');
    await world.clock.advance(1_000);
    expect(actor.state).toBe('connected');
    await actor.send(lost);
    expect(typesOf(await recorded(world))).toEqual(['SessionCreated', 'LoggedIn', 'ConnectionLost']);
  });

  it('finds out about a doubtful record before it takes the next fact', async () => {
    const world = createWorld();
    const actor = await createActor(world);
    world.faults.push(...away('fails-after'));
    const sent = failureOf(actor.send(deleted));
    await world.clock.advance(1_700);
    expect(await sent).toBeInstanceOf(StoreUnavailableError);
    await expect(actor.send(loggedIn)).resolves.toMatchObject({ recorded: false });
    expect(actor.state).toBe('deleted');
  });

  it('waits with a patient fact as long as it takes, and turns the impatient away', async () => {
    const world = createWorld();
    const actor = await createActor(world, loggedIn);
    for (let outage = 0; outage < 3; outage += 1) world.faults.push(...away('fails-before'));
    const patient = actor.send(lost, { patient: true });
    const impatient = failureOf(actor.send(deleted));
    await world.clock.advance(60_000);
    expect(await impatient).toBeInstanceOf(StoreUnavailableError);
    await expect(patient).resolves.toMatchObject({ recorded: true });
    expect(typesOf(await recorded(world))).toEqual(['SessionCreated', 'LoggedIn', 'ConnectionLost']);
  });

  it('records a patient fact once where only its answers were lost', async () => {
    const world = createWorld();
    const actor = await createActor(world, loggedIn);
    world.faults.push(...away('fails-after'));
    const patient = actor.send(lost, { patient: true });
    await world.clock.advance(60_000);
    await expect(patient).resolves.toMatchObject({ recorded: true });
    expect(typesOf(await recorded(world))).toEqual(['SessionCreated', 'LoggedIn', 'ConnectionLost']);
  });

  it('says so where the first record of a session never came about', async () => {
    const world = createWorld();
    const actor = new SessionActor(id, world.around);
    world.faults.push(...away('fails-before'));
    const sent = failureOf(actor.send(created));
    await world.clock.advance(10_000);
    expect(await sent).toBeInstanceOf(StoreUnavailableError);
    expect(world.seen).toEqual(['never recorded']);
    expect(world.clock.armed()).toBe(0);
  });

  it('goes on after a fact that could not be made', async () => {
    const world = createWorld();
    const actor = await createActor(world);
    await expect(actor.send(() => Promise.reject(new TypeError('no')))).rejects.toThrow(TypeError);
    await actor.send(loggedIn);
    expect(actor.state).toBe('connected');
  });
});

describe('the log', () => {
  it('tells of every change of state once it is recorded: whose, what, from, to, why and by which request, and nothing else', async () => {
    const world = createWorld();
    const said: unknown[] = [];
    world.around.log = { ...silentLog, info: (fields, message) => void said.push([message, fields]) };
    const actor = await createActor(world, { type: 'QrIssued', login: 1, link: sealed, expires: 1 }, loggedIn);
    world.faults.push({ kind: 'fails-before' });
    const losing = actor.send(lost);
    await world.clock.settle();
    expect(said).toHaveLength(2);
    await world.clock.advance(minuteMs);
    await losing;
    await actor.send(deleted, { reqId: 'the request' });
    const changed = (fact: string, from: string | null, to: string, reason: string, reqId?: string): unknown[] => [
      'session changed',
      { reqId, session: id, fact, from, to, reason },
    ];
    expect(said).toEqual([
      changed('SessionCreated', null, 'qrPending', 'created'),
      changed('LoggedIn', 'qrPending', 'connected', 'logged-in'),
      changed('ConnectionLost', 'connected', 'disconnected', 'unreachable'),
      changed('SessionDeleted', 'disconnected', 'deleted', 'user', 'the request'),
    ]);
  });
});

describe('fencing', () => {
  it('stops for good where somebody else has written', async () => {
    const world = createWorld();
    const actor = await createActor(world);
    const rival = { id: 'rival', type: 'WebhookSet', data: { webhook: null }, metadata: {} };
    world.faults.push({ kind: 'conflict', rival });
    await expect(actor.send(loggedIn)).rejects.toThrow(ActorStoppedError);
    expect([actor.state, world.seen.at(-1), world.clock.armed()]).toEqual(['qrPending', 'fenced', 0]);
    await expect(actor.send(loggedIn)).rejects.toThrow(ActorStoppedError);
    expect(typesOf(await recorded(world))).toEqual(['SessionCreated', 'WebhookSet']);
  });

  it('stops if something was written behind an append that is answered at its repetition', async () => {
    const world = createWorld();
    const actor = await createActor(world, loggedIn);
    world.faults.push({ kind: 'fails-after' });
    const losing = actor.send(lost).catch((error: unknown) => error);
    await world.clock.settle();
    const rival = { id: 'rival', type: 'LoginLost', data: { login: 1, reason: 'x' }, metadata: {} };
    await world.below.append(`session-${id}`, 2, [rival]);
    await world.clock.advance(minuteMs);
    expect(await losing).toBeInstanceOf(ActorStoppedError);
    expect([actor.state, world.seen.at(-1), world.clock.armed()]).toEqual(['connected', 'fenced', 0]);
  });

  it('lets one of two actors write', async () => {
    const world = createWorld();
    const first = await createActor(world);
    const second = await restart(world);
    await second.send(loggedIn);
    await expect(first.send(deleted)).rejects.toThrow(ActorStoppedError);
    expect([first.state, second.state]).toEqual(['qrPending', 'connected']);
  });
});

it('[SE8.1] a patient fact is tried again soon after the store was away before', async () => {
  const world = createWorld();
  const actor = await createActor(world, loggedIn);
  // All five tries of an append, again and again.
  world.faults.push(...Array.from({ length: 30 }, () => ({ kind: 'fails-before' as const })));
  const first = actor.send(lost, { patient: true });
  await world.clock.advance(10 * minuteMs);
  await first;
  world.faults.push(...away('fails-before'));
  const second = actor.send({ type: 'ConnectionRestored', login: 1 }, { patient: true });
  // The tries last 1.6 s, the first wait after them up to 0.25 s.
  await world.clock.advance(1_900);
  expect(actor.state).toBe('connected');
  await second;
});
