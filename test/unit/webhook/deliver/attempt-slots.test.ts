import { expect, it } from 'vitest';
import { AttemptSlots } from '../../../../src/webhook/deliver/attempt-slots.ts';

const nobody = (): void => {};

it('[WH4.1] each session has its first attempt, and all together no more than the limit beyond it', () => {
  const slots = new AttemptSlots(2);
  for (let session = 0; session < 10; session += 1) expect(slots.take(0, nobody)).toBe(true);
  expect([slots.take(1, nobody), slots.take(2, nobody), slots.take(1, nobody), slots.take(3, nobody)]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  // The first attempts of sessions took no place, and give none back.
  for (let session = 0; session < 10; session += 1) slots.release(1);
  expect(slots.take(1, nobody)).toBe(false);
  slots.release(2);
  expect([slots.take(1, nobody), slots.take(1, nobody)]).toEqual([true, false]);
});

it('[WH4.1] who waits is called in turn, once, and not after it has been forgotten', () => {
  const slots = new AttemptSlots(1);
  const calls: string[] = [];
  const caller = (name: string) => () => {
    calls.push(name);
    slots.take(1, nobody);
  };
  const second = caller('second');
  slots.take(1, nobody);
  for (const onFree of [caller('first'), second, caller('third')]) slots.take(1, onFree);
  slots.release(2);
  expect(calls).toEqual(['first']);
  slots.forget(second);
  slots.release(2);
  expect(calls).toEqual(['first', 'third']);
});
