/**
 * A copy for what lives long and is small. Node cuts small Buffers out of blocks of 8 KB, and each of them keeps its whole
 * block: `Buffer.alloc` alone takes no part in that.
 */
export function withOwnMemory(bytes: Uint8Array): Buffer {
  const copy = Buffer.alloc(bytes.length);
  copy.set(bytes);
  return copy;
}
