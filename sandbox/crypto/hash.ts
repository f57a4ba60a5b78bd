import { createHash } from 'node:crypto';

/** SHA-1 of the concatenated parts. */
export const sha1 = (...parts: readonly Uint8Array[]): Buffer => digest('sha1', parts);
export const sha256 = (...parts: readonly Uint8Array[]): Buffer => digest('sha256', parts);

function digest(algorithm: string, parts: readonly Uint8Array[]): Buffer {
  const hash = createHash(algorithm);
  for (const part of parts) hash.update(part);
  return hash.digest();
}
