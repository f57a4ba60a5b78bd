import bigInt from 'big-integer';
import { expect, it } from 'vitest';
import { serverTimeOf } from '../../../../../src/telegram/gramjs/library/message-ids.ts';

it('[MX2.6] reads the time of a message from its ID, to the millisecond', () => {
  const at = (seconds: number, fraction: number): number =>
    serverTimeOf(
      bigInt(seconds)
        .shiftLeft(32)
        .or(bigInt(Math.floor(fraction * 2 ** 32)))
        .or(1),
    );
  expect(at(1_790_000_000, 0)).toBe(1_790_000_000_000);
  expect(at(1_790_000_000, 0.5)).toBe(1_790_000_000_500);
  expect(at(1_790_000_000, 0.9999)).toBe(1_790_000_000_999);
});
