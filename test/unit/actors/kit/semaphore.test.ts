import { expect, it } from 'vitest';
import { LightAbort } from '../../../../actors/kit/light-abort.ts';
import { createSemaphore } from '../../../../actors/kit/semaphore.ts';
import { createGate as createDoor } from '../../../support/kit/gate.ts';

/** Works that note when they begin, and end when they are let. */
function works(places: number) {
  const gate = createSemaphore(places);
  const begun: string[] = [];
  return {
    begun,
    start: (name: string, signal = new LightAbort()) => {
      const door = createDoor();
      const outcome = gate(signal, async () => {
        begun.push(name);
        await door.passed;
        return name;
      });
      outcome.catch(() => {});
      return { outcome, end: () => door.open() };
    },
  };
}

const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

it('[MS4] lets in as many as there are places, then one for each that leaves, first come, first served', async () => {
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

it('[MS6] who stops while waiting leaves the row and takes no place', async () => {
  const { begun, start } = works(1);
  const stop = new LightAbort();
  const one = start('one');
  const two = start('two', stop);
  const three = start('three');
  stop.abort(new Error('left'));
  await expect(two.outcome).rejects.toThrow(/^left$/);
  one.end();
  await turn();
  expect(begun).toEqual(['one', 'three']);
  three.end();
  await three.outcome;
  await expect(start('four', stop).outcome).rejects.toThrow(/^left$/);
});

it('[MS4] work that fails gives its place back', async () => {
  const gate = createSemaphore(1);
  await expect(gate(new LightAbort(), () => Promise.reject(new Error('failed')))).rejects.toThrow(/^failed$/);
  await expect(gate(new LightAbort(), () => Promise.resolve('done'))).resolves.toBe('done');
});
