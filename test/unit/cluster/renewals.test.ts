import { describe, expect, it } from 'vitest';
import { sleep } from '../../../actors/kit/sleep.ts';
import type { EventStore } from '../../../actors/ports/event-store.ts';
import { lifeMs, partitions, setUpMemoryNodes } from '../../support/cluster/memory-nodes.ts';
import { layerOver } from '../../support/store/layer-over.ts';

/** The node `a` is watched at the store. */
function setUp() {
  const nodes = setUpMemoryNodes();
  const { disk } = nodes;
  /** What the node `a` was sent through its subscription, and has read and tried. */
  const seenByA = { types: [] as string[], reads: 0, refused: 0 };
  const watched = layerOver(disk, {
    async append(...call) {
      try {
        return await disk.append(...call);
      } catch (error) {
        seenByA.refused += 1;
        throw error;
      }
    },
    last(stream) {
      seenByA.reads += 1;
      return disk.last(stream);
    },
    subscribeAll: ({ onEvent, ...options }) =>
      disk.subscribeAll({
        ...options,
        onEvent: (event) => {
          seenByA.types.push(event.type);
          return onEvent(event);
        },
      }),
  });
  return { ...nodes, watched, seenByA };
}

/** The heartbeats of a version that did not tell of leases yet. */
const withoutLeases = (store: EventStore): EventStore =>
  layerOver(store, {
    append: (stream, expected, events) =>
      store.append(
        stream,
        expected,
        events.map((event) => {
          if (event.type !== 'NodeSeen') return event;
          const { leases: _, ...data } = event.data as { [name: string]: string };
          return { ...event, data };
        }),
      ),
  });

