import { createCipheriv } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { getWasmUrl, ige256Decrypt, initSync } from '@mtcute/wasm';

initSync(readFileSync(getWasmUrl()));

const BLOCK_BYTES = 16;
const zeroIv = Buffer.alloc(BLOCK_BYTES);

/**
 * AES-256-IGE. `data` is a multiple of 16 bytes, `key` has 32 bytes. `iv` has 32 bytes: the block before the first of
 * the cipher text, then the block before the first of the plain text.
 *
 * OpenSSL does not offer IGE. But c[i] = E(p[i] ^ c[i-1]) ^ p[i-1] equals CBC over p[i] ^ p[i-2], with the result
 * XORed with p[i-1]: one native call and two passes, several times faster than a cipher in JavaScript.
 */
export function igeEncrypt(data: Buffer, key: Buffer, iv: Buffer): Buffer {
  const beforeCipher = iv.subarray(0, BLOCK_BYTES);
  const beforePlain = iv.subarray(BLOCK_BYTES);
  const input = Buffer.from(data);
  xorInto(input, 0, beforeCipher, BLOCK_BYTES);
  xorInto(input, BLOCK_BYTES, beforePlain, BLOCK_BYTES);
  xorInto(input, 2 * BLOCK_BYTES, data, data.length - 2 * BLOCK_BYTES);
  const output = createCipheriv('aes-256-cbc', key, zeroIv).setAutoPadding(false).update(input);
  xorInto(output, 0, beforePlain, BLOCK_BYTES);
  xorInto(output, BLOCK_BYTES, data, data.length - BLOCK_BYTES);
  return output;
}

/** Decryption cannot use CBC: each block needs the plain text of the block before it. */
export function igeDecrypt(data: Buffer, key: Buffer, iv: Buffer): Buffer {
  const plain = ige256Decrypt(data, key, iv);
  return Buffer.from(plain.buffer, plain.byteOffset, plain.length);
}

/** XORs `count` bytes of `source` into `target` at `offset`: four at a time if the memory is aligned. */
function xorInto(target: Buffer, offset: number, source: Buffer, count: number): void {
  const bytes = Math.min(count, target.length - offset);
  if (bytes <= 0) return;
  if (((target.byteOffset + offset) | source.byteOffset | bytes) & 3) {
    for (let i = 0; i < bytes; i++) target[offset + i] = (target[offset + i] ?? 0) ^ (source[i] ?? 0);
    return;
  }
  const to = new Uint32Array(target.buffer, target.byteOffset + offset, bytes >> 2);
  const from = new Uint32Array(source.buffer, source.byteOffset, bytes >> 2);
  for (let i = 0; i < to.length; i++) to[i] = (to[i] ?? 0) ^ (from[i] ?? 0);
}
