import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBackup, restOfBackup } from '../../../src/backup/create-backup.ts';
import { activate } from '../../../src/backup/inactive-copy.ts';
import { restoreBackup } from '../../../src/backup/restore-backup.ts';
import { copyDatabase } from '../../../src/store/database.ts';
import { ann, bob, type Caller, onKurrentDb, openScene, type Scene } from '../../support/e2e/scene.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/kit/temporary-folder.ts';

let scene: Scene;
let folder: TemporaryFolder;
beforeEach(async () => {
  scene = await openScene();
  folder = await createTemporaryFolder();
});
afterEach(async () => {
  await scene.close();
  await folder.remove();
});

const place = (name: string): string => join(folder.path, name);
const storeOf = (dataDir: string) => ({ dataDir, eventStoreUrl: `sqlite:${join(dataDir, 'events.db')}` });
const backUp = (name: string) =>
  createBackup(
    { ...storeOf(scene.gateway.dataDir), version: '0.0.0', now: () => scene.clock.now(), copyDatabase },
    place(name),
  );
const restore = (backup: string, name: string) => restoreBackup(place(backup), storeOf(place(name)));
const send = (caller: Caller, text: string) =>
  scene.request(caller, 'POST', '/message', { type: 'text', user: bob, text });

// With KurrentDB the events are in its own backup.
describe.skipIf(onKurrentDb)('a backup', () => {
  it('[OS6.1] [OS6.2] [OS6.3] made while messages are sent, goes on elsewhere where it was', async () => {
    const caller = await scene.connected(ann);
    const early = await send(caller, 'before');
    const sending = Promise.all(Array.from({ length: 20 }, (_, count) => send(caller, `meanwhile ${count}`)));
    const manifest = await backUp('backup');
    expect((await sending).map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(manifest.files.map(({ name }) => name).toSorted()).toEqual(
      ['dc-addresses.json', 'events.db', 'master.key', 'media-link.key', 'store.json', 'views.db'].filter((name) =>
        existsSync(join(scene.gateway.dataDir, name)),
      ),
    );
    expect(restOfBackup(manifest, { ...storeOf('x'), streamPrefix: '' })).toEqual([]);

    await restore('backup', 'elsewhere');
    await expect(scene.restart({ dataDir: place('elsewhere') })).rejects.toThrow('is inactive');
    expect(activate(place('elsewhere'))).toBe(true);
    expect(activate(place('elsewhere'))).toBe(false);
    await scene.restart({ dataDir: place('elsewhere') });
    await scene.whilePassing(scene.read(caller, ({ isConnected }) => isConnected));
    expect(early.status).toBe(200);
    expect((await send(caller, 'after')).status).toBe(200);
  });

  it('[OS6.1] is for its owner alone, and does not exist before it is whole', async () => {
    await scene.create();
    await backUp('backup');
    const modeOf = (name: string): string => (statSync(place(name)).mode & 0o777).toString(8);
    expect(modeOf('backup')).toBe('700');
    for (const name of readdirSync(place('backup'))) expect(`${name} ${modeOf(`backup/${name}`)}`).toBe(`${name} 600`);
    await expect(backUp('backup')).rejects.toThrow('is not empty');
    const missing = { ...storeOf(place('nowhere')), version: '0.0.0', now: () => 0, copyDatabase };
    await expect(createBackup(missing, place('other'))).rejects.toThrow('there is nothing to back up');
    cpSync(scene.gateway.dataDir, place('damaged'), { recursive: true, filter: (path) => !path.includes('sandbox') });
    writeFileSync(join(place('damaged'), 'events.db'), 'x'.repeat(5_000));
    const damaged = { ...storeOf(place('damaged')), version: '0.0.0', now: () => 0, copyDatabase };
    await expect(createBackup(damaged, place('other'))).rejects.toThrow('is damaged');
    expect(readdirSync(folder.path).toSorted()).toEqual(['backup', 'damaged']);
  });

  it('[OS6.2] that is not whole is refused, and nothing is replaced', async () => {
    await scene.create();
    await backUp('backup');
    mkdirSync(place('used'));
    writeFileSync(join(place('used'), 'master.key'), 'mine');
    await expect(restore('backup', 'used')).rejects.toThrow('master.key is there already');
    writeFileSync(join(place('backup'), 'master.key'), 'another');
    await expect(restore('backup', 'new')).rejects.toThrow('master.key was altered');
    rmSync(join(place('backup'), 'master.key'));
    await expect(restore('backup', 'new')).rejects.toThrow('master.key is missing');
    rmSync(join(place('backup'), 'backup.json'));
    await expect(restore('backup', 'new')).rejects.toThrow('is not a backup');
    expect(existsSync(place('new'))).toBe(false);
  });

  it('[OS6.4] names what it cannot hold', async () => {
    await scene.create();
    rmSync(join(scene.gateway.dataDir, 'media-link.key'));
    const local = await createBackup(
      {
        dataDir: scene.gateway.dataDir,
        eventStoreUrl: 'kurrentdb://host:2113',
        version: '0.0.0',
        now: () => 0,
        copyDatabase,
      },
      place('local'),
    );
    expect(local.files.map(({ name }) => name)).not.toContain('events.db');
    const todo = restOfBackup(local, { eventStoreUrl: 'kurrentdb://me:secret@host:2113', streamPrefix: 'a-' });
    expect(todo).toEqual([
      expect.stringMatching(
        /^the events are on .*host:2113.*: make that server's own backup now, of all streams that begin with a-$/,
      ),
      'MEDIA_LINK_KEYS is a setting: without it no earlier media link opens',
    ]);
    expect(todo.join()).not.toContain('secret');
    await expect(restore('local', 'new')).rejects.toThrow('set EVENT_STORE_URL');
  });
});
