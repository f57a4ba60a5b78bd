import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EventStore, NewEvent } from '../../../../actors/ports/event-store.ts';
import { silentLog } from '../../../../actors/ports/log.ts';
import { noteAppends } from '../../../../src/compose/note-appends.ts';
import { systemRandomness } from '../../../../src/config/clock.ts';
import { StartError } from '../../../../src/errors/gateway-error.ts';
import { openSqliteStore } from '../../../../src/store/events/sqlite/sqlite-store.ts';
import { copyStore } from '../../../../src/store/tools/copy-store.ts';
import { SeenStore } from '../../../../src/store/tools/seen-store.ts';
import { createDrivenClock } from '../../../support/kit/clock.ts';
import { failureOf } from '../../../support/kit/failure-of.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../../support/kit/temporary-folder.ts';

const clock = createDrivenClock();
let folder: TemporaryFolder;
let warnings: string[];
const opened: { store: EventStore; seen: SeenStore }[] = [];
beforeEach(async () => {
  folder = await createTemporaryFolder();
  warnings = [];
});
afterEach(async () => {
  await stop();
  await folder.remove();
});

const path = (name: string): string => join(folder.path, name);
const event = (): NewEvent => ({ id: systemRandomness.uuid(), type: 'T', data: {}, metadata: {} });

/** A start of the gateway, as far as the store is concerned. */
async function start({ acceptOlder = false, name = 'events.db' } = {}): Promise<EventStore> {
  const store = openSqliteStore({ file: path(name), clock });
  const seen = new SeenStore(
    { store, clock, randomness: systemRandomness, log: { ...silentLog, warn: (_, message) => warnings.push(message) } },
    { file: path('store.json'), name: `sqlite:${name}`, acceptOlder },
  );
  opened.push({ store, seen });
  await seen.check();
  return noteAppends(store, seen, () => seen.check());
}

async function stop(): Promise<void> {
  for (const { store, seen } of opened.splice(0)) {
    seen.save();
    await store.close();
  }
}

const files = ['events.db', 'events.db-wal', 'events.db-shm'];
const removeStore = (): void => {
  for (const each of files) rmSync(path(each), { force: true });
};

/** A gateway's life; `backup.db` is the store in the middle of it. */
async function live(): Promise<void> {
  const store = await start();
  await store.append('session-a', 'no-stream', [event(), event()]);
  await stop();
  copyFileSync(path('events.db'), path('backup.db'));
  await (await start()).append('send-a', 'no-stream', [event()]);
  await stop();
}

const refusal = async (): Promise<string> => {
  const error = await failureOf(start());
  expect(error).toBeInstanceOf(StartError);
  await stop();
  return (error as Error).message;
};

describe('a store that has lost what was seen', () => {
  it.each<[string, string, () => unknown]>([
    ['is gone', 'it is empty, or older', removeStore],
    [
      'is an empty file',
      'it is empty, or older',
      () => {
        removeStore();
        writeFileSync(path('events.db'), '');
      },
    ],
    [
      'is an older backup',
      'it is older',
      () => {
        removeStore();
        copyFileSync(path('backup.db'), path('events.db'));
      },
    ],
    [
      'is an older backup in which other things were recorded since',
      'it is older',
      async () => {
        removeStore();
        const store = openSqliteStore({ file: path('events.db'), clock });
        const from = openSqliteStore({ file: path('backup.db'), clock });
        const identity = await from.last('store-identity');
        if (identity === undefined) throw new Error('it has no identity');
        await store.append('store-identity', 'no-stream', [identity]);
        for (let count = 0; count < 20; count += 1) await store.append('send-a', 'any', [event()]);
        await from.close();
        await store.close();
      },
    ],
    [
      'is another one',
      'it is another store',
      async () => {
        removeStore();
        const kept = readFileSync(path('store.json'));
        rmSync(path('store.json'));
        await (await start()).append('send-a', 'no-stream', [event()]);
        await stop();
        writeFileSync(path('store.json'), kept);
      },
    ],
  ])('[FA4.1] %s: it is refused, in a sentence that says what to do', async (_, fault, lose) => {
    await live();
    await lose();
    const message = await refusal();
    expect(message).toContain(
      `the event store sqlite:events.db is not as ${path('store.json')} remembers it: ${fault}.`,
    );
    expect(message).toContain('ACCEPT_OLDER_STORE=true');
    // It stays refused.
    expect(await refusal()).toBe(message);

    await start({ acceptOlder: true });
    expect(warnings).toEqual(['an older, emptier or other event store was accepted']);
    await stop();
    await start();
  });

  it('[FA4.1] has lost its log beside the file after a crash: it is refused', async () => {
    const store = await start();
    await store.append('session-a', 'no-stream', [event()]);
    await clock.advance(100);
    expect(existsSync(path('events.db-wal'))).toBe(true);
    for (const each of files) if (existsSync(path(each))) copyFileSync(path(each), path(`crashed-${each}`));
    await stop();
    removeStore();
    copyFileSync(path('crashed-events.db'), path('events.db'));
    expect(await refusal()).toMatch(/it is (empty, or )?older/);
  });

  it('[FA4.3] is noticed by a running process, when it writes behind what is gone', async () => {
    const store = openSqliteStore({ file: path('events.db'), clock });
    const seen = new SeenStore(
      { store, clock, randomness: systemRandomness, log: silentLog },
      { file: path('store.json'), name: 'a server', acceptOlder: false },
    );
    opened.push({ store, seen });
    await seen.check();
    const found: unknown[] = [];
    const noted = noteAppends(store, seen, async () => found.push(await failureOf(seen.check())));
    await noted.append('session-a', 'no-stream', [event(), event()]);
    await store.erase('session-a');
    await store.erase('store-identity');
    await failureOf(noted.append('session-a', 1, [event()]));
    await clock.settle();
    expect(found).toEqual([expect.any(StartError)]);
  });
});

describe('a store that has what was seen is accepted', () => {
  it('[FA4.2] after a restart, however often, and without a file', async () => {
    await live();
    await start();
    await stop();
    rmSync(path('store.json'));
    await start();
    expect(warnings).toEqual([]);
  });

  it.each<[string, (store: EventStore) => Promise<void>]>([
    ['truncated', (store) => store.truncate('send-a', 1)],
    ['erased', (store) => store.erase('send-a')],
  ])('[FA4.2] if the last stream was %s since', async (_, remove) => {
    await live();
    await remove(await start());
    await stop();
    expect(await start()).toBeDefined();
  });

  it('[FA4.2] if it is a copy by the copy command, which has its identity', async () => {
    await live();
    const from = openSqliteStore({ file: path('events.db'), clock });
    const to = openSqliteStore({ file: path('copy.db'), clock });
    const quiet = { begin: () => () => {}, say: () => {}, end: () => {} };
    await copyStore({
      from,
      to,
      names: { from: 'sqlite:a', to: 'sqlite:b' },
      appendsAtOnce: 1,
      randomness: systemRandomness,
      progress: quiet,
      onDamaged: () => {},
    });
    await from.close();
    await to.close();
    await (await start({ name: 'copy.db' })).append('send-a', 0, [event()]);
    await stop();
    expect(await start({ name: 'copy.db' })).toBeDefined();
  });

  it('[FA4.2] if the file was half written by a power cut', async () => {
    await live();
    writeFileSync(path('store.json'), '{"identity":"');
    expect(await start()).toBeDefined();
  });
});
