import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Temporary folders of stores that were not closed: removed when the process exits. */
const openTemporaryFolders = new Set<string>();
let removesAtExit = false;

/**
 * Stored bytes as files: in the world's folder, or in a temporary folder that is removed when the store is closed.
 */
export class BlobStore {
  readonly #folder: string | undefined;
  #temporaryFolder: string | undefined;
  #isClosed = false;

  constructor(worldFolder: string | undefined) {
    this.#folder = worldFolder && join(worldFolder, 'files');
  }

  /** The path of a blob, which need not exist. Makes the folder. @throws {Error} if a temporary store was closed */
  path(name: string): string {
    return join(this.#ensureFolder(), name);
  }

  write(name: string, bytes: Buffer): void {
    const path = this.path(name);
    writeFileSync(`${path}.new`, bytes, { mode: 0o600 });
    renameSync(`${path}.new`, path);
  }

  /** Fewer bytes than `length` at the end of the blob; none if it does not exist. */
  read(name: string, offset: number, length: number): Buffer {
    const path = this.path(name);
    if (length <= 0 || !existsSync(path)) return Buffer.alloc(0);
    const descriptor = openSync(path, 'r');
    try {
      const bytes = Buffer.allocUnsafe(length);
      return bytes.subarray(0, readSync(descriptor, bytes, 0, length, offset));
    } finally {
      closeSync(descriptor);
    }
  }

  removeAll(): void {
    if (this.#folder) rmSync(this.#folder, { recursive: true, force: true });
    else this.#removeTemporaryFolder();
  }

  /** Removes a temporary folder, and keeps calls that are still running from making another one. */
  close(): void {
    this.#removeTemporaryFolder();
    this.#isClosed = true;
  }

  #removeTemporaryFolder(): void {
    if (!this.#temporaryFolder) return;
    rmSync(this.#temporaryFolder, { recursive: true, force: true });
    openTemporaryFolders.delete(this.#temporaryFolder);
    this.#temporaryFolder = undefined;
  }

  #ensureFolder(): string {
    if (this.#folder) {
      mkdirSync(this.#folder, { recursive: true });
      return this.#folder;
    }
    if (this.#temporaryFolder) return this.#temporaryFolder;
    if (this.#isClosed) throw new Error('the world is closed');
    this.#temporaryFolder = mkdtempSync(join(tmpdir(), 'sandbox-files-'));
    openTemporaryFolders.add(this.#temporaryFolder);
    if (!removesAtExit) process.once('exit', removeOpenTemporaryFolders);
    removesAtExit = true;
    return this.#temporaryFolder;
  }
}

function removeOpenTemporaryFolders(): void {
  for (const folder of openTemporaryFolders) rmSync(folder, { recursive: true, force: true });
}
