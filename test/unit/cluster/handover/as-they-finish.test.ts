import { beforeEach, expect, it } from 'vitest';
import { releaseAsTheyFinish } from '../../../../src/cluster/handover/as-they-finish.ts';
import { createDrivenClock, type DrivenClock } from '../../../support/kit/clock.ts';
import { createGate, type Gate } from '../../../support/kit/gate.ts';

const gatherMs = 50;

let clock: DrivenClock;
let released: string[];
let startedAt: number;
beforeEach(() => {
  clock = createDrivenClock();
  released = [];
  startedAt = clock.elapsed();
});

const releaseAll = (underWay: Record<string, Gate | undefined>, end = Promise.resolve()): Promise<void> =>
  releaseAsTheyFinish(
    {
      clock,
      maxMs: 1_000,
      gatherMs,
      finish: (item) => underWay[item]?.passed,
      release: (items) => {
        released.push(`${items.join('')} after ${clock.elapsed() - startedAt}`);
        return end;
      },
    },
    Object.keys(underWay),
  );

it('[CL4.5] what has nothing under way is released at once, together', async () => {
  await releaseAll({ a: undefined, b: undefined });
  expect(released).toEqual(['ab after 0']);
});

it('[CL4.5] each of the others is released when it has finished, those of a moment together', async () => {
  const [b, c, d] = [createGate(), createGate(), createGate()];
  const all = releaseAll({ a: undefined, b, c, d });
  await clock.advance(100);
  b.open();
  await clock.advance(20);
  c.open();
  await clock.advance(200);
  d.open();
  await clock.advance(50);
  await all;
  expect(released).toEqual(['a after 0', 'bc after 150', 'd after 370']);
});

it('[CL4.5] what does not finish is released after `maxMs`', async () => {
  const all = releaseAll({ a: createGate() });
  await clock.advance(999);
  expect(released).toEqual([]);
  await clock.advance(1 + gatherMs);
  await all;
  expect(released).toEqual(['a after 1050']);
  expect(clock.nextDueAt()).toBeUndefined();
});

it('[CL4.5] it ends when all are released', async () => {
  const gate = createGate();
  let isOver = false;
  const all = releaseAll({ a: undefined }, gate.passed).then(() => (isOver = true));
  await clock.settle();
  expect([released, isOver]).toEqual([['a after 0'], false]);
  gate.open();
  await all;
});
