import { createPublicKey, randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import bigInt from 'big-integer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  dhGenerator,
  dhPower,
  dhPrime,
  dhPrimeNumber,
  generatorPower,
  isPublicNumber,
  randomExponent,
} from '../../../../sandbox/crypto/dh.ts';
import {
  decryptFromClient,
  decryptFromServer,
  decryptV1FromClient,
  encryptToClient,
  encryptToServer,
  encryptV1ToServer,
} from '../../../../sandbox/crypto/encrypted-message.ts';
import { sha1 } from '../../../../sandbox/crypto/hash.ts';
import { igeDecrypt, igeEncrypt } from '../../../../sandbox/crypto/ige.ts';
import { toBigInt, toBytes } from '../../../../sandbox/crypto/numbers.ts';
import { createPq } from '../../../../sandbox/crypto/pq.ts';
import { createRsaKey } from '../../../../sandbox/crypto/rsa-key.ts';
import { checkSrpAnswer, createChallenge, createVerifier } from '../../../../sandbox/crypto/srp.ts';
import { Api } from '../../../support/telegram-clients/gramjs.ts';

const require = createRequire(import.meta.url);
const { IGE } = require('telegram/crypto/IGE.js') as {
  IGE: new (key: Buffer, iv: Buffer) => { encryptIge(data: Buffer): Uint8Array };
};
const { computeCheck } = require('telegram/Password.js') as {
  computeCheck: (asked: unknown, password: string) => Promise<{ A: Buffer; M1: Buffer }>;
};

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
const bytes = (length: number): fc.Arbitrary<Buffer> =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((array) => Buffer.from(array));

describe('AES-IGE', () => {
  it('encrypts as another implementation does, and decrypts', () => {
    fc.assert(
      fc.property(
        bytes(32),
        bytes(32),
        fc.integer({ min: 1, max: 40 }).chain((blocks) => bytes(blocks * 16)),
        (key, iv, data) => {
          const sealed = igeEncrypt(data, key, iv);
          expect(sealed).toEqual(Buffer.from(new IGE(key, iv).encryptIge(data)));
          expect(igeDecrypt(sealed, key, iv)).toEqual(data);
        },
      ),
    );
  });

  it('works at any alignment, and does not change its input', () => {
    const [key, iv, around] = [randomBytes(32), randomBytes(32), randomBytes(100)];
    const aligned = igeEncrypt(Buffer.from(around.subarray(3, 67)), key, iv);
    const before = Buffer.from(around);
    expect(igeEncrypt(around.subarray(3, 67), key, iv)).toEqual(aligned);
    expect(around).toEqual(before);
  });
});

describe('Diffie-Hellman powers', () => {
  it('equal those of bigint arithmetic', () => {
    fc.assert(
      fc.property(bytes(256), bytes(32), (base, exponent) => {
        base[0] = 0x7f;
        exponent[31] = 3;
        const expected = bigInt(base.toString('hex'), 16).modPow(
          bigInt(exponent.toString('hex'), 16),
          bigInt(dhPrimeNumber.toString()),
        );
        expect(dhPower(base, exponent).toString('hex')).toBe(expected.toString(16).padStart(512, '0'));
      }),
      { numRuns: 5 },
    );
  });

  it('give the same secret on both sides', () => {
    const [a, b] = [randomExponent(), randomExponent()];
    expect(dhPower(generatorPower(a), b)).toEqual(dhPower(generatorPower(b), a));
  });

  it('refuse unsafe public numbers', () => {
    for (const number of [0n, 1n, dhPrimeNumber - 1n, dhPrimeNumber])
      expect(isPublicNumber(toBytes(number))).toBe(false);
    expect(isPublicNumber(Buffer.concat([Buffer.from([1]), dhPrime]))).toBe(false);
    for (const number of [2n, dhPrimeNumber - 2n]) expect(isPublicNumber(toBytes(number))).toBe(true);
  });
});

describe('the proof of work', () => {
  it('is a product of two primes, below 2^63', () => {
    for (let i = 0; i < 20; i++) {
      const { pq, p, q } = createPq();
      expect(p < q && toBigInt(pq) === p * q && p * q < 2n ** 63n).toBe(true);
      expect([p, q].every((prime) => bigInt(prime.toString()).isPrime())).toBe(true);
    }
  });
});

