import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type EventStore, type RecordedEvent, StoreUnavailableError } from '../../actors/event-store.ts';
import type { TransitionMetadata } from '../../actors/session-events.ts';
import { createSessions, type SessionsOptions } from '../../actors/session-supervisor.ts';
import { SessionNotActiveError, SessionNotFoundError, type Sessions } from '../../actors/sessions.ts';
import { createDrivenClock, createSeededRandomness, type DrivenClock } from '../support/clock.ts';
import { createFaultyStore, type Fault, type FaultyStore } from '../support/faulty-store.ts';
import { createMemoryStore } from '../support/memory-store.ts';
import { createPlainSealer, type PlainSealer } from '../support/plain-sealer.ts';
import { createScriptedLinks, linkFact, type ScriptedLinks } from '../support/scripted-link.ts';

const minuteMs = 60_000;

interface World {
  clock: DrivenClock;
  below: EventStore;
  store: FaultyStore;
  faults: (Fault | undefined)[];
  sealer: PlainSealer;
  links: ScriptedLinks;
  sessions: Sessions;
  /** The next process over the same store. */
  restart(options?: Partial<SessionsOptions>): Promise<World>;
}

async function createWorld(): Promise<World> {
  const clock = createDrivenClock();
  const world = openWorld(clock, createMemoryStore(clock), createPlainSealer(), 1, {});
  await world.sessions.start();
  return world;
}

function openWorld(
  clock: DrivenClock,
  below: EventStore,
  sealer: PlainSealer,
  run: number,
  options: Partial<SessionsOptions>,
): World {
  const faults: (Fault | undefined)[] = [];
  const store = createFaultyStore(below, () => faults.shift());
  const links = createScriptedLinks();
  const sessions = createSessions({
    store,
    sealer,
    clock,
    random: createSeededRandomness(run, clock),
    createLink: links.create,
    node: `run-${run}`,
    unfinishedErasures: async function* unfinished() {
      yield* sealer.keys;
    },
    ...options,
  });
  return {
    clock,
    below,
    store,
    faults,
    sealer,
    links,
    sessions,
    async restart(changed = {}) {
      store.crash();
      const next = openWorld(clock, below, sealer, run + 1, changed);
      await next.sessions.start();
      await clock.settle();
      return next;
    },
  };
}

async function eventsOf({ below }: World, id: string): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const event of below.read(`session-${id}`)) events.push(event);
  return events;
}

const deadlinesOf = (event: RecordedEvent | undefined): unknown =>
  (event?.metadata as TransitionMetadata | undefined)?.deadlines;
const typesOf = (events: readonly RecordedEvent[]): string[] => events.map(({ type }) => type);

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
    return undefined;
  } catch (error) {
    return error;
  }
}

/** A session in a state, by the way a life takes. */
async function sessionIn(state: string, world: World): Promise<string> {
  const { id } = await world.sessions.create({});
  const report = (type: Parameters<typeof linkFact>[0]): Promise<void> => world.links.of(id).report(linkFact(type, 1));
  if (state === 'passwordRequired') await report('PasswordRequested');
  if (state === 'connected' || state === 'disconnected') await report('LoggedIn');
  if (state === 'disconnected') await report('ConnectionLost');
  expect(world.sessions.state(id)).toBe(state);
  return id;
}

const liveStates = ['qrPending', 'passwordRequired', 'connected', 'disconnected'];
const away = (kind: 'fails-before' | 'fails-after'): Fault[] => Array.from({ length: 5 }, () => ({ kind }));

