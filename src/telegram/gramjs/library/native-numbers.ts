import bigInt from 'big-integer';
import Helpers from 'telegram/Helpers.js';

// GramJS's classes copy these functions when they are loaded, not when they are called. So this module must be
// imported before them; the import does the work. Imported too late, they are slower but still correct.
Helpers.toSignedLittleBuffer = (value, length = 8) =>
  toLittleEndian(typeof value === 'object' ? toNative(value) : BigInt(value), length);
Helpers.readBigIntFromBuffer = readNumber;

/** big-integer holds a native number if the engine has them; going through its text would cost a conversion. */
export function toNative(value: bigInt.BigInteger): bigint {
  const { value: native } = value as unknown as { value?: unknown };
  return typeof native === 'bigint' ? native : BigInt(value.toString());
}

/** Two's complement, little-endian. */
function toLittleEndian(value: bigint, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  if (length === 8) {
    bytes.writeBigInt64LE(BigInt.asIntN(64, value));
    return bytes;
  }
  let rest = BigInt.asUintN(length * 8, value);
  for (let i = 0; i < length; i++) {
    bytes[i] = Number(rest & 255n);
    rest >>= 8n;
  }
  return bytes;
}

function readNumber(bytes: Buffer, little = true, signed = false): bigInt.BigInteger {
  if (bytes.length === 8) {
    if (little) return bigInt(signed ? bytes.readBigInt64LE() : bytes.readBigUInt64LE());
    return bigInt(signed ? bytes.readBigInt64BE() : bytes.readBigUInt64BE());
  }
  const ordered = little ? Buffer.from(bytes.toReversed()) : bytes;
  const value = ordered.length === 0 ? 0n : BigInt(`0x${ordered.toString('hex')}`);
  return bigInt(signed ? BigInt.asIntN(bytes.length * 8, value) : value);
}
