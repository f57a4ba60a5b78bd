import { mkdirSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** The parent of temporary files: in the data directory, emptied at the start, readable only by its owner. */
export function emptyTemporaryRoot(dataDir: string): string {
  const root = join(dataDir, 'tmp');
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true, mode: 0o700 });
  return root;
}

/** A folder that exists while `use` runs, and is removed with its content in any case. */
export async function withTemporaryFolder<T>(root: string, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(root, 'send-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