describe('create', () => {
  it('[AU1] gives a UUIDv7 and a secret of 32 bytes, of which only the hash is kept', async () => {
    const world = await createWorld();
    const { id, sessionId } = await world.sessions.create({});
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Buffer.from(sessionId, 'base64url')).toHaveLength(32);
    const [event] = await eventsOf(world, id);
    expect(event?.data).toEqual({ secretHash: createHash('sha256').update(sessionId).digest('hex') });
    expect(JSON.stringify([event?.data, event?.metadata])).not.toContain(sessionId);
  });

  it('[SE11] seals what the caller gives, bound to its event', async () => {
    const world = await createWorld();
    const webhook = { url: 'https://example.org/hook', token: 'marker' };
    const { id } = await world.sessions.create({ name: 'Support', metadata: { team: 'blue' }, webhook });
    const [event] = await eventsOf(world, id);
    expect(event?.data).toMatchObject({
      name: `${event?.id}|Support`,
      metadata: `${event?.id}|{"team":"blue"}`,
      webhook: { url: `${event?.id}|https://example.org/hook`, token: `${event?.id}|marker` },
    });
  });

  it('[SE1] answers with the position of its record, and has the QR login started', async () => {
    const world = await createWorld();
    const { id, position } = await world.sessions.create({ webhook: null });
    expect(position).toBe((await world.below.last(`session-${id}`))?.position);
    expect(world.sessions.state(id)).toBe('qrPending');
    expect(world.links.of(id).told).toEqual(['startQrLogin 1']);
  });

  it('leaves nothing behind where it could not be recorded', async () => {
    const world = await createWorld();
    world.faults.push(...away('fails-before'));
    const failure = failureOf(world.sessions.create({}));
    await world.clock.advance(2_000);
    expect(await failure).toBeInstanceOf(StoreUnavailableError);
    await world.clock.advance(10_000);
    expect([world.sealer.keys.size, world.links.all.length, world.clock.armed()]).toEqual([0, 0, 0]);
  });

  it('lives on where it was recorded although nobody could say so', async () => {
    const world = await createWorld();
    world.faults.push(...away('fails-after'));
    const failure = failureOf(world.sessions.create({}));
    await world.clock.advance(1_700);
    expect(await failure).toBeInstanceOf(StoreUnavailableError);
    await world.clock.advance(10_000);
    const [id = ''] = world.sealer.keys;
    expect(world.sessions.state(id)).toBe('qrPending');
    await world.clock.advance(3 * minuteMs);
    expect([world.sessions.state(id), world.sealer.keys.size]).toEqual([undefined, 0]);
  });
});

