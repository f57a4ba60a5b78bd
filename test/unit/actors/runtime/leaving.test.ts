import { describe, expect, it } from 'vitest';
import { allPartitions } from '../../../../actors/ports/ownership.ts';
import { SessionNotActiveError } from '../../../../actors/runtime/sessions.ts';
import { eventsOf, minuteMs, sessionIn, typesOf } from '../../../support/actors/sessions-world.ts';
import { createSharedWorlds } from '../../../support/actors/shared-world.ts';
import { failureOf } from '../../../support/kit/failure-of.ts';
import { createGate } from '../../../support/kit/gate.ts';
import { holdNextRead } from '../../../support/store/hold-next-read.ts';

/** What is under way for a session while its partition leaves: `one` gives it up, and still has the lease. */

describe('a session whose partition leaves', () => {
  it('[CL2.25] is not begun again by a read that ends while it leaves', async () => {
    const { clock, one } = await createSharedWorlds();
    const id = await sessionIn('connected', one);
    const answer = holdNextRead(one.store);
    // Another writer has appended, it seems: the session is read again.
    one.sessions.foundRecorded(id, 99);
    await clock.settle();
    // The other parts of the process release it later: the lease is still held.
    await one.sessions.release(allPartitions);
    answer.open();
    await clock.settle();
    expect(one.links.all.map(({ told }) => told.at(-1))).toEqual(['close']);
    expect(typesOf(await eventsOf(one, id))).toEqual(['SessionCreated', 'LoggedIn']);
  });

  it('[CL2.25] is not begun by a read that ends after its partition was given up', async () => {
    const { clock, one, two } = await createSharedWorlds();
    const answer = holdNextRead(one.store);
    // A process that had the partition before records the session's creation late.
    Object.assign(two, { isOwner: true, epoch: 0 });
    await sessionIn('connected', two);
    await two.release();
    await one.sessions.release(allPartitions);
    answer.open();
    await clock.settle();
    expect(one.links.all).toEqual([]);
  });

  it('[CL2.25] is not begun again by the search for unfinished erasures', async () => {
    const { clock, one } = await createSharedWorlds();
    await one.sealer.createKey('never recorded');
    const id = await sessionIn('connected', one);
    await one.release();
    const answer = holdNextRead(one.store);
    await one.take(1);
    await one.sessions.release(allPartitions);
    answer.open();
    await clock.advance(2_000);
    expect(typesOf(await eventsOf(one, id))).toEqual(['SessionCreated', 'LoggedIn', 'OwnerChanged']);
    expect(one.links.of(id).told).toEqual(['connect 1', 'giveUpLogOuts', 'close']);
    expect(one.sealer.keys.has('never recorded')).toBe(true);
  });

  it('[CL2.25] has no connection if it was being created', async () => {
    const { clock, one } = await createSharedWorlds();
    const sealing = createGate();
    const createKey = one.sealer.createKey.bind(one.sealer);
    one.sealer.createKey = async (id) => {
      await sealing.passed;
      await createKey(id);
    };
    const creating = failureOf(one.sessions.create({}, undefined, { botToken: '1:a' }));
    await clock.settle();
    await one.sessions.release(allPartitions);
    sealing.open();
    expect(await creating).toBeInstanceOf(SessionNotActiveError);
    expect(one.links.all).toEqual([]);
  });

  it('[CL2.25] keeps its vault for its next owner if its creation fails by that', async () => {
    const { clock, one } = await createSharedWorlds();
    const trial = createGate();
    one.links.proxyTrial = async () => {
      await trial.passed;
      throw new Error('the session is closing');
    };
    const creating = failureOf(one.sessions.create({}, undefined, undefined, 'socks5://127.0.0.1:1'));
    await clock.settle();
    await one.sessions.release(allPartitions);
    trial.open();
    await creating;
    await clock.settle();
    expect(one.sealer.keys.size).toBe(1);
  });

  it('[CL2.25] records nothing that waits if its lease is lost while it leaves', async () => {
    const { clock, one } = await createSharedWorlds();
    const id = await sessionIn('connected', one);
    one.faults.push({ kind: 'slow-before' });
    const first = one.sessions.setWebhook(id, { url: 'https://receiver.test/1', token: 'a token' });
    const second = failureOf(one.sessions.setWebhook(id, { url: 'https://receiver.test/2', token: 'a token' }));
    const leaving = one.sessions.release(allPartitions);
    await clock.settle();
    const losing = one.sessions.release(allPartitions, true);
    one.store.release();
    await Promise.all([failureOf(first), second, leaving, losing]);
    await clock.settle();
    expect(typesOf(await eventsOf(one, id))).toEqual(['SessionCreated', 'LoggedIn', 'WebhookSet']);
  });

  it('[CL4.3] leaves without the answer to its log-out', async () => {
    const { clock, one } = await createSharedWorlds();
    const id = await sessionIn('connected', one);
    const answer = createGate();
    one.links.whileClosing = () => answer.passed;
    one.links.of(id).giveUpLogOuts = () => answer.open();
    await one.sessions.delete(id);
    await clock.settle();
    await one.release();
    expect(one.sealer.keys.has(id)).toBe(true);
  });

  it('[CL2.23] is logged out no more by its former owner', async () => {
    const { clock, one } = await createSharedWorlds();
    const id = await sessionIn('connected', one);
    one.sealer.keptLogOuts.set(id, clock.now() + 60 * minuteMs);
    await one.sessions.delete(id);
    await clock.advance(10 * minuteMs);
    const tries = one.links.all.length;
    expect(tries).toBeGreaterThan(1);
    await one.sessions.release(allPartitions);
    await clock.advance(10 * minuteMs);
    expect(one.links.all).toHaveLength(tries);
  });

  it('[CL3.4] has no connection while another log-out waits for its answer', async () => {
    const { clock, one } = await createSharedWorlds();
    const id = await sessionIn('connected', one);
    one.sealer.keptLogOuts.set(id, clock.now() + 60 * minuteMs);
    await one.sessions.delete(id);
    await clock.settle();
    one.links.whileClosing = () => new Promise(() => {});
    await clock.advance(10_000);
    expect(one.links.of(id).told).toEqual(['logOut', 'close']);
    await one.sessions.release(allPartitions);
    expect(one.links.of(id).told).toEqual(['logOut', 'close', 'giveUpLogOuts']);
  });
});

