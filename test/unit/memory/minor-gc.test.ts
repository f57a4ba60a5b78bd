import { afterEach, describe, expect, it } from 'vitest';
import { setEarlyFreeing } from '../../../src/memory/early-freeing.ts';
import { MinorGc } from '../../../src/memory/minor-gc.ts';

const megabyte = 1024 * 1024;

/** Bytes of buffers that are held after 16 MB were made, a megabyte at a time, and none kept. */
function heldAfterwards(): number {
  const garbage = new MinorGc();
  const before = process.memoryUsage().arrayBuffers;
  for (let count = 0; count < 16; count += 1) {
    Buffer.allocUnsafeSlow(megabyte).fill(count);
    garbage.note(megabyte);
  }
  return process.memoryUsage().arrayBuffers - before;
}

afterEach(() => setEarlyFreeing(true));

describe('young garbage', () => {
  it('[speed-up] is collected every 4 MB', () => {
    expect(heldAfterwards()).toBeLessThan(8 * megabyte);
  });

  it('is left to V8 if EARLY_FREEING is off', () => {
    setEarlyFreeing(false);
    expect(heldAfterwards()).toBeGreaterThan(12 * megabyte);
  });
});
