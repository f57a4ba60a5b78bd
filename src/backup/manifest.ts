import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { CommandError } from '../errors/command-error.ts';

export const manifestFile = 'backup.json';

const BackupFile = Type.Object({
  name: Type.String({ pattern: '^[a-z][a-z.-]*$' }),
  bytes: Type.Integer({ minimum: 0 }),
  sha256: Type.String(),
});
const Manifest = Type.Object({
  format: Type.Literal(1),
  /** When the copy of the events was made, in ISO 8601. */
  at: Type.String(),
  /** Of the gateway that made it. */
  version: Type.String(),
  /** Where the events are: in the backup, or on a server that has a backup of its own. */
  events: Type.Union([Type.Literal('embedded'), Type.Literal('kurrentdb')]),
  files: Type.Array(BackupFile),
});

/** One file of a backup. */
export type BackupFile = Static<typeof BackupFile>;
/** What a backup says of itself. It is written last: a folder without it is no backup. */
export type Manifest = Static<typeof Manifest>;

/** Reads the file once. */
export async function describeFile(folder: string, name: string): Promise<BackupFile> {
  const path = join(folder, name);
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return { name, bytes: (await stat(path)).size, sha256: hash.digest('hex') };
}

/**
 * Reads what a backup says of itself, and compares every file with it.
 * @throws {CommandError} the folder is no backup, or one of its files is missing or altered
 */
export async function readManifest(folder: string): Promise<Manifest> {
  const manifest = parse(await readFile(join(folder, manifestFile), 'utf8').catch(() => ''));
  if (manifest === undefined)
    throw new CommandError(`${folder} is not a backup: it has no ${manifestFile} of this format`);
  for (const expected of manifest.files) {
    const found = await describeFile(folder, expected.name).catch(() => undefined);
    if (found === undefined) throw new CommandError(`the backup is not whole: ${expected.name} is missing`);
    if (found.sha256 !== expected.sha256)
      throw new CommandError(`the backup is not whole: ${expected.name} was altered`);
  }
  return manifest;
}

function parse(text: string): Manifest | undefined {
  try {
    const manifest: unknown = JSON.parse(text);
    return Value.Check(Manifest, manifest) ? manifest : undefined;
  } catch {
    return undefined;
  }
}
