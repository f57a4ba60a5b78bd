import { expect, it } from 'vitest';
import { LightAbort } from '../../../../actors/kit/light-abort.ts';
import { Handover } from '../../../../src/cluster/handover/handover.ts';
import { type OwnedPart, releasedTogether } from '../../../../src/cluster/owned-part.ts';
import { partitionOf } from '../../../../src/cluster/partitions.ts';
import { createDrivenClock } from '../../../support/kit/clock.ts';
import { createGate, type Gate } from '../../../support/kit/gate.ts';

const ids = ['a', 'b', 'c'];
const [a = 0, b = 0, c = 0] = ids.map((id) => partitionOf(id));

function setUp() {
  const clock = createDrivenClock();
  const happened: string[] = [];
  const crashed = new LightAbort();
  const more = { isToCome: false };
  const handover = new Handover({
    clock,
    gatherMs: 100,
    isMoreToCome: () => more.isToCome,
    crashed,
    log: { error: (_, message) => happened.push(message) },
    onTaken: (partitions) => happened.push(`taken ${partitions.length}`),
    onFailed: (partitions) => happened.push(`failed ${partitions.length}`),
  });
  const part = (name: string, taking: () => Promise<void> = () => Promise.resolve()): OwnedPart => ({
    take: (partitions) => {
      happened.push(`${name} takes ${ids.filter((id) => partitions.has(id)).join('')}`);
      return taking();
    },
    release: (partitions, isLost) => {
      happened.push(`${name} ${isLost ? 'loses' : 'releases'} ${ids.filter((id) => partitions.has(id)).join('')}`);
      return Promise.resolve();
    },
  });
  return { clock, happened, handover, part, crashed, more };
}

it('[CL2.7] parts take in order, what comes together as one batch, and release in the opposite order', async () => {
  const { clock, happened, handover, part } = setUp();
  handover.register(part('one'));
  handover.register(part('two'));
  handover.take([a]);
  await clock.advance(50);
  handover.take([b]);
  await clock.advance(50);
  await handover.release([a, b], false);
  expect(happened).toEqual(['one takes ab', 'two takes ab', 'taken 2', 'two releases ab', 'one releases ab']);
});

it('[CL2.7] a batch waits for the leases that are being taken, for no longer than 0.3 seconds', async () => {
  const { clock, happened, handover, part, more } = setUp();
  handover.register(part('one'));
  more.isToCome = true;
  handover.take([a]);
  await clock.advance(150);
  handover.take([b]);
  more.isToCome = false;
  await clock.advance(50);
  expect(happened).toEqual(['one takes ab', 'taken 2']);
  more.isToCome = true;
  handover.take([c]);
  await clock.advance(299);
  expect(happened).toHaveLength(2);
  await clock.advance(1);
  expect(happened.slice(2)).toEqual(['one takes c', 'taken 1']);
});

it('[CL2.7] what is lost while it is taken is released at once, and not taken by the parts behind', async () => {
  const { clock, happened, handover, part } = setUp();
  let goOn = (): void => {};
  handover.register(
    part(
      'one',
      () =>
        new Promise((resolve) => {
          goOn = resolve;
        }),
    ),
  );
  handover.register(part('two'));
  handover.take([a, b, c]);
  await clock.advance(100);
  let isReleased = false;
  const released = handover.release([a], true).then(() => {
    isReleased = true;
  });
  await clock.settle();
  expect([happened, isReleased]).toEqual([['one takes abc', 'two loses a', 'one loses a'], false]);
  goOn();
  await released;
  expect(happened.slice(3)).toEqual(['two takes bc', 'taken 2']);
});

it('[CL2.2] what is lost is released by all parts at once, whatever one of them waits for', async () => {
  const { clock, happened, handover, part } = setUp();
  handover.register(part('one'));
  handover.register({ take: () => Promise.resolve(), release: () => new Promise(() => {}) });
  handover.take([a]);
  await clock.advance(100);
  void handover.release([a], true);
  expect(happened.slice(2)).toEqual(['one loses a']);
});

