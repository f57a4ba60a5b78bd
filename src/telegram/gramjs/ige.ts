import { createCipheriv } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { getWasmUrl, ige256Decrypt, initSync } from '@mtcute/wasm';

initSync(readFileSync(getWasmUrl()));

const noIv = Buffer.alloc(16);

/** Beyond any packet there is: what is longer gets memory of its own. */
const mixingBytes = 1_100_000;
let mixing: Buffer | undefined;

/** In memory that is used again by the next one. */
function copyIn(plain: Buffer): Buffer {
  if (plain.length > mixingBytes) return Buffer.from(plain);
  mixing ??= Buffer.allocUnsafeSlow(mixingBytes);
  plain.copy(mixing);
  return mixing.subarray(0, plain.length);
}

/**
 * AES-256-IGE as fast as OpenSSL: c[i] = E(p[i] ^ c[i-1]) ^ p[i-1] is CBC over p[i] ^ p[i-2], with p[i-1] put on top of
 * its output, so that one native call does the whole text.
 *
 * @param iv 32 bytes: c[-1], then p[-1]
 */
export function encryptIge(plain: Buffer, key: Buffer, iv: Buffer): Buffer {
  const mixed = copyIn(plain);
  xor(mixed, 0, iv, 0, Math.min(16, plain.length));
  xor(mixed, 16, iv, 16, Math.min(16, plain.length - 16));
  xor(mixed, 32, plain, 0, plain.length - 32);
  const cipher = createCipheriv('aes-256-cbc', key, noIv).setAutoPadding(false);
  const out = cipher.update(mixed);
  xor(out, 0, iv, 16, Math.min(16, plain.length));
  xor(out, 16, plain, 0, plain.length - 16);
  return out;
}

/** The other way round there is no such identity: WebAssembly is the fastest that needs no compiler. */
export function decryptIge(cipher: Buffer, key: Buffer, iv: Buffer): Buffer {
  const plain = ige256Decrypt(cipher, key, iv);
  return Buffer.from(plain.buffer, plain.byteOffset, plain.length);
}

/** target[i + at] ^= source[i + from], by words where both lie on word boundaries. */
function xor(target: Buffer, at: number, source: Buffer, from: number, count: number): void {
  if (count <= 0) return;
  if (((target.byteOffset + at) & 3) === 0 && ((source.byteOffset + from) & 3) === 0 && (count & 3) === 0) {
    const into = new Uint32Array(target.buffer, target.byteOffset + at, count >> 2);
    const words = new Uint32Array(source.buffer, source.byteOffset + from, count >> 2);
    for (let i = 0; i < into.length; i++) into[i] = (into[i] ?? 0) ^ (words[i] ?? 0);
    return;
  }
  for (let i = 0; i < count; i++) target[at + i] = (target[at + i] ?? 0) ^ (source[from + i] ?? 0);
}
