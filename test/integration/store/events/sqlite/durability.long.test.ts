import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../../../src/config/clock.ts';
import { openSqliteStore } from '../../../../../src/store/events/sqlite/sqlite-store.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../../../support/kit/temporary-folder.ts';

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await createTemporaryFolder();
});
afterEach(() => folder.remove());

const script = join(import.meta.dirname, '../../../../support/store/append-until-full.ts');
const file = (): string => join(folder.path, 'events.db');
const writerArguments = (): string[] => ['--import', 'tsx', script, file(), '5'];

/** IDs that are in the store, by stream; each stream must be whole. */
async function storedIds(): Promise<Set<string>> {
  const store = openSqliteStore({ file: file(), clock: systemClock });
  const ids = new Set<string>();
  const next = new Map<string, number>();
  for await (const { stream, revision, id } of store.readAll()) {
    expect(revision).toBe(next.get(stream) ?? 0);
    next.set(stream, revision + 1);
    ids.add(id);
  }
  // Three events an append: all of them or none.
  for (const count of next.values()) expect(count % 3).toBe(0);
  await store.close();
  return ids;
}

const idsIn = (line: string): string[] => line.split(' ').slice(2);

describe('what the store has acknowledged', () => {
  it.each([1, 50, 400])('is there after a kill -9 (%i appends acknowledged)', async (enough) => {
    const child = spawn(process.execPath, writerArguments(), { stdio: ['ignore', 'pipe', 'inherit'] });
    const acknowledged: string[] = [];
    for await (const line of createInterface(child.stdout)) {
      acknowledged.push(line);
      if (acknowledged.length === enough) child.kill('SIGKILL');
    }
    expect(acknowledged.length).toBeGreaterThanOrEqual(enough);
    const stored = await storedIds();
    // The last line may have been cut off with the process.
    for (const line of acknowledged.slice(0, -1)) {
      for (const id of idsIn(line)) expect(stored.has(id)).toBe(true);
    }
  });

  it('is there when the disk is full: the appends that did not fit fail whole, reading goes on', async () => {
    const limited = `ulimit -f 400; exec "$0" "$@"`;
    const child = spawn('bash', ['-c', limited, process.execPath, ...writerArguments()], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    const lines: string[] = [];
    for await (const line of createInterface(child.stdout)) lines.push(line);
    expect(await ended).toEqual([0, null]);
    const acknowledged = lines.filter((line) => line.startsWith('stream-'));
    expect(lines.filter((line) => line.startsWith('failed'))).toHaveLength(5);
    expect(lines.at(-1)).toMatch(/^still reads \d+$/);
    expect(acknowledged.length).toBeGreaterThan(10);
    expect(await storedIds()).toEqual(new Set(acknowledged.flatMap((line) => idsIn(line))));
  });
});
