import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseStoreUrl } from '../config/store-url.ts';
import { CommandError } from '../errors/command-error.ts';
import { backupEvents, copyPrivateFile, syncFile, writePrivateFile } from './create-backup.ts';
import { inactiveMark } from './inactive-copy.ts';
import { type Manifest, readManifest } from './manifest.ts';

export interface RestoreTarget {
  dataDir: string;
  eventStoreUrl: string;
}

/**
 * Puts a backup where nothing is. The caller holds the lock of the directory. Nothing of it is used before
 * `activate` (inactive-copy.ts). Interrupted, it leaves a directory that does not start, and may be repeated after
 * that directory has been emptied.
 * @throws {CommandError} the backup is not whole, does not fit the settings, or something is there already
 */
export async function restoreBackup(folder: string, { dataDir, eventStoreUrl }: RestoreTarget): Promise<Manifest> {
  const manifest = await readManifest(folder);
  const place = parseStoreUrl(eventStoreUrl);
  if ((place.kind === 'sqlite') !== (manifest.events === 'embedded')) {
    throw new CommandError(
      manifest.events === 'embedded'
        ? 'the backup holds the events of an embedded store: restore it without EVENT_STORE_URL, then use telegram-gateway copy'
        : 'the events of this backup are on a KurrentDB server: set EVENT_STORE_URL',
    );
  }
  const targetOf = (name: string): string =>
    name === backupEvents && place.kind === 'sqlite' ? place.file : join(dataDir, name);
  const targets = manifest.files.map(({ name }) => ({ from: join(folder, name), to: targetOf(name) }));
  for (const { to } of targets)
    if (existsSync(to)) throw new CommandError(`${to} is there already: nothing is replaced`);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  // First of all: whatever else is there, nothing starts with it.
  await writePrivateFile(join(dataDir, inactiveMark), `${JSON.stringify({ backupOf: manifest.at })}\n`);
  await syncFile(dataDir);
  for (const { from, to } of targets) {
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    const draft = `${to}.part`;
    await rm(draft, { force: true });
    await copyPrivateFile(from, draft);
    await syncFile(draft);
    await rename(draft, to);
    await syncFile(dirname(to));
  }
  return manifest;
}
