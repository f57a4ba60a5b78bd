import { expect, it } from 'vitest';
import { randomIdsFrom } from '../../../../../src/telegram/gramjs/sending/random-ids.ts';

it("[MX1.1] the first random ID of several messages is the send's own, the others follow it", () => {
  expect(randomIdsFrom(-2n, 4)).toEqual([-2n, -1n, 0n, 1n]);
});

it('[MX1.1] random IDs stay signed 64-bit numbers, all different', () => {
  const greatest = 2n ** 63n - 1n;
  expect(randomIdsFrom(greatest, 3)).toEqual([greatest, -(2n ** 63n), -(2n ** 63n) + 1n]);
});
