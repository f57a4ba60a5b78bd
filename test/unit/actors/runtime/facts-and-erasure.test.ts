import { describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../../../actors/ports/event-store.ts';
import { linkFact } from '../../../support/actors/scripted-link.ts';
import { away, createWorld, eventsOf, minuteMs, sessionIn, typesOf } from '../../../support/actors/sessions-world.ts';
import { failureOf } from '../../../support/kit/failure-of.ts';

describe('facts of Telegram', () => {
  it('[SE11.1] are sealed, bound to their event', async () => {
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

  it('[SE9.1] a login that is lost: a new QR at once, and the old one says no more', async () => {
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

  it('[SE8.2] repeated failures fold into one disconnected state', async () => {
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
  it('[SE11.2] waits for the link, then destroys the key, again and again if need be', async () => {
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
    // The first two waits of `storeAway`: up to 250 and 500 ms, at least half of that.
    await world.clock.advance(374);
    expect([world.sessions.state(id), world.sealer.keys.has(id)]).toEqual(['deleted', true]);
    await world.clock.advance(376);
    expect([world.sessions.state(id), world.sealer.keys.has(id)]).toEqual([undefined, false]);
  });

  it('[OP2.2] leaves to the next start what is not erased when the process stops, and no timer', async () => {
    const world = await createWorld();
    const id = await sessionIn('connected', world);
    world.sealer.failures.push(...Array.from({ length: 9 }, () => new StoreUnavailableError('away')));
    await world.sessions.delete(id);
    await world.clock.advance(1_000);
    expect(world.clock.armed()).toBe(1);
    await world.sessions.stop();
    expect([world.clock.armed(), world.sealer.keys.has(id)]).toEqual([0, true]);
  });

  it('[SE11.2] logs out up to 16 sessions at a time', async () => {
    const world = await createWorld();
    const ids: string[] = [];
    for (let count = 0; count < 20; count += 1) ids.push(await sessionIn('connected', world));
    let close: () => void = () => {};
    const closing = new Promise<void>((resolve) => {
      close = resolve;
    });
    for (const id of ids) world.links.of(id).closing = closing;
    for (const id of ids) await world.sessions.delete(id);
    const closed = (): number => ids.filter((id) => world.links.of(id).told.includes('close')).length;
    expect(closed()).toBe(16);
    close();
    await world.clock.settle();
    expect([closed(), world.sealer.keys.size]).toEqual([20, 0]);
  });

  it('[SE11.2] does not wait for ever for a link that does not close', async () => {
    const world = await createWorld();
    const id = await sessionIn('connected', world);
    world.links.of(id).closing = new Promise(() => {});
    await world.sessions.delete(id);
    await world.clock.advance(minuteMs);
    expect(world.sealer.keys.has(id)).toBe(false);
  });

  it('[SE11.2] is finished by the next process, through a link that logs out', async () => {
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

  it('[SE11.2] takes the key of a creation that was cut off', async () => {
    const world = await createWorld();
    world.faults.push({ kind: 'slow-before' });
    void failureOf(world.sessions.create({}));
    await world.clock.settle();
    expect(world.sealer.keys.size).toBe(1);
    await world.restart();
    // A stream that is not there is looked for twice.
    expect(world.sealer.keys.size).toBe(1);
    await world.clock.advance(1_000);
    expect(world.sealer.keys.size).toBe(0);
  });
});
