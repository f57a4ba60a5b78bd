import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { nameOfStore, parseStoreUrl } from '../config/store-url.ts';
import { CommandError } from '../errors/command-error.ts';
import { describeFile, type Manifest, manifestFile } from './manifest.ts';

export interface BackupSource {
  dataDir: string;
  eventStoreUrl: string;
  /** Of the program, for the manifest. */
  version: string;
  now: () => number;
  /** Copies a database that may be written meanwhile, and checks the copy. */
  copyDatabase: (file: string, target: string) => void;
}

/** Names in a backup. The events have this name wherever their store is. */
export const backupEvents = 'events.db';
/** Read before the events: none of them may know of an event that the copy of the events does not have. */
const filesBeforeEvents = ['store.json', 'dc-addresses.json', 'master.key', 'media-link.key'];
const views = 'views.db';

/**
 * Copies what a gateway stores into a new folder, while the gateway runs: its events as they are at one moment, the views,
 * the keys that it has made, and what it remembers of the store and of Telegram's addresses. Cached media and uploads are
 * left out: they live for hours. The folder (mode 700) appears when the copy is whole and has been checked.
 * @param folder does not exist, or is empty
 * @throws {CommandError} the folder holds something, or there is nothing to copy
 * @throws what `copyDatabase` throws
 */
export async function createBackup(
  { dataDir, eventStoreUrl, version, now, copyDatabase }: BackupSource,
  folder: string,
): Promise<Manifest> {
  const place = parseStoreUrl(eventStoreUrl);
  if (!existsSync(place.kind === 'sqlite' ? place.file : dataDir)) {
    throw new CommandError(`there is nothing to back up: no ${place.kind === 'sqlite' ? place.file : dataDir}`);
  }
  await mustBeEmpty(folder);
  const draft = `${resolve(folder)}.${process.pid}.part`;
  await mkdir(draft, { recursive: true, mode: 0o700 });
  try {
    await chmod(draft, 0o700);
    const names = filesBeforeEvents.filter((name) => existsSync(join(dataDir, name)));
    for (const name of names) await copyPrivateFile(join(dataDir, name), join(draft, name));
    if (existsSync(join(dataDir, views))) {
      copyDatabase(join(dataDir, views), join(draft, views));
      names.push(views);
    }
    const at = new Date(now()).toISOString();
    if (place.kind === 'sqlite') {
      copyDatabase(place.file, join(draft, backupEvents));
      names.push(backupEvents);
    }
    const files = await Promise.all(names.map((name) => describeFile(draft, name)));
    const manifest: Manifest = {
      format: 1,
      at,
      version,
      events: place.kind === 'sqlite' ? 'embedded' : 'kurrentdb',
      files,
    };
    await writePrivateFile(join(draft, manifestFile), `${JSON.stringify(manifest, undefined, 2)}\n`);
    for (const name of names) await syncFile(join(draft, name));
    await syncFile(draft);
    await rename(draft, folder);
    await syncFile(resolve(folder, '..'));
    return manifest;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

/** What the operator has to do beside it; empty: nothing. */
export function restOfBackup(
  { events, files }: Manifest,
  { eventStoreUrl, streamPrefix }: { eventStoreUrl: string; streamPrefix: string },
): string[] {
  const has = (name: string): boolean => files.some((file) => file.name === name);
  const streams = streamPrefix === '' ? 'all of its streams' : `all streams that begin with ${streamPrefix}`;
  return [
    ...(events === 'kurrentdb'
      ? [`the events are on ${nameOfStore(eventStoreUrl)}: make that server's own backup now, of ${streams}`]
      : []),
    ...(has('master.key') ? [] : ['MASTER_KEY is a setting: keep it apart; without it the backup is worthless']),
    ...(has('media-link.key') ? [] : ['MEDIA_LINK_KEYS is a setting: without it no earlier media link opens']),
  ];
}

/** @throws {CommandError} the folder exists, and holds something */
async function mustBeEmpty(folder: string): Promise<void> {
  const held = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error.code === 'ENOTDIR' ? new CommandError(`${folder} is not a folder`) : error;
  });
  if (held.length > 0) throw new CommandError(`${folder} is not empty`);
}

/** Copies a file that its owner alone may read. */
export async function copyPrivateFile(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  await chmod(to, 0o600);
}

/** Writes a file that its owner alone may read, and that survives a power cut once its folder is synced. */
export async function writePrivateFile(file: string, text: string): Promise<void> {
  const handle = await open(file, 'w', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes a file, or the entries of a folder, survive a power cut. */
export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
