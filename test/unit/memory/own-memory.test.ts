import { expect, it } from 'vitest';
import { withOwnMemory } from '../../../src/memory/own-memory.ts';

it('[speed-up] a small copy keeps no more memory than its own bytes', () => {
  const pooled = Buffer.from('a key of a login');
  const copy = withOwnMemory(pooled);
  expect(copy).toEqual(pooled);
  expect([pooled.buffer.byteLength > 1_000, copy.buffer.byteLength]).toEqual([true, pooled.length]);
});
