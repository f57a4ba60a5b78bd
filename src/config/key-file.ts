import { closeSync, existsSync, fsyncSync, linkSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Randomness } from '../../actors/ports/clock.ts';

const keyBytes = 32;

/** The file exists, and holds no key. */
export class KeyFileError extends Error {
  override name = 'KeyFileError';
}

/**
 * A secret key that is created once in the data directory, readable only by its owner (OP1). The file appears complete
 * or not at all, because everything sealed with the key is lost with it.
 * @throws {KeyFileError}
 */
export function readOrCreateKey(dataDir: string, name: string, randomness: Pick<Randomness, 'bytes'>): Buffer {
  const file = join(dataDir, name);
  return readKey(file) ?? makeKey(file, randomness.bytes(keyBytes));
}

/** Whether the key was created before this process. */
export const hasKey = (dataDir: string, name: string): boolean => existsSync(join(dataDir, name));

function readKey(file: string): Buffer | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== keyBytes) {
    throw new KeyFileError(`${file} does not hold a key of ${keyBytes} bytes in base64: restore it from a backup`);
  }
  return key;
}

function makeKey(file: string, key: Buffer): Buffer {
  const draft = `${file}.new`;
  const descriptor = openSync(draft, 'w', 0o600);
  try {
    writeSync(descriptor, `${key.toString('base64')}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  linkSync(draft, file);
  unlinkSync(draft);
  syncDirectory(join(file, '..'));
  return key;
}

/** The directory entry must survive a power cut too. */
function syncDirectory(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
