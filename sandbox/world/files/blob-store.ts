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
import type { World } from '../world.ts';

/** Bytes that were given, as files: in the world's folder, or in one of their own that goes with the world. */

const temporary = new WeakMap<World, string>();
const leftOver = new Set<string>();
const ended = new WeakSet<World>();
let removesLeftOver = false;

/** Where a given file lies. */
export function blobPath(world: World, name: string): string {
  return join(blobFolder(world), name);
}

export function keepBlob(world: World, name: string, bytes: Buffer): void {
  const path = blobPath(world, name);
  writeFileSync(`${path}.new`, bytes, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** Fewer bytes than asked for at the end; none where there is no such file. */
export function readBlob(world: World, name: string, offset: number, length: number): Buffer {
  const path = blobPath(world, name);
  if (length <= 0 || !existsSync(path)) return Buffer.alloc(0);
  const descriptor = openSync(path, 'r');
  try {
    const bytes = Buffer.allocUnsafe(length);
    return bytes.subarray(0, readSync(descriptor, bytes, 0, length, offset));
  } finally {
    closeSync(descriptor);
  }
}

/** Of a world that starts again. */
export function removeBlobs(world: World): void {
  if (world.folder) rmSync(join(world.folder, 'files'), { recursive: true, force: true });
  else removeTemporaryBlobs(world);
}

/** Of a world that ends: what it keeps in a folder of its own stays, and what is still under way makes no other one. */
export function endBlobs(world: World): void {
  removeTemporaryBlobs(world);
  ended.add(world);
}

function removeTemporaryBlobs(world: World): void {
  const folder = temporary.get(world);
  if (!folder) return;
  rmSync(folder, { recursive: true, force: true });
  temporary.delete(world);
  leftOver.delete(folder);
}

function blobFolder(world: World): string {
  if (world.folder) {
    const folder = join(world.folder, 'files');
    mkdirSync(folder, { recursive: true });
    return folder;
  }
  const known = temporary.get(world);
  if (known) return known;
  if (ended.has(world)) throw new Error('the world has ended');
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-files-'));
  temporary.set(world, folder);
  leftOver.add(folder);
  if (!removesLeftOver) process.once('exit', removeLeftOver);
  removesLeftOver = true;
  return folder;
}

/** A world that nobody closed. */
function removeLeftOver(): void {
  for (const folder of leftOver) rmSync(folder, { recursive: true, force: true });
}
