import { createHash, randomBytes } from 'node:crypto';
import bigInt from 'big-integer';
import fc from 'fast-check';
import IGE from 'telegram/crypto/IGE.js';
import { describe, expect, it } from 'vitest';
import { dhPrime, dhPrimeNumber, randomExponent } from '../../../../../sandbox/crypto/dh.ts';
import { createPq } from '../../../../../sandbox/crypto/pq.ts';
import { checkSrpAnswer, createChallenge, createVerifier } from '../../../../../sandbox/crypto/srp.ts';
import { systemRandomness } from '../../../../../src/config/clock.ts';
import {
  factorise,
  isPowModSupported,
  powMod,
  toBigInt,
  toBytes,
} from '../../../../../src/telegram/gramjs/library/arithmetic.ts';
import { decryptIge, encryptIge } from '../../../../../src/telegram/gramjs/library/ige.ts';
import { provePassword } from '../../../../../src/telegram/gramjs/login/password-check.ts';

describe('AES-IGE', () => {
  it('gives what the definition gives, for any length of whole blocks', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.uint8Array({ minLength: 64, maxLength: 64 }), (blocks, seed) => {
        const [key, iv] = [Buffer.from(seed.slice(0, 32)), Buffer.from(seed.slice(32))];
        const plain = createHash('shake256', { outputLength: blocks * 16 })
          .update(seed)
          .digest();
        const cipher = encryptIge(plain, key, iv);
        expect(decryptIge(cipher, key, iv).equals(plain)).toBe(true);
        expect(encryptIge(plain.subarray(0, 16), key, iv).equals(cipher.subarray(0, 16))).toBe(true);
      }),
    );
  });

  // Short texts are encrypted by WebAssembly, long ones by OpenSSL.
  it.each([1, 33, 48, 49, 100])('[speed-up] agrees with GramJS on %i blocks', (blocks) => {
    const [key, iv, plain] = [randomBytes(32), randomBytes(32), randomBytes(16 * blocks)];
    const theirs = new IGE.IGE(key, iv).encryptIge(plain);
    expect(encryptIge(plain, key, iv).toString('hex')).toBe(theirs.toString('hex'));
  });
});

describe('numbers', () => {
  it('[speed-up] powers are those of plain arithmetic', () => {
    const slow = (base: bigint, exponent: bigint): bigint =>
      BigInt(bigInt(base).modPow(bigInt(exponent), bigInt(dhPrimeNumber)).toString());
    for (const exponent of [2n, 65_537n, toBigInt(randomBytes(32)), toBigInt(randomExponent())]) {
      const base = toBigInt(randomBytes(250));
      expect(powMod(base, exponent, dhPrimeNumber)).toBe(slow(base, exponent));
    }
    expect(isPowModSupported(5n, 7n)).toBe(false);
    expect([0n, 1n, 2n].map((exponent) => isPowModSupported(exponent, dhPrimeNumber))).toEqual([false, false, true]);
    expect(isPowModSupported(dhPrimeNumber, dhPrimeNumber)).toBe(false);
    expect(isPowModSupported(5n, dhPrimeNumber + 1n)).toBe(false);
  });

  it('[speed-up] finds the two primes of a product', () => {
    const primes = [2n, 3n, 65_537n, 1_000_003n, 1_229_739_323n, 1_402_015_859n, 2_147_483_647n, 4_294_967_291n];
    for (const p of primes) {
      for (const q of primes) {
        if (p < q) expect(factorise(p * q)).toEqual([p, q]);
      }
    }
    // Shanks's method finds no square for some of these.
    for (const p of [3n, 5n, 7n, 11n, 13n, 17n, 19n, 23n]) {
      for (const q of [3n, 5n, 7n, 11n, 13n, 17n, 19n, 23n]) if (p <= q) expect(factorise(p * q)).toEqual([p, q]);
    }
    expect(factorise(2_147_483_647n * 2_147_483_647n)).toEqual([2_147_483_647n, 2_147_483_647n]);
  });

  it('[speed-up] finds the two primes of two hundred random products', () => {
    for (let count = 0; count < 200; count++) {
      const { p, q } = createPq();
      expect(factorise(p * q)).toEqual([p, q]);
    }
  });

  it('[speed-up] does not look for ever for the factors of a prime', () => {
    for (const prime of [2n, 101n, 1_000_003n, 4_611_686_018_427_387_847n]) {
      expect(() => factorise(prime)).toThrow('the number is not the product of two primes');
    }
  });

  it('keeps leading zeros', () => {
    expect(toBytes(1n, 4)).toEqual(Buffer.of(0, 0, 0, 1));
    expect(toBigInt(Buffer.alloc(0))).toBe(0n);
  });
});

describe('the proof of a password', () => {
  it('convinces a server that knows the verifier, and a wrong one does not', async () => {
    const [salt1, salt2] = [randomBytes(16), randomBytes(16)];
    const verifier = await createVerifier('hunter2', salt1, salt2);
    const challenge = createChallenge(verifier, randomExponent());
    const ask = { srpId: bigInt(1), B: challenge.B, p: dhPrime, g: 3, salt1, salt2 };
    const right = await provePassword(ask, 'hunter2', systemRandomness);
    const wrong = await provePassword(ask, 'hunter3', systemRandomness);
    expect(checkSrpAnswer(challenge, right.A, right.M1)).toBe(true);
    expect(checkSrpAnswer(challenge, wrong.A, wrong.M1)).toBe(false);
  });

  it('is not given to a server whose numbers are not Telegram’s', async () => {
    const good = {
      srpId: bigInt(1),
      B: toBytes(12_345n, 256),
      p: dhPrime,
      g: 3,
      salt1: Buffer.alloc(8),
      salt2: Buffer.alloc(8),
    };
    const prove = (change: Partial<typeof good>): Promise<unknown> =>
      provePassword({ ...good, ...change }, 'hunter2', systemRandomness);
    await expect(prove({ g: 2 })).rejects.toThrow('unknown group');
    await expect(prove({ p: Buffer.concat([dhPrime.subarray(0, 255), Buffer.of(1)]) })).rejects.toThrow(
      'unknown group',
    );
    await expect(prove({ B: Buffer.alloc(256) })).rejects.toThrow('out of range');
    await expect(prove({ B: dhPrime })).rejects.toThrow('out of range');
  });
});
