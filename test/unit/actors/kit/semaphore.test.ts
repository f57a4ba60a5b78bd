import { expect, it } from 'vitest';
import { LightAbort } from '../../../../actors/kit/light-abort.ts';
import { Semaphore } from '../../../../actors/kit/semaphore.ts';
import { createGate } from '../../../support/kit/gate.ts';

/** Works that note when they begin, and end when they are let. */
function works(places: number) {
  const semaphore = new Semaphore(places);
  const begun: string[] = [];
  return {
    begun,
    start: (name: string, ...signals: readonly LightAbort[]) => {
      const gate = createGate();
      const work = async (): Promise<string> => {
        begun.push(name);
        await gate.passed;
        return name;
      };
      const outcome = semaphore.run(work, ...signals);
      outcome.catch(() => {});
      return { outcome, end: () => gate.open() };
    },
  };
}

const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

it('[MS4.1] runs as many as there are places, then one for each that ends, first come, first served', async () => {
  const { begun, start } = works(2);
  const one = start('one');
  const two = start('two');
  const three = start('three');
  const four = start('four');
  await turn();
  expect(begun).toEqual(['one', 'two']);
  two.end();
  await expect(two.outcome).resolves.toBe('two');
  await turn();
  expect(begun).toEqual(['one', 'two', 'three']);
  one.end();
  await one.outcome;
  await turn();
  expect(begun).toEqual(['one', 'two', 'three', 'four']);
  three.end();
  four.end();
  await four.outcome;
  const five = start('five');
  five.end();
  await expect(five.outcome).resolves.toBe('five');
});

it.each([0, 1])('[MS6.1] work whose signal number %i is aborted leaves the row and takes no place', async (which) => {
  const { begun, start } = works(1);
  const stops = [new LightAbort(), new LightAbort()];
  const one = start('one');
  const two = start('two', ...stops);
  const three = start('three');
  stops[which]?.abort(new Error('left'));
  await expect(two.outcome).rejects.toThrow(/^left$/);
  one.end();
  await turn();
  expect(begun).toEqual(['one', 'three']);
  three.end();
  await three.outcome;
  await expect(start('four', ...stops).outcome).rejects.toThrow(/^left$/);
});

it('[MS6.1] a signal does not touch work that has begun', async () => {
  const { start } = works(1);
  const stop = new LightAbort();
  const one = start('one', stop);
  await turn();
  stop.abort(new Error('left'));
  one.end();
  await expect(one.outcome).resolves.toBe('one');
});

it('[MS4.1] work that fails gives its place back', async () => {
  const semaphore = new Semaphore(1);
  await expect(semaphore.run(() => Promise.reject(new Error('failed')))).rejects.toThrow(/^failed$/);
  await expect(semaphore.run(() => Promise.resolve('done'))).resolves.toBe('done');
});

it('[MS4.1] a newcomer does not take the place that passes to a waiter', async () => {
  const { begun, start } = works(1);
  const one = start('one');
  const two = start('two');
  one.end();
  const three = one.outcome.then(() => start('three'));
  await turn();
  expect(begun).toEqual(['one', 'two']);
  two.end();
  (await three).end();
  await turn();
  expect(begun).toEqual(['one', 'two', 'three']);
});
