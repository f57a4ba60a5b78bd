import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { detachBuffer } from '../../../src/memory/detach-buffer.ts';
import { setEarlyFreeing } from '../../../src/memory/early-freeing.ts';

afterEach(() => setEarlyFreeing(true));

describe('a buffer that is no longer used', () => {
  it('is left to V8 if EARLY_FREEING is off', () => {
    setEarlyFreeing(false);
    const bytes = Buffer.allocUnsafeSlow(1024 * 1024);
    detachBuffer(bytes);
    expect(bytes).toHaveLength(1024 * 1024);
  });

  it('[speed-up] is freed without waiting for a collection of garbage', async () => {
    const held: Buffer[] = [];
    const before = process.memoryUsage().arrayBuffers;
    for (let i = 0; i < 100; i++) {
      const bytes = Buffer.allocUnsafeSlow(1024 * 1024).fill(i);
      held.push(bytes);
      detachBuffer(bytes);
    }
    expect(held.every(({ length }) => length === 0)).toBe(true);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10 * 1024 * 1024);
  });

  it('is left alone where others have a share of it, and where it is hardly any', () => {
    const whole = randomBytes(100_000);
    for (const bytes of [whole.subarray(0, 50_000), Buffer.from('x'), Buffer.allocUnsafeSlow(1024)]) {
      const { length } = bytes;
      detachBuffer(bytes);
      expect(bytes).toHaveLength(length);
    }
    expect(whole).toHaveLength(100_000);
  });
});
