import bigInt from 'big-integer';
import { Api } from 'telegram/tl/index.js';

/**
 * The largest allowed part; every part but the last has this size
 * (https://core.telegram.org/api/files#uploading-files).
 */
export const partBytes = 512 * 1024;

/** `upload_max_fileparts_default` and `…_premium` (https://core.telegram.org/api/config#client-configuration). */
const maxParts = { free: 4_000, premium: 8_000 } as const;

export const maxUploadBytes = (isPremium: boolean): number => partBytes * maxParts[isPremium ? 'premium' : 'free'];

export type SavePart = Api.upload.SaveFilePart | Api.upload.SaveBigFilePart;

/** The file that the parts belong to, and for a big one the number of parts. */
export interface UploadedFile {
  id: bigint;
  totalParts?: number;
}

/** `constructor 4 · file_id 8 · file_part 4 · of a big file: file_total_parts 4 · fe 1 · length 3`, then the bytes. */
const headerBytes = { small: 20, big: 24 } as const;
/** A length of three bytes follows (https://core.telegram.org/type/bytes). */
const longMark = 0xfe;
const smallConstructor = new Api.upload.SaveFilePart({}).CONSTRUCTOR_ID;
const bigConstructor = new Api.upload.SaveBigFilePart({}).CONSTRUCTOR_ID;

/**
 * A reusable buffer for requests that upload a part: the file is read directly into it, and it is sent without a copy.
 * GramJS would copy half a megabyte several times to write it.
 */
export class UploadPart {
  readonly #memory = Buffer.allocUnsafeSlow(headerBytes.big + partBytes);
  /** The bytes of the part inside the request. */
  readonly room = this.#memory.subarray(headerBytes.big);

  /** The request for the first `length` bytes of the {@link room}. It is valid until the room is filled again. */
  request(file: UploadedFile, part: number, length: number): SavePart {
    const request = ordinary(file, part, this.room.subarray(0, length));
    // Every part but the last is whole.
    if (length !== partBytes) return request;
    const bytes = this.#write(file, part);
    return Object.defineProperty(request, 'getBytes', { value: () => bytes });
  }

  #write({ id, totalParts }: UploadedFile, part: number): Buffer {
    const isBig = totalParts !== undefined;
    const start = headerBytes.big - headerBytes[isBig ? 'big' : 'small'];
    let at = this.#memory.writeUInt32LE(isBig ? bigConstructor : smallConstructor, start);
    at = this.#memory.writeBigInt64LE(id, at);
    at = this.#memory.writeInt32LE(part, at);
    if (isBig) at = this.#memory.writeInt32LE(totalParts, at);
    at = this.#memory.writeUInt8(longMark, at);
    this.#memory.writeUIntLE(partBytes, at, 3);
    return this.#memory.subarray(start);
  }
}

function ordinary({ id, totalParts }: UploadedFile, filePart: number, bytes: Buffer): SavePart {
  const fields = { fileId: bigInt(id), filePart, bytes };
  return totalParts === undefined
    ? new Api.upload.SaveFilePart(fields)
    : new Api.upload.SaveBigFilePart({ ...fields, fileTotalParts: totalParts });
}
