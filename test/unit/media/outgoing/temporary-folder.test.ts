import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { emptyTemporaryRoot, withTemporaryFolder } from '../../../../src/media/outgoing/temporary-folder.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../../support/kit/temporary-folder.ts';

let dataDir: TemporaryFolder;

beforeEach(async () => {
  dataDir = await createTemporaryFolder();
});
afterEach(() => dataDir.remove());

it('[MS2.1] what a dead process left is gone at the start, and nobody else may look', () => {
  mkdirSync(join(dataDir.path, 'tmp', 'send-left'), { recursive: true });
  writeFileSync(join(dataDir.path, 'tmp', 'send-left', 'document'), 'half of it');
  const root = emptyTemporaryRoot(dataDir.path);
  expect(readdirSync(root)).toEqual([]);
  expect(statSync(root).mode & 0o777).toBe(0o700);
});

it.each([
  ['ends well', (): string => 'sent'],
  [
    'fails',
    (): never => {
      throw new Error('not sent');
    },
  ],
])('[MS2.1] nothing is left of a send that %s', async (_how, end) => {
  const root = emptyTemporaryRoot(dataDir.path);
  const use = withTemporaryFolder(root, async (folder) => {
    await writeFile(join(folder, 'document'), 'a page');
    expect(readdirSync(root)).toHaveLength(1);
    return end();
  });
  await use.catch(() => undefined);
  expect(readdirSync(root)).toEqual([]);
});
