import { describe, expect, it } from 'vitest';
import { type RecordedEvent } from '../../../../actors/ports/event-store.ts';
import { ActorStoppedError } from '../../../../actors/runtime/actor-stopped-error.ts';
import { SessionActor } from '../../../../actors/runtime/session-actor.ts';
import type { SessionFact } from '../../../../actors/session/events.ts';
import { replay } from '../../../../actors/session/replay.ts';
import {
  away,
  createActor,
  created,
  createWorld,
  id,
  loggedIn,
  lost,
  metadataOf,
  minuteMs,
  recorded,
  restart,
  sealed,
  stream,
} from '../../../support/actors/actor-world.ts';
import { failureOf } from '../../../support/kit/failure-of.ts';

describe('deadlines', () => {
  it.each([
    ['[SE4.1] ', 'QrTimedOut', 3, [] as SessionFact[], 'qr-timeout'],
    [
      '[SE5.1] ',
      'PasswordTimedOut',
      30,
      [{ type: 'PasswordRequested', login: 1, hint: sealed }] as SessionFact[],
      'password-timeout',
    ],
    ['[SE6.1] ', 'DisconnectedTimedOut', 30, [loggedIn, lost] as SessionFact[], 'disconnected-timeout'],
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

  it('[SE7.1] a QR deadline survives a restart', async () => {
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

  it('[SE7.1] a deadline that passed while nothing ran fires at once, and says how late', async () => {
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

  it('[SE7.2] the downtime of the service is no disconnected time', async () => {
    const world = createWorld();
    (await createActor(world, loggedIn, lost)).stop();
    await world.clock.advance(60 * minuteMs);
    const actor = await restart(world);
    await actor.resume();
    expect([actor.state, world.seen.at(-1)]).toEqual(['disconnected', 'paced connect 1']);
    await world.clock.advance(30 * minuteMs - 1);
    expect(actor.state).toBe('disconnected');
    await world.clock.advance(1);
    expect(actor.state).toBe('deleted');
    expect(metadataOf((await recorded(world)).at(-2)).reason).toBe('gateway-restart');
  });

  it('[SE4.1] what is recorded without leaving the state does not touch its deadline', async () => {
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

  it('[SE2.2] a reset gives a fresh 3 minutes', async () => {
    const world = createWorld();
    const actor = await createActor(world);
    await world.clock.advance(2 * minuteMs);
    await actor.send({ type: 'SessionReset' });
    await world.clock.advance(3 * minuteMs - 1);
    expect(actor.state).toBe('qrPending');
    await world.clock.advance(1);
    expect(actor.state).toBe('deleted');
  });

  it('[SE4.1] a deadline is recorded when the store is back', async () => {
    const world = createWorld();
    const actor = await createActor(world);
    for (let outage = 0; outage < 2; outage += 1) world.faults.push(...away('fails-before'));
    await world.clock.advance(3 * minuteMs + 1_600);
    expect(actor.state).toBe('qrPending');
    await world.clock.advance(30_000);
    expect(actor.state).toBe('deleted');
    expect(metadataOf((await recorded(world)).at(-1)).lateMs).toBeGreaterThan(0);
  });

  it('[SE7.1] a timer that comes early, because the wall clock was set back, is waited out', async () => {
    const world = createWorld();
    let setBackMs = 0;
    const clock = { ...world.clock, now: () => world.clock.now() - setBackMs };
    const actor = new SessionActor(id, { ...world.around, clock });
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
    expect(world.seen).toEqual(['paced logOut 1', 'paced startQrLogin 2']);
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
    expect(world.seen).toEqual([`paced ${effect}`]);
    expect(world.clock.armed()).toBe(1);
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

  it('[AD6.1] finds no drift in what an actor wrote', async () => {
    const events = await lived();
    expect(await replay(events)).toEqual({ events: 10, drift: [], last: events.at(-1)?.metadata });
  });

  it('[AD6.1] starts from what is left of a truncated stream', async () => {
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
  ])('[AD6.2] finds %s', async (_what, at, change, problem) => {
    const events = await lived();
    const event = events[at] as RecordedEvent;
    events[at] = { ...event, metadata: { ...(event.metadata as object), ...change } };
    const { drift } = await replay(events);
    expect(drift[0]).toMatchObject({ stream, revision: at, type: event.type });
    expect(drift[0]?.problem).toMatch(problem);
  });

  it('[AD6.2] finds a record of something that changes nothing', async () => {
    const events = await lived();
    const odd = { ...(events[1] as RecordedEvent), data: { login: 7, link: sealed, expires: 1 } };
    expect((await replay(events.with(1, odd))).drift[0]?.problem).toMatch('changes nothing in qrPending');
  });

  it('[AD6.2] finds a life that does not begin with its creation', async () => {
    const [first, second] = (await lived()) as [RecordedEvent, RecordedEvent];
    const odd = [{ ...second, revision: 0 }, first];
    expect((await replay(odd)).drift).toHaveLength(2);
  });
});
