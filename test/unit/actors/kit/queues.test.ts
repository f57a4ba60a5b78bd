import { expect, it } from 'vitest';
import { KeyedQueue } from '../../../../actors/kit/keyed-queue.ts';
import { mapConcurrent } from '../../../../actors/kit/map-concurrent.ts';
import { SerialQueue } from '../../../../actors/kit/serial-queue.ts';
import { failureOf } from '../../../support/kit/failure-of.ts';
import { createGate } from '../../../support/kit/gate.ts';

const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** Work that notes when it begins, and ends when it is let. */
function notedWorks() {
  const begun: string[] = [];
  return {
    begun,
    work: (name: string) => {
      const gate = createGate();
      const run = async (): Promise<string> => {
        begun.push(name);
        await gate.passed;
        return name;
      };
      return { run, end: () => gate.open() };
    },
  };
}

it('[MS7.3] a serial queue runs one work after the other, also after one that failed', async () => {
  const { begun, work } = notedWorks();
  const queue = new SerialQueue();
  const [one, three] = [work('one'), work('three')];
  const first = queue.run(one.run);
  const failed = failureOf(queue.run(() => Promise.reject(new Error('failed'))));
  const third = queue.run(three.run);
  await turn();
  expect(begun).toEqual(['one']);
  one.end();
  expect(await first).toBe('one');
  expect(await failed).toMatchObject({ message: 'failed' });
  await turn();
  expect(begun).toEqual(['one', 'three']);
  three.end();
  expect(await third).toBe('three');
});

it('[MS7.3] a keyed queue runs the work of one key in order, and of other keys beside it', async () => {
  const { begun, work } = notedWorks();
  const queue = new KeyedQueue();
  const [one, two, other] = [work('one'), work('two'), work('other')];
  void queue.run('a', one.run);
  const second = queue.run('a', two.run);
  void queue.run('b', other.run);
  let hasEnded = false;
  const ended = queue.ended('a').then(() => {
    hasEnded = true;
  });
  await turn();
  expect([begun, hasEnded]).toEqual([['one', 'other'], false]);
  one.end();
  await turn();
  expect([begun, hasEnded]).toEqual([['one', 'other', 'two'], false]);
  two.end();
  expect(await second).toBe('two');
  await ended;
  await queue.ended('never used');
});

it('[ME4.1] a keyed queue is idle when no work is left, that given meanwhile included', async () => {
  const { begun, work } = notedWorks();
  const queue = new KeyedQueue();
  const [one, two] = [work('one'), work('two')];
  void queue.run('a', one.run);
  const failed = failureOf(queue.run('b', () => Promise.reject(new Error('failed'))));
  let isIdle = false;
  const idle = queue.idle().then(() => {
    isIdle = true;
  });
  void queue.run('a', two.run);
  one.end();
  await turn();
  expect([begun, isIdle]).toEqual([['one', 'two'], false]);
  two.end();
  await idle;
  expect(await failed).toMatchObject({ message: 'failed' });
  await new KeyedQueue().idle();
});

it('[MS7.3] work of a key begins after one that failed, and its end can be awaited', async () => {
  const queue = new KeyedQueue();
  const failed = failureOf(queue.run('a', () => Promise.reject(new Error('failed'))));
  await queue.ended('a');
  expect(await failed).toMatchObject({ message: 'failed' });
  expect(await queue.run('a', async () => 'next')).toBe('next');
});

it('[GR2.2] a concurrent map runs up to so many at a time, and keeps the order of its items', async () => {
  const { begun, work } = notedWorks();
  const works = ['one', 'two', 'three'].map(work);
  const mapped = mapConcurrent(works, 2, ({ run }) => run());
  await turn();
  expect(begun).toEqual(['one', 'two']);
  works[1]?.end();
  await turn();
  expect(begun).toEqual(['one', 'two', 'three']);
  works[2]?.end();
  works[0]?.end();
  expect(await mapped).toEqual(['one', 'two', 'three']);
});

it('[GR2.2] a concurrent map begins nothing more once one work has failed', async () => {
  const begun: number[] = [];
  const mapped = mapConcurrent([1, 2, 3, 4], 1, async (item) => {
    begun.push(item);
    if (item === 2) throw new Error('failed');
  });
  await expect(mapped).rejects.toThrow('failed');
  await turn();
  expect(begun).toEqual([1, 2]);
});
