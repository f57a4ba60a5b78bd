import { crc32 } from 'node:zlib';
import bigInt from 'big-integer';
import Factorizator from 'telegram/crypto/Factorizator.js';
import IGE from 'telegram/crypto/IGE.js';
import Helpers from 'telegram/Helpers.js';
import { factorise, isPowModSupported, powMod } from './arithmetic.ts';
import { decryptIge, encryptIge } from './ige.ts';

let applied = false;

/**
 * Replaces, at run time, the functions that GramJS spends its time in by ones that give the same at native speed; it
 * reads them from its modules at each call, so nothing of the package is changed. For the whole process, once.
 */
export function applySpeedUps(): void {
  if (applied) return;
  applied = true;

  IGE.IGE = class NativeIge {
    readonly #key: Buffer;
    readonly #iv: Buffer;

    constructor(key: Buffer, iv: Buffer) {
      this.#key = key;
      this.#iv = iv;
    }

    encryptIge(plain: Buffer): Buffer {
      const missing = -plain.length & 15;
      const whole = missing === 0 ? plain : Buffer.concat([plain, Helpers.generateRandomBytes(missing)]);
      return encryptIge(whole, this.#key, this.#iv);
    }

    decryptIge(cipher: Buffer): Buffer {
      return decryptIge(cipher, this.#key, this.#iv);
    }
  } as unknown as typeof IGE.IGE;

  Helpers.crc32 = (bytes) => crc32(bytes);

  const slowModExp = Helpers.modExp;
  Helpers.modExp = (base, exponent, modulus) => {
    const [e, m] = [toNative(exponent), toNative(modulus)];
    return isPowModSupported(e, m) ? bigInt(powMod(toNative(base), e, m)) : slowModExp(base, exponent, modulus);
  };

  Factorizator.Factorizator.factorize = (product) => {
    const [p, q] = factorise(toNative(product));
    return { p: bigInt(p), q: bigInt(q) };
  };

  Helpers.toSignedLittleBuffer = (value, length = 8) =>
    toLittleEndian(typeof value === 'object' ? toNative(value) : BigInt(value), length);
  Helpers.readBigIntFromBuffer = readNumber;
}

/** big-integer keeps a native one inside wherever the engine has them; asking for its text would cost a conversion. */
function toNative(value: bigInt.BigInteger): bigint {
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
