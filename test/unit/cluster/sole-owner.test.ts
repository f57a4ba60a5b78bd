import { expect, it } from 'vitest';
import { soleOwner } from '../../../actors/ports/ownership.ts';

it('[CL2.1] a gateway that is alone owns every session, without an epoch', () => {
  expect(soleOwner.owns('a')).toBe(true);
  expect(soleOwner.ownsPartition(63)).toBe(true);
  expect(soleOwner.epochOf('a')).toBeUndefined();
});
