import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type RecordedEvent, StoreUnavailableError } from '../../../../actors/ports/event-store.ts';
import { SessionNotFoundError } from '../../../../actors/runtime/sessions.ts';
import type { SealedWebhook } from '../../../../actors/session/events.ts';
import { linkFact } from '../../../support/actors/scripted-link.ts';
import {
  away,
  createWorld,
  deadlinesOf,
  eventsOf,
  liveStates,
  minuteMs,
  sessionIn,
  typesOf,
} from '../../../support/actors/sessions-world.ts';
import { failureOf } from '../../../support/kit/failure-of.ts';

describe('create', () => {
  it('[AU1.1] [AU1.2] gives a UUIDv7 and a secret of 32 bytes, of which only the hash is kept', async () => {
    const world = await createWorld();
    const { id, sessionId } = await world.sessions.create({});
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Buffer.from(sessionId, 'base64url')).toHaveLength(32);
    const [event] = await eventsOf(world, id);
    expect(event?.data).toEqual({ secretHash: createHash('sha256').update(sessionId).digest('hex') });
    expect(JSON.stringify([event?.data, event?.metadata])).not.toContain(sessionId);
  });

  it('[SE11.1] seals what the caller gives, bound to its event', async () => {
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

  it('[SE1.2] answers with the position of its record, and has the QR login started', async () => {
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
  it.each(liveStates)('[SE2.1] reset in %s: logged out, and a fresh QR', async (state) => {
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

  it.each(liveStates)('[SE3.1] delete in %s: recorded, logged out, erased, gone', async (state) => {
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

  it('[SE3.1] a second delete on the heels of the first finds nothing', async () => {
    const world = await createWorld();
    const id = await sessionIn('connected', world);
    const second = [world.sessions.delete(id), failureOf(world.sessions.delete(id))];
    expect(await second[0]).toHaveProperty('position');
    expect(await second[1]).toBeInstanceOf(SessionNotFoundError);
    expect(typesOf(await eventsOf(world, id)).filter((type) => type === 'SessionDeleted')).toHaveLength(1);
  });

  it('[LG2.3] the login is given away once it is recorded and dropped, never before', async () => {
    const world = await createWorld();
    const id = await sessionIn('connected', world);
    const link = world.links.of(id);
    let dropped = (): void => {};
    link.dropping = new Promise((resolve) => {
      dropped = resolve;
    });
    let given: unknown;
    void world.sessions.exportLogin(id, 'mtcute').then((answer) => {
      given = answer;
    });
    await world.clock.settle();
    const last = await world.below.last(`session-${id}`);
    expect(last).toMatchObject({ type: 'LoginExported', data: { login: 1, format: 'mtcute' } });
    expect(JSON.stringify([last?.data, last?.metadata])).not.toContain('the string');
    expect(link.told.slice(-2)).toEqual(['dropLogin', 'startQrLogin 2']);
    expect(given).toBeUndefined();
    dropped();
    await world.clock.settle();
    expect(given).toEqual({ text: 'the string of 1 for mtcute', position: last?.position });
    const next = await world.restart();
    expect(next.sessions.state(id)).toBe('qrPending');
    expect(next.links.of(id).told).toEqual(['dropLogin', 'startQrLogin 2']);
  });

  it('[LG2.3] no login is given away that could not be recorded', async () => {
    const world = await createWorld();
    const id = await sessionIn('connected', world);
    world.faults.push(...away('fails-before'));
    const failure = failureOf(world.sessions.exportLogin(id, 'gramjs'));
    await world.clock.advance(2_000);
    expect(await failure).toBeInstanceOf(StoreUnavailableError);
    expect(world.links.of(id).told).not.toContain('dropLogin');
    expect(world.sessions.state(id)).toBe('connected');
  });

  it.each(liveStates.filter((state) => state !== 'connected'))(
    '[LG2.4] no login is given away in %s',
    async (state) => {
      const world = await createWorld();
      const id = await sessionIn(state, world);
      expect(await world.sessions.exportLogin(id, 'gramjs')).toMatchObject({ text: undefined });
      expect(world.links.of(id).told).not.toContain('dropLogin');
    },
  );

  it.each(liveStates)('[WH1.1] the webhook is set in %s, and the deadline stays', async (state) => {
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

  it('[WH4.5] the webhook that is to be turned off is the one that was meant, not one that was set since', async () => {
    const world = await createWorld();
    const id = await sessionIn('connected', world);
    const webhook = { url: 'https://example.org', token: 't' };
    const last = (): Promise<RecordedEvent | undefined> => world.below.last(`session-${id}`);
    const recorded = async (): Promise<SealedWebhook> => {
      const { data } = (await last()) ?? {};
      return (data as unknown as { webhook: SealedWebhook }).webhook;
    };
    await world.sessions.setWebhook(id, webhook);
    const first = await recorded();
    // Everything within the same millisecond.
    const [, dropped] = await Promise.all([
      world.sessions.setWebhook(id, webhook),
      world.sessions.dropWebhook(id, first, 'receiver-gone'),
    ]);
    expect(dropped).toBe(false);
    const second = await recorded();
    expect(second).not.toBeNull();
    expect(await world.sessions.dropWebhook(id, second, 'receiver-gone')).toBe(true);
    expect((await last())?.data).toEqual({ webhook: null, reason: 'receiver-gone' });
    expect(await world.sessions.dropWebhook(id, second, 'receiver-gone')).toBe(false);
    await world.sessions.reset(id, { webhook });
    expect(await world.sessions.dropWebhook(id, second, 'receiver-gone')).toBe(false);
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

  it('[SE5.1] does not hold the deadline up: a deleted session is not found', async () => {
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