describe('commands', () => {
  it.each(liveStates)('[SE2] reset in %s: logged out, and a fresh QR', async (state) => {
    const world = await createWorld();
    const id = await sessionIn(state, world);
    await world.clock.advance(2 * minuteMs);
    const { position } = await world.sessions.reset(id, { name: 'Other', webhook: null });
    const last = await world.below.last(`session-${id}`);
    expect(last).toMatchObject({ type: 'SessionReset', position, data: { name: `${last?.id}|Other`, webhook: null } });
    expect(world.sessions.state(id)).toBe('qrPending');
    expect(world.links.of(id).told.slice(-2)).toEqual(['logOut', 'startQrLogin 2']);
    await world.clock.advance(3 * minuteMs - 1);
    expect(world.sessions.state(id)).toBe('qrPending');
  });

  it.each(liveStates)('[SE3] delete in %s: recorded, logged out, erased, gone', async (state) => {
    const world = await createWorld();
    const id = await sessionIn(state, world);
    const { position } = await world.sessions.delete(id);
    expect(await world.below.last(`session-${id}`)).toMatchObject({ type: 'SessionDeleted', position });
    await world.clock.settle();
    expect(world.links.of(id).told.slice(-2)).toEqual(['logOut', 'close']);
    expect(world.sealer.keys.has(id)).toBe(false);
    expect(world.sessions.state(id)).toBeUndefined();
    await expect(world.sessions.delete(id)).rejects.toThrow(SessionNotFoundError);
    expect(world.clock.armed()).toBe(0);
  });

  it('[SE3] a second delete on the heels of the first finds nothing', async () => {
    const world = await createWorld();
    const id = await sessionIn('connected', world);
    const second = [world.sessions.delete(id), failureOf(world.sessions.delete(id))];
    expect(await second[0]).toHaveProperty('position');
    expect(await second[1]).toBeInstanceOf(SessionNotFoundError);
    expect(typesOf(await eventsOf(world, id)).filter((type) => type === 'SessionDeleted')).toHaveLength(1);
  });

  it.each(liveStates)('[WH1] the webhook is set in %s, and the deadline stays', async (state) => {
    const world = await createWorld();
    const id = await sessionIn(state, world);
    const before = await world.below.last(`session-${id}`);
    await world.clock.advance(minuteMs);
    await world.sessions.setWebhook(id, { url: 'https://example.org', token: 't' });
    const after = await world.below.last(`session-${id}`);
    expect(after?.data).toEqual({ webhook: { url: `${after?.id}|https://example.org`, token: `${after?.id}|t` } });
    expect(deadlinesOf(after)).toEqual(deadlinesOf(before));
    await world.sessions.setWebhook(id, null);
    expect((await world.below.last(`session-${id}`))?.data).toEqual({ webhook: null });
  });

  it('know no stranger', async () => {
    const world = await createWorld();
    for (const command of [
      world.sessions.reset('stranger', {}),
      world.sessions.delete('stranger'),
      world.sessions.setWebhook('stranger', null),
      world.sessions.submitPassword('stranger', 'secret'),
    ]) {
      await expect(command).rejects.toThrow(SessionNotFoundError);
    }
    expect(world.sessions.state('stranger')).toBeUndefined();
  });

  it('change nothing where the store is away', async () => {
    const world = await createWorld();
    const id = await sessionIn('connected', world);
    world.faults.push(...away('fails-before'));
    const failure = failureOf(world.sessions.delete(id));
    await world.clock.advance(2_000);
    expect(await failure).toBeInstanceOf(StoreUnavailableError);
    expect(world.sessions.state(id)).toBe('connected');
    expect(world.links.of(id).told).toEqual(['startQrLogin 1']);
    await world.sessions.delete(id);
  });
});

describe('password', () => {
  it('accepted: the login has been recorded', async () => {
    const world = await createWorld();
    const id = await sessionIn('passwordRequired', world);
    const link = world.links.of(id);
    link.password = async (login, password) => {
      expect([login, password]).toEqual([1, 'marker-password']);
      await link.report(linkFact('LoggedIn', login));
      return 'accepted';
    };
    const answer = await world.sessions.submitPassword(id, 'marker-password');
    expect(answer).toEqual({ outcome: 'accepted', position: (await world.below.last(`session-${id}`))?.position });
    expect(world.sessions.state(id)).toBe('connected');
    const texts = (await eventsOf(world, id)).map(({ data }) => JSON.stringify(data));
    expect(texts.filter((text) => text.includes('marker-password'))).toEqual([]);
  });

  it('rejected: recorded, and the deadline stays', async () => {
    const world = await createWorld();
    const id = await sessionIn('passwordRequired', world);
    await world.clock.advance(minuteMs);
    const answer = await world.sessions.submitPassword(id, 'wrong');
    const last = await world.below.last(`session-${id}`);
    expect(answer).toEqual({ outcome: 'rejected', position: last?.position });
    expect(last).toMatchObject({ type: 'PasswordRejected', data: { login: 1 } });
    await world.clock.advance(29 * minuteMs - 1);
    expect(world.sessions.state(id)).toBe('passwordRequired');
    await world.clock.advance(1);
    expect(world.sessions.state(id)).toBeUndefined();
  });

  it.each(liveStates.filter((state) => state !== 'passwordRequired'))('not required in %s', async (state) => {
    const world = await createWorld();
    const id = await sessionIn(state, world);
    const { position } = (await world.below.last(`session-${id}`)) as RecordedEvent;
    expect(await world.sessions.submitPassword(id, 'x')).toEqual({ outcome: 'not-required', position });
  });

  it('one after the other, and what Telegram throws is passed on', async () => {
    const world = await createWorld();
    const id = await sessionIn('passwordRequired', world);
    const tried: string[] = [];
    world.links.of(id).password = async (_login, password) => {
      tried.push(`${password} in`);
      await Promise.resolve();
      tried.push(`${password} out`);
      throw new Error('A wait of 120 seconds is required (caused by auth.CheckPassword)');
    };
    const both = [failureOf(world.sessions.submitPassword(id, 'a')), failureOf(world.sessions.submitPassword(id, 'b'))];
    expect(String(await both[0])).toContain('A wait of 120 seconds');
    expect(String(await both[1])).toContain('A wait of 120 seconds');
    expect(tried).toEqual(['a in', 'a out', 'b in', 'b out']);
  });

  it('sees the commands that were given before', async () => {
    const world = await createWorld();
    const id = await sessionIn('passwordRequired', world);
    const reset = world.sessions.reset(id, {});
    expect((await world.sessions.submitPassword(id, 'x')).outcome).toBe('not-required');
    await reset;
  });

  it('[SE5] does not hold the deadline up: a deleted session is not found', async () => {
    const world = await createWorld();
    const id = await sessionIn('passwordRequired', world);
    const link = world.links.of(id);
    let hangUp: (reason: Error) => void = () => {};
    link.password = () =>
      new Promise((_resolve, reject) => {
        hangUp = reject;
      });
    const failure = failureOf(world.sessions.submitPassword(id, 'x'));
    await world.clock.advance(30 * minuteMs);
    expect(world.sessions.state(id)).toBeUndefined();
    hangUp(new Error('not connected'));
    expect(await failure).toBeInstanceOf(SessionNotFoundError);
  });
});

