import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemRandomness } from '../../../src/config/clock.ts';
import { readOrCreateKey } from '../../../src/config/key-file.ts';

describe('kept keys', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'keys-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('[OP1.2] are made once, and readable to their owner only', () => {
    const made = readOrCreateKey(folder, 'master.key', systemRandomness);
    expect(made).toHaveLength(32);
    expect(readOrCreateKey(folder, 'master.key', systemRandomness)).toEqual(made);
    expect(readOrCreateKey(folder, 'other.key', systemRandomness)).not.toEqual(made);
    expect(statSync(join(folder, 'master.key')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).toSorted()).toEqual(['master.key', 'other.key']);
  });

  it('[OP1.2] are not made anew where the file is damaged: what they sealed would be lost', () => {
    writeFileSync(join(folder, 'master.key'), 'c2hvcnQ=\n');
    expect(() => readOrCreateKey(folder, 'master.key', systemRandomness)).toThrow('does not hold a key');
  });

  it('[OP1.2] survive a start that died while making them', () => {
    writeFileSync(join(folder, 'master.key.new'), 'half');
    expect(readOrCreateKey(folder, 'master.key', systemRandomness)).toHaveLength(32);
  });
});
