import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { RpcError, type TlObject } from '../../rpc.ts';
import type { UserRow } from '../state/rows.ts';
import { assembleUpload, type PartPosition, requireChecksum, type UploadedFile } from './assemble-upload.ts';
import type { BlobStore } from './blob-store.ts';

type Uploader = Pick<UserRow, 'id' | 'premium'>;

/** https://core.telegram.org/api/files#uploading-files: 4,000 parts, and 8,000 with premium. */
const maxPartBytes = 524_288;
const maxParts = 4_000;
const maxPartsPremium = 8_000;
/** How long parts are kept after the last one arrived. Telegram keeps them for hours. */
const uploadLifetimeMs = 3_600_000;
const maxUploads = 256;
const spoolPrefix = 'upload-';

/**
 * The parts of a file, in one spool file. Parts of a big file are written to their final offset; other parts follow
 * each other in the order of arrival. `take` brings them in order.
 * ```
 * spool  | part 1 | part 0 | part 3 | part 2 |
 * blob   | part 0 | part 1 | part 2 | part 3 |
 * ```
 */
interface Upload {
  spool: string;
  parts: Map<number, PartPosition>;
  /** Bytes of the spool file. */
  length: number;
  /** The number of parts, once the client has named it. */
  total: number | undefined;
  /** All parts so far named the number of parts: each one is written to its final offset. */
  isInPlace: boolean;
  /** Big files only: the length of all parts but the last, once one of them has arrived. */
  partLength: number | undefined;
  /** Milliseconds since 1970. */
  touched: number;
  /** Once assembled: a client may send the same file again, as at Telegram. */
  assembled?: UploadedFile;
}

interface FilePart {
  file: bigint;
  part: number;
  /** The number of parts; -1 or undefined if the client does not know it yet. */
  total?: number;
  bytes: Buffer;
}

/** Uploads in progress. They do not survive a restart: clients upload again. */
export class Uploads {
  readonly #blobs: BlobStore;
  readonly #clock: { now(): number };
  /** By user and file ID, the least recently used one first. */
  #uploads = new Map<string, Upload>();

  constructor(blobs: BlobStore, clock: { now(): number }) {
    this.#blobs = blobs;
    this.#clock = clock;
  }

  /**
   * @throws {RpcError} 400 FILE_PART_INVALID, FILE_PART_EMPTY, FILE_PART_TOO_BIG, FILE_PARTS_INVALID,
   * FILE_PART_SIZE_INVALID, FILE_PART_SIZE_CHANGED
   */
  savePart({ id: userId, premium }: Uploader, { file, part, bytes, total: namedTotal }: FilePart): void {
    const most = premium ? maxPartsPremium : maxParts;
    const total = namedTotal === -1 ? undefined : namedTotal;
    if (part < 0 || part >= most) throw new RpcError(400, 'FILE_PART_INVALID');
    if (bytes.length === 0) throw new RpcError(400, 'FILE_PART_EMPTY');
    if (bytes.length > maxPartBytes) throw new RpcError(400, 'FILE_PART_TOO_BIG');
    if (total !== undefined && (total < 1 || total > most || part >= total)) {
      throw new RpcError(400, 'FILE_PARTS_INVALID');
    }
    const isNotLast = total !== undefined && part < total - 1;
    if (isNotLast && (bytes.length % 1024 !== 0 || maxPartBytes % bytes.length !== 0)) {
      throw new RpcError(400, 'FILE_PART_SIZE_INVALID');
    }
    const upload = this.#ensureUpload(`${userId}/${file}`);
    if (total !== undefined) {
      if (upload.total !== undefined && upload.total !== total) throw new RpcError(400, 'FILE_PARTS_INVALID');
      upload.total = total;
    } else {
      upload.isInPlace = false;
    }
    if (isNotLast) {
      upload.partLength ??= bytes.length;
      if (upload.partLength !== bytes.length) throw new RpcError(400, 'FILE_PART_SIZE_CHANGED');
    }
    this.#writePart(upload, part, bytes);
  }

  /**
   * Assembles an uploaded file. `input` is an `InputFile`.
   * @throws {RpcError} 400 FILE_PARTS_INVALID, FILE_PART_N_MISSING, FILE_PART_SIZE_CHANGED, MD5_CHECKSUM_INVALID
   */
  take({ id: userId, premium }: Uploader, input: TlObject): UploadedFile {
    const most = premium ? maxPartsPremium : maxParts;
    const upload = this.#uploads.get(`${userId}/${input['id']}`);
    const count = Number(input['parts'] ?? 0);
    if (!upload || count < 1 || count > most) throw new RpcError(400, 'FILE_PARTS_INVALID');
    if (upload.total !== undefined && upload.total !== count) throw new RpcError(400, 'FILE_PARTS_INVALID');
    upload.assembled ??= assembleUpload(this.#blobs, upload, count);
    requireChecksum(this.#blobs, upload.assembled, input);
    return upload.assembled;
  }

  /** Removes unfinished uploads, also those of an earlier run. Assembled files stay. */
  clear(): void {
    this.#uploads = new Map();
    const folder = dirname(this.#blobs.path(spoolPrefix));
    for (const name of readdirSync(folder)) {
      if (name.startsWith(spoolPrefix) && !name.endsWith('.whole')) rmSync(this.#blobs.path(name), { force: true });
    }
  }

  #writePart(upload: Upload, part: number, bytes: Buffer): void {
    const offset = offsetOf(upload, part, bytes.length);
    const descriptor = openSync(this.#blobs.path(upload.spool), upload.length === 0 ? 'w' : 'r+', 0o600);
    try {
      writeSync(descriptor, bytes, 0, bytes.length, offset);
    } finally {
      closeSync(descriptor);
    }
    upload.parts.set(part, { offset, length: bytes.length });
    upload.length = Math.max(upload.length, offset + bytes.length);
  }

  #ensureUpload(key: string): Upload {
    const now = this.#clock.now();
    for (const [oldKey, { touched }] of this.#uploads) {
      if (touched + uploadLifetimeMs < now || this.#uploads.size > maxUploads) this.#drop(oldKey);
    }
    const known = this.#uploads.get(key);
    const upload = known && !known.assembled ? known : newUpload();
    upload.touched = now;
    this.#uploads.delete(key);
    this.#uploads.set(key, upload);
    return upload;
  }

  #drop(key: string): void {
    const upload = this.#uploads.get(key);
    this.#uploads.delete(key);
    if (upload && !upload.assembled) rmSync(this.#blobs.path(upload.spool), { force: true });
  }
}

function newUpload(): Upload {
  const spool = `${spoolPrefix}${randomBytes(8).toString('hex')}`;
  return { spool, parts: new Map(), length: 0, total: undefined, isInPlace: true, partLength: undefined, touched: 0 };
}

/**
 * A part that is sent again keeps its offset. If the last part of a big file comes first, it leaves room for the rest.
 */
function offsetOf({ parts, isInPlace, partLength, length: end }: Upload, part: number, length: number): number {
  const known = parts.get(part);
  if (known && (isInPlace || known.length === length)) return known.offset;
  return isInPlace ? part * (partLength ?? maxPartBytes) : end;
}
