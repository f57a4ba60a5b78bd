import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UntoldSessionError } from '../../../../src/webhook/operators/operator-replay.ts';
import { linkFact } from '../../../support/actors/scripted-link.ts';
import { OperatorsWorld } from '../../../support/webhook/operators-world.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

let world: OperatorsWorld;
beforeEach(async () => {
  world = await new OperatorsWorld().begin();
});
afterEach(() => world.end());

async function session(settings: object = {}): Promise<string> {
  await world.clock.advance(1);
  const { id, position } = await world.sessions.create(settings);
  await world.views.waitFor(position);
  await world.links.of(id).report(linkFact('LoggedIn', 1));
  return id;
}
const report = (id: string, type: 'ConnectionLost' | 'ConnectionRestored'): Promise<unknown> =>
  world.links.of(id).report(linkFact(type, 1));
const told = (path: string, id?: string) =>
  world
    .at(path)
    .filter(({ session: { id: of } }) => id === undefined || of === id)
    .map(({ type }) => type.replace('session.', ''));

describe('an operators’ webhook', () => {
  it('[EV2.6] is told of all sessions, in order and numbered for each; nothing of their accounts', async () => {
    const before = await session();
    await world.add('/ops');
    const one = await session({ externalId: 'customer-1' });
    const two = await session();
    await report(one, 'ConnectionLost');
    await report(before, 'ConnectionLost');
    await world.sessions.delete(one);
    await world.settle();
    expect(told('/ops', one)).toEqual(['connected', 'disconnected', 'deleted']);
    expect(told('/ops', two)).toEqual(['connected']);
    expect(told('/ops', before)).toEqual(['disconnected']);
    const [connected, disconnected, deleted] = world.at('/ops').filter((payload) => payload.session.id === one);
    expect([connected, disconnected, deleted]).toMatchObject([
      { seq: 2, previous: 0, data: { state: 'connected', reason: 'logged-in', deadline: '' } },
      { seq: 3, previous: 2, data: { state: 'disconnected', reason: 'unreachable' } },
      { seq: 4, previous: 3, data: { reason: 'user' } },
    ]);
    const session1 = { id: one, generatedId: '', externalId: 'customer-1' };
    expect([connected?.session, deleted?.session]).toEqual([session1, session1]);
    expect(world.received.find(({ path }) => path === '/hook/ops')?.headers['webhook-signature']).toMatch(/^v1,/);
    expect(JSON.stringify(world.at('/ops'))).not.toContain('Ada');
  });

  it('[EV2.7] with a tenant is told of its sessions alone, and of what it asks for', async () => {
    await world.add('/acme', { tenant: 'acme', events: ['session.deleted', 'session.connected'] });
    const own = await session({ tenant: 'acme' });
    const other = await session();
    for (const id of [own, other]) await report(id, 'ConnectionLost');
    for (const id of [own, other]) await world.sessions.delete(id);
    await world.settle();
    expect(told('/acme', own)).toEqual(['connected', 'deleted']);
    expect(told('/acme')).toHaveLength(2);
  });

  it('[EV2.6] goes on at its place after a crash: each event once by its ID, in order', async () => {
    await world.add('/ops');
    const ids = [await session(), await session(), await session()];
    for (let round = 1; round <= 4; round += 1) {
      for (const id of ids) await report(id, 'ConnectionLost');
      for (const id of ids) await report(id, 'ConnectionRestored');
      if (round % 2 === 0) await world.pass(1_000);
      await world.kill();
      await world.start();
      for (const id of ids) await report(id, 'ConnectionRestored');
      await world.settle();
    }
    for (const id of ids) {
      const own = [
        ...new Map(
          world
            .at('/ops')
            .filter((one) => one.session.id === id)
            .map((one) => [one.id, one]),
        ).values(),
      ];
      const round = ['disconnected', 'connected', 'disconnected', 'connected'];
      expect(own.map(({ type }) => type.replace('session.', ''))).toEqual([
        'connected',
        ...[1, 2, 3, 4].flatMap(() => round),
      ]);
      expect(own.map(({ previous }) => previous)).toEqual([0, ...own.slice(0, -1).map(({ seq }) => seq)]);
    }
  });

  it('[EV2.6] that does not answer delays no other; what it missed is retried, and parked after 24 hours', async () => {
    world.behaviour = (response, { path }) => {
      if (path === '/hook/dead') response.statusCode = 500;
      response.end();
    };
    const dead = await world.add('/dead');
    await world.add('/ops');
    const ids = [await session(), await session()];
    for (const id of ids) await report(id, 'ConnectionLost');
    await world.settle();
    expect(told('/ops')).toHaveLength(4);
    expect(world.operators.status(dead)).toMatchObject({
      pending: 4,
      lastError: 'it answered with status 500',
      parked: 0,
    });
    world.behaviour = (response) => response.end();
    await world.pass(minuteMs);
    for (const id of ids) expect([...new Set(told('/dead', id))]).toEqual(['connected', 'disconnected']);
    expect(world.operators.status(dead)).toMatchObject({ pending: 0, nextAttempt: undefined });

    world.behaviour = (response) => {
      response.statusCode = 500;
      response.end();
    };
    await report(ids[0] ?? '', 'ConnectionRestored');
    await world.pass(dayMs + 60 * minuteMs);
    expect(world.operators.status(dead).parked).toBeGreaterThan(0);
    expect(world.operators.parked(dead)[0]).toMatchObject({
      session: ids[0],
      seq: 4,
      error: 'it answered with status 500',
    });
  });

  it('[EV2.9] sends once more what was given up, or some of a session, over a crash and beside what is new', async () => {
    const refuse = (response: ServerResponse): void => void response.writeHead(500).end();
    const webhook = await world.add('/ops');
    const id = await session();
    await report(id, 'ConnectionLost');
    await report(id, 'ConnectionRestored');
    await world.settle();
    world.behaviour = refuse;
    await report(id, 'ConnectionLost');
    await report(id, 'ConnectionRestored');
    await world.pass(dayMs + 60 * minuteMs);
    expect(world.operators.status(webhook)).toMatchObject({ pending: 0, parked: 2 });
    const first = world.at('/ops');

    expect(await world.operators.replay(webhook, { parked: true })).toBe(true);
    await world.operators.replay(webhook, { session: id, seqs: [2, 3, 1, 99] });
    // Twice is once.
    await world.operators.replay(webhook, { session: id, from: 3, to: 3 });
    await world.settle();
    expect(world.operators.status(webhook)).toMatchObject({ pending: 4, parked: 0 });
    await world.kill();
    await world.start();
    world.received.length = 0;
    world.behaviour = (response) => response.end();
    await report(id, 'ConnectionLost');
    await world.pass(minuteMs);
    const again = world.at('/ops').map(({ seq, previous, id: event }) => [seq, previous, event]);
    const asBefore = (wanted: number): unknown => {
      const one = first.find(({ seq }) => seq === wanted);
      return [one?.seq, one?.previous, one?.id];
    };
    expect(again.filter(([seq]) => Number(seq) <= 6)).toEqual([2, 3, 5, 6].map(asBefore));
    // What is new comes once, after the one that was given up.
    expect(again.filter(([seq]) => Number(seq) > 6).map(([seq, previous]) => [seq, previous])).toEqual([[7, 6]]);
    expect(world.operators.status(webhook)).toMatchObject({ pending: 0, parked: 0 });
    world.received.length = 0;
    await world.operators.replay(webhook, { session: id, from: 4 });
    await world.settle();
    expect(world.at('/ops').map(({ seq }) => seq)).toEqual([4, 5, 6, 7]);
    await expect(world.operators.replay(webhook, { session: 'unknown', from: 1 })).rejects.toThrow(UntoldSessionError);
  });

  it('[EV2.10] is measured: what waits, since when, and what became of each attempt', async () => {
    await world.add('/ops');
    world.behaviour = (response) => void response.writeHead(500).end();
    await session();
    await world.settle();
    expect(world.operators.backlog).toMatchObject({ pending: 1, oldestAt: world.clock.now(), failed: 1, delivered: 0 });
    world.behaviour = (response) => response.end();
    await world.pass(minuteMs);
    expect(world.operators.backlog).toEqual({ pending: 0, oldestAt: undefined, delivered: 1, failed: 1, parked: 0 });
  });

  it('[EV2.8] waits while its key may not be used, and goes on when another one sets it', async () => {
    const webhook = await world.add('/ops', { keyId: 'key-1' });
    const id = await session();
    world.endKey('key-1');
    await world.settle();
    await report(id, 'ConnectionLost');
    await world.settle();
    expect([told('/ops'), world.operators.isPaused(webhook)]).toEqual([['connected'], true]);
    const endpoint = { url: `${world.url}/other`, token: undefined };
    await world.operators.change(webhook.id, { endpoint, events: webhook.events, keyId: 'key-2' }, 'another');
    await world.settle();
    expect(told('/other')).toEqual(['disconnected']);
    expect(world.received.at(-1)?.headers['x-token']).toBe('token');
  });

  it('[EV2.6] that answers 410 is removed, and nothing is left of it', async () => {
    const { id } = await world.add('/gone');
    world.behaviour = (response) => {
      response.statusCode = 410;
      response.end();
    };
    await session();
    await world.settle();
    await world.pass(1_000);
    expect(world.operators.book.list()).toEqual([]);
    expect([await world.store.last(`webhook-${id}`), await world.store.last(`place-${id}`)]).toEqual([
      undefined,
      undefined,
    ]);
  });
});
