import { mkdirSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Where files lie while they are on their way: below the data directory, emptied, for nobody else to read. */
export function emptyTemporaryRoot(dataDir: string): string {
  const root = join(dataDir, 'tmp');
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true, mode: 0o700 });
  return root;
}

/** A folder that is there while `use` runs, and is removed with all that is in it however that ends. */
export async function withTemporaryFolder<T>(root: string, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(root, 'send-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