describe('[CL1.8] renewals', () => {
  it('are told by heartbeats: no other node is sent them, or reads them', async () => {
    const { watched, seenByA, join, pass } = setUp();
    const [a, b] = [await join('a', watched), await join('b')];
    await pass(30_000);
    const shares = [a.served(), b.served()];
    expect(shares.flat()).toHaveLength(partitions);
    Object.assign(seenByA, { types: [], reads: 0, refused: 0 });
    await pass(60_000);
    expect(new Set(seenByA.types)).toEqual(new Set(['NodeSeen']));
    expect(seenByA).toMatchObject({ reads: 0, refused: 0 });
    expect([a.served(), b.served()]).toEqual(shares);
  });

  it('of a node that does not tell are read every second', async () => {
    const { disk, watched, seenByA, join, pass, takenOver } = setUp();
    const [a, b] = [await join('a', watched), await join('b', withoutLeases(disk))];
    await pass(30_000);
    const shares = [a.served(), b.served()];
    expect(shares.flat()).toHaveLength(partitions);
    Object.assign(seenByA, { reads: 0, refused: 0 });
    await pass(60_000);
    // The fifth step after a heartbeat is the next one's moment.
    expect(seenByA.reads).toBeGreaterThanOrEqual(4 * 12 * b.served().length);
    expect(seenByA.reads).toBeLessThanOrEqual(5 * 12 * b.served().length);
    expect([seenByA.refused, a.served(), b.served()]).toEqual([0, ...shares]);
    b.crash();
    expect(await takenOver(a)).toBeLessThanOrEqual(lifeMs + 3_000);
  });

  it('that take long are told by another heartbeat when they are recorded', async () => {
    const { clock, disk, watched, seenByA, join, pass } = setUp();
    const slow = layerOver(disk, {
      async append(stream, expected, events) {
        if (events[0]?.type === 'LeaseRenewed') await sleep(clock, 700);
        return disk.append(stream, expected, events);
      },
    });
    const [a, b] = [await join('a', watched), await join('b', slow)];
    await pass(30_000);
    expect([...a.served(), ...b.served()]).toHaveLength(partitions);
    Object.assign(seenByA, { types: [], reads: 0, refused: 0 });
    await pass(60_000);
    expect(seenByA).toMatchObject({ reads: 0, refused: 0 });
    expect(b.served().length).toBeGreaterThan(0);
    // Of each node one at each renewal, and of the slow one another.
    expect(seenByA.types).toHaveLength(12 * 3);
  });

  it('of one lease that take long are read until they are told, and no others', async () => {
    const { clock, disk, watched, seenByA, join, pass } = setUp();
    let slowStream = '';
    const slow = layerOver(disk, {
      async append(stream, expected, events) {
        if (stream === slowStream && events[0]?.type === 'LeaseRenewed') await sleep(clock, 2_600);
        return disk.append(stream, expected, events);
      },
    });
    const [a, b] = [await join('a', watched), await join('d', slow)];
    await pass(30_000);
    expect([...a.served(), ...b.served()]).toHaveLength(partitions);
    expect(b.served().length).toBeGreaterThan(1);
    slowStream = `lease-${b.served()[0]}`;
    await pass(10_000);
    Object.assign(seenByA, { reads: 0, refused: 0 });
    await pass(60_000);
    // A second and two after each heartbeat that leaves it out.
    expect(seenByA).toMatchObject({ reads: 12 * 2, refused: 0 });
  });

  it.each([700, 1_400, 1_700, 2_500, 4_000])(
    'that are recorded %i ms late, by a node that is killed then, delay a takeover by a moment',
    async (lateMs) => {
      const { clock, disk, watched, join, pass, takenOver } = setUp();
      const recorded: number[] = [];
      let isSlow = false;
      const slow = layerOver(disk, {
        async append(stream, expected, events) {
          const isLate = isSlow && events[0]?.type === 'LeaseRenewed';
          if (isLate) await sleep(clock, lateMs);
          const appended = await disk.append(stream, expected, events);
          if (!isLate) return appended;
          recorded.push(clock.elapsed());
          return new Promise(() => {});
        },
      });
      const [a, b] = [await join('a', watched), await join('b', slow)];
      await pass(30_000);
      isSlow = true;
      const share = b.served().length;
      while (recorded.length < share) await pass(50);
      b.crash();
      expect(await takenOver(a)).toBeLessThanOrEqual(lifeMs + 3_000);
    },
  );

  it.each([
    ['before its heartbeat is recorded', (type: string) => type === 'NodeSeen'],
    ['before it knows that they are recorded', () => true],
  ])('of a node that is killed %s are read, and delay a takeover by a moment', async (_, isStuck) => {
    const { disk, watched, join, pass, takenOver } = setUp();
    let isHanging = false;
    const hanging = layerOver(disk, {
      async append(stream, expected, events) {
        const [{ type } = { type: '' }] = events;
        const isLost = isHanging && type === 'NodeSeen';
        const appended = isLost ? undefined : await disk.append(stream, expected, events);
        if (appended === undefined || (isHanging && isStuck(type))) return new Promise(() => {});
        return appended;
      },
    });
    const [a, b] = [await join('a', watched), await join('b', hanging)];
    await pass(30_000);
    isHanging = true;
    const [held = -1] = b.served();
    const end = async () => (await disk.last(`lease-${held}`))?.revision;
    const before = await end();
    while ((await end()) === before) await pass(250);
    b.crash();
    expect(await takenOver(a)).toBeLessThanOrEqual(lifeMs + 3_000);
  });

  it('whose answers are lost are read a second after the next heartbeat', async () => {
    const { disk, watched, seenByA, join, pass, takenOver } = setUp();
    let losesAnswers = false;
    const lossy = layerOver(disk, {
      async append(stream, expected, events) {
        const appended = await disk.append(stream, expected, events);
        return losesAnswers && events[0]?.type === 'LeaseRenewed' ? new Promise(() => {}) : appended;
      },
    });
    const [a, b] = [await join('a', watched), await join('b', lossy)];
    await pass(30_000);
    losesAnswers = true;
    Object.assign(seenByA, { reads: 0 });
    await pass(6_500);
    expect(seenByA.reads).toBeGreaterThanOrEqual(b.served().length);
    b.crash();
    const ms = await takenOver(a);
    expect(ms).toBeGreaterThan(lifeMs - 6_500);
    expect(ms).toBeLessThanOrEqual(lifeMs + 3_000);
  });
});
