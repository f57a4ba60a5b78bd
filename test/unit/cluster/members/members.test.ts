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
  const hear = (name: string, type: string, data: Json): boolean => {
    members.listened();
    const place = { stream: `node-${name}`, revision: 0, position: 1n, created: 0 };
    return members.hear({ id: name, type, data, metadata: { at: 1 }, ...place } satisfies RecordedEvent);
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
