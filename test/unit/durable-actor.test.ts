import { describe, expect, it } from 'vitest';
import { ActorStoppedError, type ActorSurroundings, DurableActor } from '../../actors/durable-actor.ts';
import { type EventStore, type RecordedEvent, StoreUnavailableError } from '../../actors/event-store.ts';
import { silentLog } from '../../actors/log.ts';
import { replay } from '../../actors/replay.ts';
import { restore, UnreadableEventError } from '../../actors/restore.ts';
import type { Sealed } from '../../actors/sealer.ts';
import type { SessionFact, TransitionMetadata } from '../../actors/session-events.ts';
import { createDrivenClock, createSeededRandomness, type DrivenClock } from '../support/clock.ts';
import { createFaultyStore, type Fault, type FaultyStore } from '../support/faulty-store.ts';
import { createMemoryStore } from '../support/memory-store.ts';

const id = '0190a000-0000-7000-8000-000000000001';
const stream = `session-${id}`;
const minuteMs = 60_000;
const sealed = 'sealed' as Sealed;

const created: SessionFact = { type: 'SessionCreated', secretHash: '00' };
const loggedIn: SessionFact = { type: 'LoggedIn', login: 1, account: sealed, picture: sealed };
const lost: SessionFact = { type: 'ConnectionLost', login: 1, reason: 'unreachable' };
const deleted: SessionFact = { type: 'SessionDeleted' };

interface World {
  clock: DrivenClock;
  store: FaultyStore;
  below: EventStore;
  /** The faults of the next appends, one after the other. */
  faults: (Fault | undefined)[];
  /** What the actors had done, and what became of them. */
  seen: string[];
  around: ActorSurroundings;
}

function createWorld(): World {
  const clock = createDrivenClock();
  const below = createMemoryStore(clock);
  const faults: (Fault | undefined)[] = [];
  const store = createFaultyStore(below, () => faults.shift());
  const seen: string[] = [];
  const around: ActorSurroundings = {
    store,
    clock,
    random: createSeededRandomness(1, clock),
    node: 'node-1',
    log: silentLog,
    perform: (_actor, effects, repeated) => {
      for (const { type, login } of effects) seen.push(`${repeated ? 'again ' : ''}${type} ${login}`);
    },
    onFenced: () => void seen.push('fenced'),
    onNeverRecorded: () => void seen.push('never recorded'),
  };
  return { clock, store, below, faults, seen, around };
}

/** The events of a session, in order. */
async function recorded({ below }: World, name = stream): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const event of below.read(name)) events.push(event);
  return events;
}

const typesOf = (events: readonly RecordedEvent[]): string[] => events.map(({ type }) => type);
const metadataOf = (event: RecordedEvent | undefined): TransitionMetadata =>
  event?.metadata as unknown as TransitionMetadata;

async function createActor(world: World, ...facts: SessionFact[]): Promise<DurableActor> {
  const actor = new DurableActor(id, world.around);
  for (const fact of [created, ...facts]) await actor.send(fact);
  return actor;
}

/** The next process: it knows nothing but the store. */
async function restart(world: World): Promise<DurableActor> {
  const last = await world.below.last(stream);
  if (last === undefined) throw new Error('nothing is stored');
  return new DurableActor(id, world.around, restore(last));
}

/** What a promise is rejected with; it may be rejected while nobody waits yet. */
async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
    return undefined;
  } catch (error) {
    return error;
  }
}

