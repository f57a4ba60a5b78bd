import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { RpcError, type TlObject } from '../../rpc.ts';
import type { BlobStore } from './blob-store.ts';

/** Where a part lies in the spool file. */
export interface PartPosition {
  offset: number;
  length: number;
}

/** The parts of a file in a spool file of `length` bytes. */
interface SpooledParts {
  spool: string;
  parts: ReadonlyMap<number, PartPosition>;
  length: number;
}

/** A file that was uploaded and assembled. */
export interface UploadedFile {
  /** Its name in the blob store. */
  blob: string;
  /** Bytes. */
  size: number;
}

/**
 * Makes one blob of the first `count` parts. Parts that lie in order are not copied: the spool file becomes the blob.
 * @throws {RpcError} 400 FILE_PART_N_MISSING, FILE_PART_SIZE_CHANGED
 */
export function assembleUpload(blobs: BlobStore, { spool, parts, length }: SpooledParts, count: number): UploadedFile {
  const positions: PartPosition[] = [];
  for (let part = 0; part < count; part += 1) {
    const position = parts.get(part);
    if (!position) throw new RpcError(400, `FILE_PART_${part}_MISSING`);
    positions.push(position);
  }
  const partLength = positions[0]?.length ?? 0;
  const lastLength = positions.at(-1)?.length ?? 0;
  if (positions.slice(0, -1).some((position) => position.length !== partLength) || lastLength > partLength) {
    throw new RpcError(400, 'FILE_PART_SIZE_CHANGED');
  }
  const size = positions.reduce((sum, position) => sum + position.length, 0);
  const blob = `${spool}.whole`;
  const isInOrder = size === length && positions.every(({ offset }, part) => offset === part * partLength);
  if (isInOrder) renameSync(blobs.path(spool), blobs.path(blob));
  else copyInOrder(blobs, spool, blob, positions);
  return { blob, size };
}

function copyInOrder(blobs: BlobStore, spool: string, blob: string, positions: readonly PartPosition[]): void {
  const from = openSync(blobs.path(spool), 'r');
  const to = openSync(blobs.path(blob), 'w', 0o600);
  const bytes = Buffer.allocUnsafe(Math.max(...positions.map(({ length }) => length)));
  for (const { offset, length } of positions) {
    readSync(from, bytes, 0, length, offset);
    writeSync(to, bytes, 0, length);
  }
  closeSync(from);
  closeSync(to);
  rmSync(blobs.path(spool), { force: true });
}

/** Only small files (`inputFile`) have a checksum, and it is optional. @throws {RpcError} 400 MD5_CHECKSUM_INVALID */
export function requireChecksum(blobs: BlobStore, { blob }: UploadedFile, input: TlObject): void {
  if (input._ !== 'inputFile' || !input['md5_checksum']) return;
  const actual = createHash('md5')
    .update(readFileSync(blobs.path(blob)))
    .digest('hex');
  if (actual !== String(input['md5_checksum']).toLowerCase()) throw new RpcError(400, 'MD5_CHECKSUM_INVALID');
}
