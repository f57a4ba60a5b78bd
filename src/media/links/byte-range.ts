/** Bytes of a file, both ends included, as HTTP counts them. */
export interface ByteRange {
  first: number;
  last: number;
}

/** What a `Range` header asks for. */
export type WantedBytes = 'whole' | 'not satisfiable' | ByteRange;

/**
 * Reads a `Range` header of one range (RFC 9110, 14.1.2): `a-b`, `a-` or `-n`. Anything else, several ranges too, is
 * answered with the whole file, as if it had not been sent.
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

/** Of decimal numbers of any length: beyond 2^53 two different ones may become the same. */
const isLess = (a: string, b: string): boolean => BigInt(a) < BigInt(b);

/** A file is fetched and kept in chunks of so many bytes. */
export const chunkBytes = 512 * 1024;

export const chunkOf = (offset: number): number => Math.floor(offset / chunkBytes);

/** How long a chunk is: only the last one of a file is shorter than the others. */
export const lengthOfChunk = (index: number, size: number): number =>
  Math.max(0, Math.min(chunkBytes, size - index * chunkBytes));

/** What of a chunk lies inside a range, in bytes from the chunk's own beginning; `end` is the first one outside. */
export function sliceOfChunk(index: number, { first, last }: ByteRange): { start: number; end: number } {
  const offset = index * chunkBytes;
  return { start: Math.max(0, first - offset), end: Math.min(chunkBytes, last + 1 - offset) };
}
