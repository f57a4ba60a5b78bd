import { createHash } from 'node:crypto';
import { closeSync, openSync, readdirSync, readFileSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { RpcError, type TlObject } from '../../rpc.ts';
import type { World } from '../world.ts';
import { blobPath } from './blob-store.ts';

/** https://core.telegram.org/api/files#uploading-files: 4,000 parts for those who do not pay. */
const maxPartBytes = 524_288;
const maxParts = 4_000;
/** Parts that nobody asked for any more; Telegram keeps them for hours. */
const lifeMs = 3_600_000;
const maxUploads = 256;
const spoolPrefix = 'upload-';

/**
 * Parts of a file in one spool, those of a big one where they belong, others in the order in which they came. They do not
 * survive a restart: clients upload again.
 * ```
 * spool  | part 1 | part 0 | part 3 | part 2 |
 * blob   | part 0 | part 1 | part 2 | part 3 |     when it is taken
 * ```
 */
interface Upload {
  spool: string;
  parts: Map<number, { at: number; length: number }>;
  length: number;
  total: number | undefined;
  /** Every part so far has said how many there are: each has its place, which no other one takes. */
  inPlace: boolean;
  /** Of a big file: the length of every part but the last, once one has come. */
  step: number | undefined;
  touched: number;
  /** Once taken: the same file may be sent again, as at Telegram. */
  taken?: Uploaded;
}

/** A file that was uploaded and put together. */
export interface Uploaded {
  /** Its name among the world's blobs. */
  blob: string;
  /** Bytes. */
  size: number;
}

const uploadsOf = new WeakMap<World, Map<string, Upload>>();

/**
 * @throws {RpcError} 400 FILE_PART_INVALID, FILE_PART_EMPTY, FILE_PART_TOO_BIG, FILE_PARTS_INVALID,
 * FILE_PART_SIZE_INVALID, FILE_PART_SIZE_CHANGED
 */
export function savePart(
  world: World,
  userId: number,
  of: { file: bigint; part: number; total?: number; bytes: Buffer },
): void {
  const { part, bytes } = of;
  const total = of.total === -1 ? undefined : of.total;
  if (part < 0 || part >= maxParts) throw new RpcError(400, 'FILE_PART_INVALID');
  if (bytes.length === 0) throw new RpcError(400, 'FILE_PART_EMPTY');
  if (bytes.length > maxPartBytes) throw new RpcError(400, 'FILE_PART_TOO_BIG');
  if (total !== undefined && (total < 1 || total > maxParts || part >= total)) {
    throw new RpcError(400, 'FILE_PARTS_INVALID');
  }
  const inTheMiddle = total !== undefined && part < total - 1;
  if (inTheMiddle && (bytes.length % 1024 !== 0 || maxPartBytes % bytes.length !== 0)) {
    throw new RpcError(400, 'FILE_PART_SIZE_INVALID');
  }
  const upload = uploadOf(world, `${userId}/${of.file}`);
  if (total !== undefined) {
    if (upload.total !== undefined && upload.total !== total) throw new RpcError(400, 'FILE_PARTS_INVALID');
    upload.total = total;
  } else {
    upload.inPlace = false;
  }
  if (inTheMiddle) {
    upload.step ??= bytes.length;
    if (upload.step !== bytes.length) throw new RpcError(400, 'FILE_PART_SIZE_CHANGED');
  }
  writePart(world, upload, part, bytes);
}

/** The same part again takes the place that it had. The last of a big file, if it comes first, leaves room for all. */
function placeOf({ parts, inPlace, step, length: end }: Upload, part: number, length: number): number {
  const known = parts.get(part);
  if (known && (inPlace || known.length === length)) return known.at;
  return inPlace ? part * (step ?? maxPartBytes) : end;
}

function writePart(world: World, upload: Upload, part: number, bytes: Buffer): void {
  const at = placeOf(upload, part, bytes.length);
  const descriptor = openSync(blobPath(world, upload.spool), upload.length === 0 ? 'w' : 'r+', 0o600);
  try {
    writeSync(descriptor, bytes, 0, bytes.length, at);
  } finally {
    closeSync(descriptor);
  }
  upload.parts.set(part, { at, length: bytes.length });
  upload.length = Math.max(upload.length, at + bytes.length);
}

function uploadOf(world: World, key: string): Upload {
  const uploads = uploadsOf.get(world) ?? new Map<string, Upload>();
  uploadsOf.set(world, uploads);
  const now = world.clock.now();
  for (const [oldKey, { touched }] of uploads) {
    if (touched + lifeMs < now || uploads.size > maxUploads) drop(world, oldKey);
  }
  const known = uploads.get(key);
  const upload = known && !known.taken ? known : newUpload(world);
  upload.touched = now;
  uploads.delete(key);
  uploads.set(key, upload);
  return upload;
}

function newUpload(world: World): Upload {
  const spool = `${spoolPrefix}${world.random(8).toString('hex')}`;
  return { spool, parts: new Map(), length: 0, total: undefined, inPlace: true, step: undefined, touched: 0 };
}

/**
 * Puts an uploaded file together.
 * @throws {RpcError} 400 FILE_PARTS_INVALID, FILE_PART_N_MISSING, FILE_PART_SIZE_CHANGED, MD5_CHECKSUM_INVALID
 */
export function takeUpload(world: World, userId: number, input: TlObject): Uploaded {
  const upload = uploadsOf.get(world)?.get(`${userId}/${input['id']}`);
  const count = Number(input['parts'] ?? 0);
  if (!upload || count < 1 || count > maxParts) throw new RpcError(400, 'FILE_PARTS_INVALID');
  if (upload.total !== undefined && upload.total !== count) throw new RpcError(400, 'FILE_PARTS_INVALID');
  upload.taken ??= putTogether(world, upload, count);
  requireChecksum(world, upload.taken, input);
  return upload.taken;
}

function putTogether(world: World, upload: Upload, count: number): Uploaded {
  const places: { at: number; length: number }[] = [];
  for (let part = 0; part < count; part += 1) {
    const place = upload.parts.get(part);
    if (!place) throw new RpcError(400, `FILE_PART_${part}_MISSING`);
    places.push(place);
  }
  const [first] = places;
  if (places.slice(0, -1).some(({ length }) => length !== first?.length) || lastIsLonger(places)) {
    throw new RpcError(400, 'FILE_PART_SIZE_CHANGED');
  }
  const size = places.reduce((sum, { length }) => sum + length, 0);
  const blob = `${upload.spool}.whole`;
  const inOrder = size === upload.length && places.every(({ at }, part) => at === part * (first?.length ?? 0));
  if (inOrder) renameSync(blobPath(world, upload.spool), blobPath(world, blob));
  else reorder(world, upload.spool, blob, places);
  return { blob, size };
}

function lastIsLonger(places: readonly { length: number }[]): boolean {
  return (places.at(-1)?.length ?? 0) > (places[0]?.length ?? 0);
}

function reorder(world: World, spool: string, blob: string, places: readonly { at: number; length: number }[]): void {
  const from = openSync(blobPath(world, spool), 'r');
  const to = openSync(blobPath(world, blob), 'w', 0o600);
  const bytes = Buffer.allocUnsafe(maxPartBytes);
  for (const { at, length } of places) {
    readSync(from, bytes, 0, length, at);
    writeSync(to, bytes, 0, length);
  }
  closeSync(from);
  closeSync(to);
  rmSync(blobPath(world, spool), { force: true });
}

/** Small files alone have one, and need none. */
function requireChecksum(world: World, { blob }: Uploaded, input: TlObject): void {
  if (input._ !== 'inputFile' || !input['md5_checksum']) return;
  const found = createHash('md5')
    .update(readFileSync(blobPath(world, blob)))
    .digest('hex');
  if (found !== String(input['md5_checksum']).toLowerCase()) throw new RpcError(400, 'MD5_CHECKSUM_INVALID');
}

function drop(world: World, key: string): void {
  const upload = uploadsOf.get(world)?.get(key);
  uploadsOf.get(world)?.delete(key);
  if (upload && !upload.taken) rmSync(blobPath(world, upload.spool), { force: true });
}

/** Half-done uploads, of an earlier start too; what was put together stays. */
export function forgetUploads(world: World): void {
  uploadsOf.delete(world);
  const folder = dirname(blobPath(world, spoolPrefix));
  for (const name of readdirSync(folder)) {
    if (name.startsWith(spoolPrefix) && !name.endsWith('.whole')) rmSync(blobPath(world, name), { force: true });
  }
}
