import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sessionStream } from '../../../../actors/session/events.ts';
import type { SessionEvent } from '../../../../actors/session/transition-event.ts';
import { systemClock } from '../../../../src/config/clock.ts';
import { openSqliteStore } from '../../../../src/store/events/sqlite/sqlite-store.ts';
import { createHistory } from '../../../support/actors/session-histories.ts';
import { runCommandLine } from '../../../support/gateway/command-line.ts';
import { createSeededRandomness } from '../../../support/kit/clock.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../../support/kit/temporary-folder.ts';

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await createTemporaryFolder();
});
afterEach(() => folder.remove());

const id = '0190a000-0000-7000-8000-000000000001';
const file = (name: string): string => join(folder.path, name);

async function record(events: readonly SessionEvent[]): Promise<void> {
  const store = openSqliteStore({ file: file('events.db'), clock: systemClock });
  await store.append(sessionStream(id), 'no-stream', events);
  await store.close();
}

function someLife(seed: number, length: number): SessionEvent[] {
  const history = createHistory(createSeededRandomness(seed, systemClock), Date.UTC(2026, 0, 1));
  return Array.from({ length }, () => history.next()).filter((event) => event !== undefined);
}

const runExport = (out: string) => runCommandLine('export', [id, '--out', file(out)], { DATA_DIR: folder.path });

describe('npm run export and tell', () => {
  it('[AD6.3] take one life to another machine, where it is recomputed without its store', async () => {
    const events = someLife(5, 12);
    await record(events);
    expect(await runExport('life.json')).toMatchObject({ code: 0 });
    const { code, output } = await runCommandLine('tell', [file('life.json')]);
    expect(output).toMatch(
      / 1 {2}2026-01-01T00:00:00.000Z {2}SessionCreated: nothing → qrPending \(created, QrTimedOut at/,
    );
    expect(output).toContain(`${events.length} events, no drift`);
    expect(code).toBe(0);
  });

  it('[SE11.3] leave out whatever is sealed or secret, and the name of the machine', async () => {
    await record(someLife(5, 12));
    await runExport('life.json');
    const text = await readFile(file('life.json'), 'utf8');
    expect(text).toContain('"left out"');
    expect(text).not.toMatch(/v1\.context|a{64}|"test"/);
  });

  it('[AD6.3] say where a life and the chart differ', async () => {
    await record(someLife(5, 12));
    await runExport('life.json');
    const life = await readFile(file('life.json'), 'utf8');
    await writeFile(file('bent.json'), life.replace('"reason": "created"', '"reason": "invented"'));
    const { code, output } = await runCommandLine('tell', [file('bent.json')]);
    expect(output).toMatch(/! reason was recorded as "invented", recomputed "created"/);
    expect(code).toBe(1);
  });

  it('[AD6.3] say what is wrong with what they are given', async () => {
    await record(someLife(5, 3));
    const stranger = await runCommandLine('export', ['nobody'], { DATA_DIR: folder.path });
    expect([stranger.code, stranger.output]).toEqual([2, expect.stringMatching(/has no session nobody/)]);
    expect(await runCommandLine('export', [])).toMatchObject({ code: 2 });
    await writeFile(file('other.json'), '{"format":"something/1"}');
    const other = await runCommandLine('tell', [file('other.json')]);
    expect(other.code).toBe(2);
    expect(other.output).not.toMatch(/\n\s+at /);
    expect(await runCommandLine('tell', [file('missing.json')])).toMatchObject({ code: 2 });
  });
});
