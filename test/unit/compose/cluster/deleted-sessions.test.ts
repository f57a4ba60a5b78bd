import { readdir } from 'node:fs/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { SessionView } from '../../../../projections/session-view.ts';
import { forgetDeletedSession, forgetFilesOfDeleted } from '../../../../src/compose/cluster/deleted-sessions.ts';
import { DiskCache } from '../../../../src/media/links/disk-cache.ts';
import { openVault, type Vault } from '../../../../src/store/vault/vault.ts';
import { createDrivenClock, createSeededRandomness } from '../../../support/kit/clock.ts';
import { createGate } from '../../../support/kit/gate.ts';
import { createTemporaryFolder } from '../../../support/kit/temporary-folder.ts';
import { allReadable } from '../../../support/store/all-readable.ts';
import { createMemoryStore, MemoryDisk } from '../../../support/store/memory-store.ts';

/** Two processes on one store. The second does not own the session `s1`, and has its key. */
async function setUp() {
  const clock = createDrivenClock();
  const randomness = createSeededRandomness(1, clock);
  const masterKeys = [randomness.bytes(32)];
  const disk = new MemoryDisk();
  let isEnded = false;
  let isOwned = false;
  const store = createMemoryStore(clock, disk);
  const open = (over = createMemoryStore(clock, disk)): Vault =>
    openVault({
      store: over,
      masterKeys,
      clock,
      randomness,
      reportUnreadable: allReadable,
      isDeleted: () => isEnded,
    });
  const owner = open();
  await owner.createKey('s1');
  const sealed = await owner.seal('s1', 'event-1', 'secret');
  const vault = open(store);
  await vault.open('s1', sealed);
  const files = new Set(['s1']);
  const deps: Parameters<typeof forgetDeletedSession>[0] = {
    views: { get: () => ({ ended: isEnded }) as ReturnType<typeof deps.views.get> },
    ownership: { owns: () => isOwned },
    vault,
    forgetFiles: async (id) => void files.delete(id),
  };
  return {
    clock,
    owner,
    store,
    vault,
    /** What this process still has of the session in memory and on its disk. */
    left: () => [vault.openCached('s1', sealed), ...files],
    open: () => vault.open('s1', sealed),
    own: () => {
      isOwned = true;
    },
    end: () => {
      isEnded = true;
    },
    seen: () => forgetDeletedSession(deps, 's1'),
  };
}

it('[CL2.11] the key and the files of a session that another process deletes go', async () => {
  const { left, seen, end } = await setUp();
  seen();
  expect(left()).toEqual(['secret', 's1']);
  end();
  seen();
  expect(left()).toEqual([undefined]);
});

it('[CL2.11] the key of an own session is left to its erasure, which another process may do; its files go', async () => {
  const { left, seen, end, own } = await setUp();
  own();
  end();
  seen();
  expect(left()).toEqual(['secret']);
});

it('[CL2.11] files of sessions that were deleted while this process was not there go at its start', async () => {
  const { path: folder, remove } = await createTemporaryFolder();
  const clock = createDrivenClock({ startAt: Date.now(), turns: 20 });
  const log = { warn: () => undefined };
  const before = await DiskCache.open({ folder, maxBytes: 1_000, clock, log });
  for (const id of ['live', 'deleted', 'unknown']) {
    for (const name of ['a', 'b']) await before.write(id, name, Buffer.from('secret'));
  }
  await before.close();

  const mediaCache = await DiskCache.open({ folder, maxBytes: 1_000, clock, log });
  onTestFinished(async () => {
    await mediaCache.close();
    await remove();
  });
  const known = new Map([
    ['live', false],
    ['deleted', true],
  ]);
  const views = {
    get: (id: string) => {
      const isEnded = known.get(id);
      return isEnded === undefined ? undefined : ({ ended: isEnded } as SessionView);
    },
  };
  const forgotten: Promise<void>[] = [];
  const forgetFiles = (id: string): Promise<void> => {
    const forgetting = mediaCache.forget(id);
    forgotten.push(forgetting);
    return forgetting;
  };
  forgetFilesOfDeleted({ views, mediaCache, forgetFiles });
  await Promise.all(forgotten);
  expect(forgotten).toHaveLength(2);
  expect((await readdir(folder)).toSorted()).toEqual(['drafts', 'live']);
  expect(await mediaCache.read('live', 'b')).toEqual(Buffer.from('secret'));
});

it('[CL2.11] the key does not come back with a read before its destruction', async () => {
  const { clock, owner, store, vault, left, open, seen, end } = await setUp();
  vault.forgetDeleted('s1');
  const gate = createGate();
  const last = store.last.bind(store);
  store.last = async (stream) => {
    const event = await last(stream);
    await gate.passed;
    return event;
  };
  const opening = open();
  await clock.settle();
  end();
  seen();
  gate.open();
  expect([await opening, ...left()]).toEqual(['secret', undefined]);
  // A list of what happened to it, for example.
  expect([await open(), ...left()]).toEqual(['secret', undefined]);
  await owner.destroyKey('s1');
  expect(await open()).toBeUndefined();
});