describe('facts of Telegram', () => {
  it('[SE11] are sealed, bound to their event', async () => {
    const world = await createWorld();
    const { id } = await world.sessions.create({});
    const link = world.links.of(id);
    await link.report(linkFact('QrIssued', 1));
    await link.report(linkFact('PasswordRequested', 1));
    await link.report(linkFact('LoggedIn', 1));
    await link.report(linkFact('AccountChanged', 1));
    const [, qr, hint, login, change] = await eventsOf(world, id);
    const account = '{"id":"1001","name":"Ada Lovelace","username":"ada","phone":"4915100000001"}';
    expect(qr?.data).toEqual({ login: 1, link: `${qr?.id}|tg://login?token=marker`, expires: 30_000 });
    expect(hint?.data).toEqual({ login: 1, hint: `${hint?.id}|first pet` });
    for (const event of [login, change]) {
      expect(event?.data).toEqual({
        login: 1,
        account: `${event?.id}|${account}`,
        picture: `${event?.id}|data:image/jpeg;base64,AA==`,
      });
    }
  });

  it('[SE9] a login that is lost: a new QR at once, and the old one says no more', async () => {
    const world = await createWorld();
    const id = await sessionIn('connected', world);
    const link = world.links.of(id);
    await link.report(linkFact('LoginLost', 1));
    expect(link.told).toEqual(['startQrLogin 1', 'startQrLogin 2']);
    expect((await world.below.last(`session-${id}`))?.metadata).toMatchObject({
      to: 'qrPending',
      reason: 'SESSION_REVOKED',
      context: { login: 2 },
    });
    await link.report(linkFact('QrIssued', 1));
    await link.report(linkFact('LoggedIn', 1));
    expect(world.sessions.state(id)).toBe('qrPending');
    expect(typesOf(await eventsOf(world, id)).at(-1)).toBe('LoginLost');
  });

  it('[SE8] repeated failures fold into one disconnected state', async () => {
    const world = await createWorld();
    const id = await sessionIn('connected', world);
    for (let failure = 0; failure < 5; failure += 1) await world.links.of(id).report(linkFact('ConnectionLost', 1));
    expect(typesOf(await eventsOf(world, id))).toEqual(['SessionCreated', 'LoggedIn', 'ConnectionLost']);
  });

  it('are never dropped: they wait for the store', async () => {
    const world = await createWorld();
    const { id } = await world.sessions.create({});
    for (let outage = 0; outage < 4; outage += 1) world.faults.push(...away('fails-before'));
    const reported = world.links.of(id).report(linkFact('LoggedIn', 1));
    await world.clock.advance(minuteMs);
    await reported;
    expect(world.sessions.state(id)).toBe('connected');
  });

  it('of a closed link change nothing', async () => {
    const world = await createWorld();
    const id = await sessionIn('connected', world);
    await world.sessions.stop();
    await world.links.of(id).report(linkFact('ConnectionLost', 1));
    expect(typesOf(await eventsOf(world, id))).toEqual(['SessionCreated', 'LoggedIn']);
  });

  it('a link that throws ends nothing', async () => {
    const world = await createWorld();
    const id = await sessionIn('connected', world);
    const link = world.links.of(id);
    link.startQrLogin = () => {
      throw new Error('broken');
    };
    await link.report(linkFact('LoginLost', 1));
    expect(world.sessions.state(id)).toBe('qrPending');
  });
});