it('[CL2.7] what no part was given is not released by any', async () => {
  const { clock, happened, handover, part } = setUp();
  handover.register(part('one'));
  handover.take([a]);
  await handover.release([a], false);
  await clock.advance(100);
  expect(happened).toEqual([]);
});

it('[CL2.7] a part that fails is reported, and nothing is given to the parts behind', async () => {
  const { clock, happened, handover, part } = setUp();
  handover.register(part('one', () => Promise.reject(new Error('no'))));
  handover.register(part('two'));
  handover.take([a]);
  await clock.advance(100);
  expect(happened).toEqual(['one takes a', 'partitions could not be taken', 'failed 1']);
});

it('[CL2.7] nothing is given after a crash', async () => {
  const { clock, happened, handover, part, crashed } = setUp();
  handover.register(part('one'));
  handover.take([a]);
  crashed.abort(new Error('crashed'));
  await clock.advance(1_000);
  expect(happened).toEqual([]);
});

it('[CL4.5] a partition is released when the last part has finished what is under way in it', async () => {
  const { clock, happened, handover, part } = setUp();
  const [first, second] = [createGate(), createGate()];
  const finishing = (gate: Gate, name: string): OwnedPart => ({
    ...part(name),
    finish: (partition) => (partition === a ? gate.passed : undefined),
  });
  handover.register(finishing(first, 'one'));
  handover.register(finishing(second, 'two'));
  handover.register(part('three'));
  const released: (readonly number[])[] = [];
  const slots = [a, b].map((partition) => ({ lease: { partition } }));
  const all = handover.asTheyFinish(slots, async (finished) => {
    released.push(finished.map(({ lease }) => lease.partition));
  });
  first.open();
  await clock.advance(300);
  expect([released, happened]).toEqual([[[b]], []]);
  second.open();
  await clock.advance(100);
  await all;
  expect(released).toEqual([[b], [a]]);
});

it('[CL4.5] a partition is released after 0.4 seconds if a part has not finished', async () => {
  const { clock, handover, part } = setUp();
  handover.register({ ...part('one'), finish: () => createGate().passed });
  const released: number[] = [];
  void handover.asTheyFinish([{ lease: { partition: a } }], async ([slot]) => {
    released.push(slot?.lease.partition ?? -1);
  });
  await clock.advance(400 + 99);
  expect(released).toEqual([]);
  await clock.advance(1);
  expect(released).toEqual([a]);
});

it('[CL2.7] parts that are released together take one after the other, and one that fails waits for the others', async () => {
  const { clock, happened, handover, part } = setUp();
  const slow = createGate();
  const failing = { ...part('one'), release: () => Promise.reject(new Error('the store is full')) };
  const waiting: OwnedPart = {
    ...part('two'),
    release: async () => {
      happened.push('two begins');
      await slow.passed;
      happened.push('two ends');
    },
  };
  handover.register(part('outer'));
  handover.register(releasedTogether([failing, waiting]));
  handover.take([a]);
  await clock.advance(100);
  const released = handover.release([a], false);
  await clock.advance(0);
  slow.open();
  await released;
  const taken = ['outer takes a', 'one takes a', 'two takes a', 'taken 1'];
  expect(happened).toEqual([
    ...taken,
    'two begins',
    'two ends',
    'partitions could not be released',
    'outer releases a',
  ]);
});

it('[CL2.7] parts that are released together are not given what was released while the first one took it', async () => {
  const { clock, happened, handover, part } = setUp();
  const slow = createGate();
  handover.register(releasedTogether([part('one', () => slow.passed), part('two')]));
  handover.take([a]);
  await clock.advance(100);
  const released = handover.release([a], false);
  slow.open();
  await released;
  expect(happened).toEqual(['one takes a', 'one releases a', 'two releases a', 'taken 0']);
});