describe('a session whose partition comes', () => {
  it('[CL2.8] is here also if it was recorded since the list of sessions was made', async () => {
    const { clock, one, two } = await createSharedWorlds({ unfinishedErasures: async function* none() {} });
    await sessionIn('connected', one);
    await one.release();
    // The event of another session's owner is recorded late: that is what the taking waits for.
    two.faults.push({ kind: 'slow-before' });
    const taking = two.take(1);
    await clock.settle();
    one.isOwner = true;
    const late = await sessionIn('connected', one);
    await one.release();
    two.store.release();
    await taking;
    expect(two.links.of(late).told).toEqual(['connect 1']);
  });

  it('[CL2.8] has begun also if the sessions could not be read once', async () => {
    const { clock, one, two } = await createSharedWorlds();
    const id = await sessionIn('connected', one);
    await one.release();
    const lastOfEach = two.store.lastOfEach.bind(two.store);
    two.store.lastOfEach = () => {
      throw new TypeError('a defect');
    };
    Object.assign(two, { isOwner: true, epoch: 1 });
    await expect(two.sessions.take({ ...allPartitions })).rejects.toThrow('a defect');
    await two.release();
    two.store.lastOfEach = lastOfEach;
    await two.take(2);
    await clock.settle();
    expect(two.sessions.haveAllStarted()).toBe(true);
    expect(two.links.of(id).told).toEqual(['connect 1']);
  });
});