/** All tries of one append fail. */
const away = (kind: 'fails-before' | 'fails-after'): Fault[] => Array.from({ length: 5 }, () => ({ kind }));

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
    const actor = new DurableActor(id, world.around);
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
  it('tells of every change of state once it is recorded: which session, from, to and why, and nothing else', async () => {
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
    await actor.send(deleted);
    expect(said).toEqual([
      ['session changed', { session: id, from: null, to: 'qrPending', reason: 'created' }],
      ['session changed', { session: id, from: 'qrPending', to: 'connected', reason: 'logged-in' }],
      ['session changed', { session: id, from: 'connected', to: 'disconnected', reason: 'unreachable' }],
      ['session changed', { session: id, from: 'disconnected', to: 'deleted', reason: 'user' }],
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

  it('lets one of two actors write', async () => {
    const world = createWorld();
    const first = await createActor(world);
    const second = await restart(world);
    await second.send(loggedIn);
    await expect(first.send(deleted)).rejects.toThrow(ActorStoppedError);
    expect([first.state, second.state]).toEqual(['qrPending', 'connected']);
  });
});

describe('deadlines', () => {
  it.each([
    ['[SE4]', 'QrTimedOut', 3, [] as SessionFact[], 'qr-timeout'],
    [
      '[SE5]',
      'PasswordTimedOut',
      30,
      [{ type: 'PasswordRequested', login: 1, hint: sealed }] as SessionFact[],
      'password-timeout',
    ],
    ['[SE6]', 'DisconnectedTimedOut', 30, [loggedIn, lost] as SessionFact[], 'disconnected-timeout'],
  ])('%s %s after %d minutes and not a millisecond before', async (_rule, fact, minutes, facts, reason) => {
    const world = createWorld();
    const actor = await createActor(world, ...facts);
    await world.clock.advance(minutes * minuteMs - 1);
    expect(actor.state).not.toBe('deleted');
    await world.clock.advance(1);
    expect(actor.state).toBe('deleted');
    const last = (await recorded(world)).at(-1);
    expect([last?.type, metadataOf(last).reason, metadataOf(last).lateMs]).toEqual([fact, reason, 0]);
    expect(world.clock.armed()).toBe(0);
  });

  it('[SE7] a QR deadline survives a restart', async () => {
    const world = createWorld();
    const first = await createActor(world);
    await world.clock.advance(2 * minuteMs);
    first.stop();
    const second = await restart(world);
    await second.resume();
    await world.clock.advance(minuteMs - 1);
    expect(second.state).toBe('qrPending');
    await world.clock.advance(1);
    expect(second.state).toBe('deleted');
  });

  it('[SE7] a deadline that passed while nothing ran fires at once, and says how late', async () => {
    const world = createWorld();
    (await createActor(world)).stop();
    world.seen.length = 0;
    await world.clock.advance(10 * minuteMs);
    const actor = await restart(world);
    await actor.resume();
    expect(actor.state).toBe('deleted');
    expect(metadataOf((await recorded(world)).at(-1)).lateMs).toBe(7 * minuteMs);
    expect(world.seen).toEqual(['logOut 1', 'erase 1']);
  });

  it('[SE7] the downtime of the service is no disconnected time', async () => {
    const world = createWorld();
    (await createActor(world, loggedIn, lost)).stop();
    await world.clock.advance(60 * minuteMs);
    const actor = await restart(world);
    await actor.resume();
    expect([actor.state, world.seen.at(-1)]).toEqual(['disconnected', 'again connect 1']);
    await world.clock.advance(30 * minuteMs - 1);
    expect(actor.state).toBe('disconnected');
    await world.clock.advance(1);
    expect(actor.state).toBe('deleted');
    expect(metadataOf((await recorded(world)).at(-2)).reason).toBe('gateway-restart');
  });

  it('[SE4] what is recorded without leaving the state does not touch its deadline', async () => {
    const world = createWorld();
    const actor = await createActor(world);
    await world.clock.advance(2 * minuteMs);
    await actor.send({ type: 'WebhookSet', webhook: { url: sealed, token: sealed } });
    await actor.send({ type: 'QrIssued', login: 1, link: sealed, expires: 1 });
    await world.clock.advance(minuteMs - 1);
    expect(actor.state).toBe('qrPending');
    await world.clock.advance(1);
    expect(actor.state).toBe('deleted');
  });

  it('[SE2] a reset gives a fresh 3 minutes', async () => {
    const world = createWorld();
    const actor = await createActor(world);
    await world.clock.advance(2 * minuteMs);
    await actor.send({ type: 'SessionReset' });
    await world.clock.advance(3 * minuteMs - 1);
    expect(actor.state).toBe('qrPending');
    await world.clock.advance(1);
    expect(actor.state).toBe('deleted');
  });

  it('[SE4] a deadline is recorded when the store is back', async () => {
    const world = createWorld();
    const actor = await createActor(world);
    for (let outage = 0; outage < 2; outage += 1) world.faults.push(...away('fails-before'));
    await world.clock.advance(3 * minuteMs + 1_600);
    expect(actor.state).toBe('qrPending');
    await world.clock.advance(30_000);
    expect(actor.state).toBe('deleted');
    expect(metadataOf((await recorded(world)).at(-1)).lateMs).toBeGreaterThan(0);
  });

  it('[SE7] a timer that comes early, because the wall clock was set back, is waited out', async () => {
    const world = createWorld();
    let setBackMs = 0;
    const clock = { ...world.clock, now: () => world.clock.now() - setBackMs };
    const actor = new DurableActor(id, { ...world.around, clock });
    await actor.send(created);
    setBackMs = minuteMs;
    await world.clock.advance(3 * minuteMs);
    expect(actor.state).toBe('qrPending');
    await world.clock.advance(minuteMs);
    expect(actor.state).toBe('deleted');
    expect(metadataOf((await recorded(world)).at(-1)).lateMs).toBe(0);
  });
});

describe('taking up again', () => {
  it('repeats the effects of the last record, for they may never have been done', async () => {
    const world = createWorld();
    (await createActor(world, loggedIn, { type: 'SessionReset' })).stop();
    world.seen.length = 0;
    await (await restart(world)).resume();
    expect(world.seen).toEqual(['again logOut 1', 'again startQrLogin 2']);
  });

  it.each([
    ['startQrLogin 1', { type: 'QrIssued', login: 1, link: sealed, expires: 1 }],
    ['awaitPassword 1', { type: 'PasswordRequested', login: 1, hint: sealed }, { type: 'PasswordRejected', login: 1 }],
  ] as [string, ...SessionFact[]][])('has done what the state needs: %s', async (effect, ...facts) => {
    const world = createWorld();
    (await createActor(world, ...facts)).stop();
    world.seen.length = 0;
    const actor = await restart(world);
    await actor.resume();
    expect(world.seen).toEqual([`again ${effect}`]);
    expect(world.clock.armed()).toBe(1);
  });

  it('is not fooled by an event that no actor wrote', async () => {
    const world = createWorld();
    await world.below.append(stream, 'no-stream', [{ id: 'x', type: 'Odd', data: {}, metadata: {} }]);
    await expect(restart(world)).rejects.toThrow(UnreadableEventError);
  });

  it('leaves nothing behind when it stops', async () => {
    const world = createWorld();
    const actor = await createActor(world, loggedIn);
    world.faults.push(...away('fails-before'));
    const sent = failureOf(actor.send(lost, { patient: true }));
    await world.clock.settle();
    actor.stop();
    expect(await sent).toBeInstanceOf(ActorStoppedError);
    await actor.idle();
    expect(world.clock.armed()).toBe(0);
  });
});

describe('replay', () => {
  const life: SessionFact[] = [
    { type: 'QrIssued', login: 1, link: sealed, expires: 1 },
    loggedIn,
    lost,
    { type: 'ConnectionRestored', login: 1 },
    { type: 'LoginLost', login: 1, reason: 'SESSION_REVOKED' },
    { type: 'PasswordRequested', login: 2, hint: sealed },
    { type: 'PasswordRejected', login: 2 },
    { type: 'SessionReset' },
  ];

  async function lived(): Promise<RecordedEvent[]> {
    const world = createWorld();
    await createActor(world, ...life);
    await world.clock.advance(3 * minuteMs);
    return await recorded(world);
  }

  it('[AD6] finds no drift in what an actor wrote', async () => {
    const events = await lived();
    expect(await replay(events)).toEqual({ events: 10, drift: [], last: events.at(-1)?.metadata });
  });

  it('[AD6] starts from what is left of a truncated stream', async () => {
    const events = await lived();
    expect(await replay(events.slice(4))).toMatchObject({ events: 6, drift: [] });
  });

  it.each([
    ['another state', 3, { to: 'connected' }, /^to was recorded as "connected"/],
    ['another login', 5, { context: { login: 9 } }, /^context/],
    ['a deadline that was moved', 0, { deadlines: [{ fact: 'QrTimedOut', dueAt: 1 }] }, /^deadlines/],
    ['another reason', 5, { reason: 'because' }, /^reason/],
    ['another time of entry', 1, { since: 1 }, /^since/],
    ['effects that nobody asked for', 2, { effects: [{ type: 'erase', login: 1 }] }, /^effects/],
    ['a deadline that fired early', 9, { at: 0, since: 0, lateMs: 0 }, /^lateMs|early/],
  ])('[AD6] finds %s', async (_what, at, change, problem) => {
    const events = await lived();
    const event = events[at] as RecordedEvent;
    events[at] = { ...event, metadata: { ...(event.metadata as object), ...change } };
    const { drift } = await replay(events);
    expect(drift[0]).toMatchObject({ stream, revision: at, type: event.type });
    expect(drift[0]?.problem).toMatch(problem);
  });

  it('[AD6] finds a record of something that changes nothing', async () => {
    const events = await lived();
    const odd = { ...(events[1] as RecordedEvent), data: { login: 7 } };
    expect((await replay(events.with(1, odd))).drift[0]?.problem).toMatch('changes nothing in qrPending');
  });

  it('[AD6] finds a life that does not begin with its creation', async () => {
    const [first, second] = (await lived()) as [RecordedEvent, RecordedEvent];
    const odd = [{ ...second, revision: 0 }, first];
    expect((await replay(odd)).drift).toHaveLength(2);
  });
});