describe('the RSA key', () => {
  it('is restored from PEM, with the fingerprint that clients compute', () => {
    const key = createRsaKey();
    const again = createRsaKey(key.privatePem);
    expect(again.publicPem).toBe(key.publicPem);
    expect(again.fingerprint).toBe(key.fingerprint);
    const { n = '' } = createPublicKey(key.publicPem).export({ format: 'jwk' });
    const modulus = Buffer.from(n, 'base64url');
    const tl = Buffer.concat([hex('fe000100'), modulus, hex('03010001')]);
    expect(key.fingerprint).toBe(sha1(tl).readBigInt64LE(12));
    expect(BigInt.asUintN(64, key.fingerprint).toString(16)).toHaveLength(16);
  });

  it('does not decrypt invalid data', () => {
    const key = createRsaKey();
    expect(key.decrypt(Buffer.alloc(255, 1))).toBeUndefined();
    const noise = randomBytes(256);
    noise[0] = 1;
    expect(key.decrypt(noise)?.checksum?.length ?? 20).toBe(20);
    expect(() => key.decrypt(Buffer.alloc(256, 0xff))).toThrow(/too large/);
  });
});

describe('encrypted messages', () => {
  const secret = randomBytes(256);
  const id = sha1(secret).subarray(12);

  it('are decrypted by the other side only', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 4, maxLength: 300 }), (array) => {
        const plain = Buffer.from(array);
        for (const [seal, openIt, wrong] of [
          [encryptToClient, decryptFromServer, decryptFromClient],
          [encryptToServer, decryptFromClient, decryptFromServer],
        ] as const) {
          const envelope = seal(secret, id, plain);
          expect(envelope.length % 16).toBe(8);
          const opened = openIt(secret, envelope);
          expect(opened?.subarray(0, plain.length)).toEqual(plain);
          expect((opened?.length ?? 0) - plain.length).toBeGreaterThanOrEqual(12);
          expect(wrong(secret, envelope)).toBeUndefined();
          envelope[30] = (envelope[30] ?? 0) ^ 1;
          expect(openIt(secret, envelope)).toBeUndefined();
        }
      }),
    );
    expect(decryptFromClient(secret, Buffer.alloc(24))).toBeUndefined();
  });

  it('may be followed by padding of the transport', () => {
    const envelope = Buffer.concat([encryptToServer(secret, id, Buffer.from('text')), Buffer.alloc(15)]);
    expect(decryptFromClient(secret, envelope)?.toString('utf8', 0, 4)).toBe('text');
  });

  it('of MTProto 1.0 are decrypted if they have the expected length', () => {
    const plain = randomBytes(72);
    const envelope = encryptV1ToServer(secret, id, plain);
    expect(decryptV1FromClient(secret, envelope, 72)).toEqual(plain);
    expect(decryptV1FromClient(secret, envelope, 71)).toBeUndefined();
    expect(decryptV1FromClient(secret, envelope.subarray(0, -1), 72)).toBeUndefined();
  });
});

describe('a two-factor password', () => {
  const salts = [Buffer.alloc(16, 1), Buffer.alloc(16, 2)] as const;

  it('is proven by what a client computes', async () => {
    const challenge = createChallenge(await createVerifier('hunter2', ...salts), randomExponent());
    const answerTo = (password: string): Promise<{ A: Buffer; M1: Buffer }> =>
      computeCheck(
        new Api.account.Password({
          currentAlgo: new Api.PasswordKdfAlgoSHA256SHA256PBKDF2HMACSHA512iter100000SHA256ModPow({
            salt1: salts[0],
            salt2: salts[1],
            g: dhGenerator,
            p: dhPrime,
          }),
          srp_B: challenge.B,
          srpId: bigInt(1),
          newAlgo: new Api.PasswordKdfAlgoUnknown(),
          newSecureAlgo: new Api.SecurePasswordKdfAlgoUnknown(),
          secureRandom: Buffer.alloc(0),
        }),
        password,
      );
    const right = await answerTo('hunter2');
    expect(checkSrpAnswer(challenge, right.A, right.M1)).toBe(true);
    const wrong = await answerTo('hunter3');
    expect(checkSrpAnswer(challenge, wrong.A, wrong.M1)).toBe(false);
    const later = createChallenge(challenge.verifier, randomExponent());
    expect(checkSrpAnswer(later, right.A, right.M1)).toBe(false);
    expect(checkSrpAnswer(challenge, Buffer.alloc(256), right.M1)).toBe(false);
    expect(checkSrpAnswer(challenge, right.A, Buffer.alloc(3))).toBe(false);
  });

  it('gives the same verifier for the same salts', async () => {
    const [one, same] = await Promise.all([createVerifier('x', ...salts), createVerifier('x', ...salts)]);
    expect(one).toEqual(same);
    expect((await createVerifier('y', ...salts)).v).not.toEqual(one.v);
  });
});
