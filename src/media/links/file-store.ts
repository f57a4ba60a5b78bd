import { type FileHandle, mkdir, open, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

/** A stored file. Its name ends with its length, so that a truncated file is detected. */
export interface StoredFile {
  group: string;
  name: string;
  bytes: number;
}

/** Files are written here until they are complete. */
const drafts = 'drafts';
/** The content's CRC-32, which follows it: a disk may return other bytes than were written. */
const checksumBytes = 4;

/**
 * Files under names, in groups. Each is on the disk completely or not at all, readable to its owner only:
 *
 * ```
 * {folder}/{group}/{name}~{bytes}      modified: when it was last opened
 * {folder}/drafts/{number}             being written; swept at the start
 * ```
 */
export class FileStore {
  readonly #folder: string;
  #draftCount = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The files of an earlier process, with the times (milliseconds) at which each was last opened. */
  async find(): Promise<{ file: StoredFile; openedAt: number }[]> {
    await rm(join(this.#folder, drafts), { recursive: true, force: true });
    await mkdir(join(this.#folder, drafts), { recursive: true, mode: 0o700 });
    const found: { file: StoredFile; openedAt: number }[] = [];
    for (const group of await readdir(this.#folder, { withFileTypes: true })) {
      if (!group.isDirectory() || group.name === drafts) continue;
      for (const entry of await readdir(join(this.#folder, group.name))) {
        const path = join(this.#folder, group.name, entry);
        const { size, mtimeMs } = await stat(path);
        // Stryker disable next-line ArrayDeclaration: its first element is passed over
        const [, name, bytes] = /^([\w-]+)~(\d+)$/.exec(entry) ?? [];
        // Stryker disable next-line ConditionalExpression: without a name the number is none either
        if (name === undefined || Number(bytes) + checksumBytes !== size)
          await rm(path, { recursive: true, force: true });
        else found.push({ file: { group: group.name, name, bytes: Number(bytes) }, openedAt: mtimeMs });
      }
    }
    return found;
  }

  /** @throws the disk's error; then nothing of the file is left */
  async write(file: StoredFile, bytes: Buffer, openedAt: number): Promise<void> {
    // Stryker disable next-line AssignmentOperator: any number that was not used before
    const draft = join(this.#folder, drafts, String((this.#draftCount += 1)));
    try {
      await writeFile(draft, [bytes, checksumOf(bytes)], { mode: 0o600 });
      await utimes(draft, openedAt / 1000, openedAt / 1000);
      await this.#moveIn(draft, file);
    } catch (error) {
      await rm(draft, { force: true }).catch(() => undefined);
      throw error;
    }
  }

  /** Undefined if the file does not exist, is incomplete or is damaged. */
  async read(file: StoredFile): Promise<Buffer | undefined> {
    let handle: FileHandle | undefined;
    try {
      handle = await open(this.#pathOf(file));
      // A buffer of its own: a slice of a pool would keep the whole pool for as long as a slow viewer takes.
      const bytes = Buffer.allocUnsafeSlow(file.bytes);
      const checksum = Buffer.alloc(checksumBytes);
      const { bytesRead } = await handle.readv([bytes, checksum], 0);
      const isWhole = bytesRead === file.bytes + checksumBytes && checksum.equals(checksumOf(bytes));
      return isWhole ? bytes : undefined;
    } catch {
      return undefined;
    } finally {
      await handle?.close();
    }
  }

  /** The file may have been removed meanwhile. */
  async noteOpening(file: StoredFile, openedAt: number): Promise<void> {
    await utimes(this.#pathOf(file), openedAt / 1000, openedAt / 1000).catch(() => undefined);
  }

  async remove(file: StoredFile): Promise<void> {
    await rm(this.#pathOf(file), { force: true }).catch(() => undefined);
  }

  /** @throws the disk's error */
  async removeGroup(group: string): Promise<void> {
    await rm(join(this.#folder, group), { recursive: true, force: true });
  }

  async #moveIn(draft: string, file: StoredFile): Promise<void> {
    try {
      await rename(draft, this.#pathOf(file));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      await mkdir(join(this.#folder, file.group), { recursive: true, mode: 0o700 });
      await rename(draft, this.#pathOf(file));
    }
  }

  #pathOf({ group, name, bytes }: StoredFile): string {
    return join(this.#folder, group, `${name}~${bytes}`);
  }
}

function checksumOf(bytes: Buffer): Buffer {
  const checksum = Buffer.alloc(checksumBytes);
  checksum.writeUInt32BE(crc32(bytes));
  return checksum;
}