describe('erasure', () => {
  it('[SE11] waits for the link, then destroys the key, again and again if need be', async () => {
    const world = await createWorld();
    const id = await sessionIn('connected', world);
    let closed: () => void = () => {};
    world.links.of(id).closing = new Promise((resolve) => {
      closed = resolve;
    });
    world.sealer.failures.push(new StoreUnavailableError('away'), new StoreUnavailableError('away'));
    await world.sessions.delete(id);
    await world.clock.settle();
    expect([world.sessions.state(id), world.sealer.keys.has(id)]).toEqual(['deleted', true]);
    closed();
    await world.clock.advance(2_999);
    expect([world.sessions.state(id), world.sealer.keys.has(id)]).toEqual(['deleted', true]);
    await world.clock.advance(1);
    expect([world.sessions.state(id), world.sealer.keys.has(id)]).toEqual([undefined, false]);
  });

  it('[SE11] does not wait for ever for a link that does not close', async () => {
    const world = await createWorld();
    const id = await sessionIn('connected', world);
    world.links.of(id).closing = new Promise(() => {});
    await world.sessions.delete(id);
    await world.clock.advance(minuteMs);
    expect(world.sealer.keys.has(id)).toBe(false);
  });

  it('[SE11] is finished by the next process, through a link that logs out', async () => {
    const world = await createWorld();
    const id = await sessionIn('connected', world);
    const alive = await sessionIn('connected', world);
    world.links.of(id).closing = new Promise(() => {});
    await world.sessions.delete(id);
    const next = await world.restart();
    expect(next.links.of(id).told).toEqual(['logOut', 'close']);
    expect([...world.sealer.keys]).toEqual([alive]);
    expect([next.sessions.state(id), next.sessions.state(alive)]).toEqual([undefined, 'disconnected']);
  });

  it('[SE11] takes the key of a creation that was cut off', async () => {
    const world = await createWorld();
    world.faults.push({ kind: 'slow-before' });
    void failureOf(world.sessions.create({}));
    await world.clock.settle();
    expect(world.sealer.keys.size).toBe(1);
    await world.restart();
    expect(world.sealer.keys.size).toBe(0);
  });
});

describe('start', () => {
  it('[SE7] takes every live session up as it was left', async () => {
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

  it('[AU2] a session that is not active yet is loading, and takes no command', async () => {
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

  it('leaves a session alone that it cannot read', async () => {
    const world = await createWorld();
    await world.below.append('session-odd', 'no-stream', [{ id: 'x', type: 'Odd', data: {}, metadata: {} }]);
    await world.sealer.createKey('odd');
    const next = await world.restart();
    expect(next.sessions.state('odd')).toBe('loading');
    expect(world.sealer.keys.has('odd')).toBe(true);
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
