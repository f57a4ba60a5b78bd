import { crc32 } from 'node:zlib';
import bigInt from 'big-integer';
import Factorizator from 'telegram/crypto/Factorizator.js';
import IGE from 'telegram/crypto/IGE.js';
import Helpers from 'telegram/Helpers.js';
import type { Randomness } from '../../../../actors/ports/clock.ts';
import { factorise, isPowModSupported, powMod } from './arithmetic.ts';
import { decryptIge, encryptIge } from './ige.ts';
import { toNative } from './native-numbers.ts';

let applied = false;

/**
 * Replaces GramJS's slowest functions at run time by native ones with the same results. GramJS reads them from its
 * modules at each call, so no file of the package changes. Done once for the whole process.
 * @param random GramJS's source of randomness from now on; that of a later call is not used
 */
export function applySpeedUps(random: Pick<Randomness, 'bytes'>): void {
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
  // For the padding of packets: one system call serves many.
  Helpers.generateRandomBytes = (count) => random.bytes(count);

  const slowModExp = Helpers.modExp;
  Helpers.modExp = (base, exponent, modulus) => {
    const [e, m] = [toNative(exponent), toNative(modulus)];
    return isPowModSupported(e, m) ? bigInt(powMod(toNative(base), e, m)) : slowModExp(base, exponent, modulus);
  };

  Factorizator.Factorizator.factorize = (product) => {
    const [p, q] = factorise(toNative(product));
    return { p: bigInt(p), q: bigInt(q) };
  };
}
