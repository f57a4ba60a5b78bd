/** Bytes of a file, both ends included, as HTTP counts them. */
export interface ByteRange {
  first: number;
  last: number;
}

/** The result of a `Range` header. */
export type WantedBytes = 'whole' | 'not satisfiable' | ByteRange;

/**
 * Reads a `Range` header of one range (RFC 9110, 14.1.2): `a-b`, `a-` or `-n`. Anything else, several ranges included,
 * gives the whole file, as without a header.
 * @param size of the file, in bytes
 */
export function wantedBytes(header: string | undefined, size: number): WantedBytes {
  const [, from, to] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '') ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return 'whole';
  if (from === '') {
    const count = Math.min(Number(to), size);
    return count === 0 ? 'not satisfiable' : { first: size - count, last: size - 1 };
  }
  const first = Number(from);
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== '' && isLess(to, from)) return 'whole';
  return first >= size ? 'not satisfiable' : { first, last };
}

/** Compares decimal numbers of any length: beyond 2^53 two different numbers may become equal. */
const isLess = (a: string, b: string): boolean => BigInt(a) < BigInt(b);

/** Files are fetched and cached in chunks of this many bytes. */
export const chunkBytes = 512 * 1024;

export const chunkOf = (offset: number): number => Math.floor(offset / chunkBytes);

/** The length of a chunk: only the last one of a file is shorter. */
export const lengthOfChunk = (index: number, size: number): number =>
  Math.max(0, Math.min(chunkBytes, size - index * chunkBytes));

/** The part of a chunk inside a range, in bytes from the start of the chunk; `end` is exclusive. */
export function sliceOfChunk(index: number, { first, last }: ByteRange): { start: number; end: number } {
  const offset = index * chunkBytes;
  return { start: Math.max(0, first - offset), end: Math.min(chunkBytes, last + 1 - offset) };
}
