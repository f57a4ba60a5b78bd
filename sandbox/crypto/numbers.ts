import { randomBytes } from 'node:crypto';

/** Reads an unsigned big-endian number, the form of MTProto's big numbers. */
export function toBigInt(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex') || '0'}`);
}

/** The shortest big-endian form, padded with zeros to at least `length` bytes. */
export function toBytes(value: bigint, length = 0): Buffer {
  const hex = value.toString(16);
  const digits = Math.max(length * 2, hex.length + (hex.length & 1));
  return Buffer.from(hex.padStart(digits, '0'), 'hex');
}

/** As long as `a`; bytes that `b` lacks count as 0. */
export function xor(a: Uint8Array, b: Uint8Array): Buffer {
  return Buffer.from(a.map((byte, index) => byte ^ (b[index] ?? 0)));
}

export const randomLong = (): bigint => randomBytes(8).readBigInt64LE();
