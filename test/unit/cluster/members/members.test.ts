import { expect, it } from 'vitest';
import type { Json, RecordedEvent } from '../../../../actors/ports/event-store.ts';
import { leaseTimes } from '../../../../src/cluster/leases/lease-times.ts';
import { Members } from '../../../../src/cluster/members/members.ts';
import { createDrivenClock } from '../../../support/kit/clock.ts';
import { allReadable } from '../../../support/store/all-readable.ts';

function setUp() {
  const clock = createDrivenClock();
  const self = { name: 'me', url: 'http://me.test', version: '1', startedAt: 1 };
  const members = new Members({ clock, reportUnreadable: allReadable, times: leaseTimes(15_000), self });
  /** @returns whether a node is there that was not */
  const hear = (name: string, type: string, data: Json): boolean => {
    members.listened();
    const place = { stream: `node-${name}`, revision: 0, position: 1n, created: 0 };
    const recorded = { id: name, type, data, metadata: { at: 1 }, ...place } satisfies RecordedEvent;
    return members.hear(recorded)?.isNew ?? false;
  };
  const seen = (name: string, state = 'active'): boolean =>
    hear(name, 'NodeSeen', { url: `http://${name}.test`, version: '1', startedAt: 1, state, lifeMs: 15_000 });
  return { clock, members, hear, seen };
}

const names = (members: Members): string[] => members.live().map(({ node }) => node.name);

it('[CL1.1] a node is there from its first word on, and gone when it is silent for a life', async () => {
  const { clock, members, seen } = setUp();
  expect([seen('b'), seen('b'), seen('me')]).toEqual([true, false, false]);
  for (let beats = 0; beats < 2; beats += 1) {
    await clock.advance(5_000);
    members.listened();
  }
  expect(members.live()).toMatchObject([{ node: { name: 'b' }, heardOfMsAgo: 10_000 }]);
  expect(members.nextChangeAt - clock.elapsed()).toBe(5_000);
  await clock.advance(5_000);
  expect([names(members), members.nodeOf('b'), seen('b')]).toEqual([[], undefined, true]);
});

it('[CL1.8] a node is late a second after its heartbeat was due, or after a lease named it, and then each second', async () => {
  const { clock, members, seen } = setUp();
  const lateAfter = async (ms: number): Promise<readonly string[]> => {
    await clock.advance(ms);
    members.listened();
    return members.late().map(({ name }) => name);
  };
  seen('b');
  members.mention('c');
  expect(await lateAfter(999)).toEqual([]);
  expect(await lateAfter(1)).toEqual(['c']);
  expect(await lateAfter(999)).toEqual([]);
  seen('c', 'joining');
  expect(await lateAfter(4_000)).toEqual([]);
  expect([await lateAfter(1), await lateAfter(999), await lateAfter(1)]).toEqual([['b'], [], ['b']]);
  expect(members.nextChangeAt - clock.elapsed()).toBe(999);
  expect(await lateAfter(999)).toEqual(['c']);
});

it('[CL1.8] a node that has not told all its leases is late each second, and overdue as others are', async () => {
  const { clock, members, seen } = setUp();
  seen('b');
  members.toldInPart('b');
  const late: (readonly [number, boolean])[] = [];
  for (let ms = 0; ms <= 7_000; ms += 500) {
    members.listened();
    for (const { isOverdue } of members.late()) late.push([ms, isOverdue]);
    await clock.advance(500);
  }
  expect(late).toEqual([
    [1_000, false],
    [2_000, false],
    [3_000, false],
    [4_000, false],
    [5_000, false],
    [6_000, true],
    [7_000, true],
  ]);
});

it('[CL1.8] after a time in which nothing could be heard, a heartbeat may be old: its node is overdue a second later', async () => {
  const { clock, members, seen } = setUp();
  seen('b');
  await clock.advance(20_000);
  seen('b');
  await clock.advance(1_000);
  expect(members.late()).toEqual([{ name: 'b', isOverdue: true }]);
  seen('b');
  await clock.advance(1_000);
  expect(members.late()).toEqual([]);
});

it('[CL1.8] a node of another life is late by its own: a second after its heartbeat was due, if the life is short', async () => {
  const { clock, members, hear } = setUp();
  hear('b', 'NodeSeen', { url: 'http://b.test', version: '1', startedAt: 1, state: 'active', lifeMs: 3_000 });
  await clock.advance(1_800);
  expect(members.late()).toEqual([]);
  await clock.advance(50);
  expect(members.late()).toEqual([{ name: 'b', isOverdue: true }]);
});

it('[CL1.1] while nothing is heard, there is nothing to wait for that only an event can bring', async () => {
  const { clock, members, seen } = setUp();
  await clock.advance(500);
  seen('b');
  await clock.advance(6_250);
  members.late();
  expect(members.nextChangeAt).toBe(Infinity);
});

it('[CL1.8] a node that has left is late a second later: it may not have released a lease', async () => {
  const { clock, members, hear, seen } = setUp();
  seen('b');
  hear('b', 'NodeLeft', {});
  await clock.advance(999);
  expect(members.late()).toEqual([]);
  await clock.advance(1);
  expect(members.late()).toEqual([{ name: 'b', isOverdue: true }]);
});

it('[CL1.1] of time in which nothing is heard, only a moment counts', async () => {
  const { clock, members, seen } = setUp();
  seen('b');
  await clock.advance(600_000);
  expect(names(members)).toEqual(['b']);
  members.listened();
  expect(names(members)).toEqual(['b']);
});

it('[CL4.1] those who join are placed, those who leave are not; nothing is given to either', () => {
  const { members, hear, seen } = setUp();
  seen('b');
  seen('c', 'joining');
  seen('d', 'leaving');
  expect(members.placements(true).names).toEqual(['b', 'c', 'me']);
  expect(members.placements(true)).toBe(members.placements(true));
  expect(members.placements(false).names).toEqual(['b', 'c']);
  expect(['b', 'c', 'd'].map((name) => members.takesShare(name))).toEqual([true, false, false]);
  hear('b', 'NodeLeft', {});
  expect(names(members)).toEqual(['c', 'd']);
});

it('[CL4.1] nothing is given to a node that has missed two heartbeats, though it is still placed', async () => {
  const { clock, members, seen } = setUp();
  seen('b');
  for (const [waitMs, takesShare] of [
    [5_000, true],
    [4_999, true],
    [1, false],
  ] as const) {
    await clock.advance(waitMs);
    members.listened();
    expect([members.takesShare('b'), names(members)]).toEqual([takesShare, ['b']]);
  }
});

it('[CL1.2] the streams of nodes that are gone are named two lives later, of those too that a lease alone names', async () => {
  const { clock, members, seen } = setUp();
  seen('b');
  members.mention('b');
  members.mention('c');
  members.mention('me');
  for (let beats = 0; beats < 9; beats += 1) {
    expect(members.gone()).toEqual([]);
    await clock.advance(5_000);
    members.listened();
  }
  expect(members.gone()).toEqual(['b', 'c']);
  members.forget('b');
  expect(members.gone()).toEqual(['c']);
});
