import { constants, createPublicKey, publicEncrypt, randomBytes } from 'node:crypto';
import { toBigInt } from './numbers.ts';

/** Telegram's own safe prime, which clients accept without testing it: https://core.telegram.org/mtproto/auth_key */
export const dhPrime = Buffer.from(
  'c71caeb9c6b1c9048e6c522f70f13f73980d40238e3e21c14934d037563d930f48198a0aa7c14058229493d22530f4dbfa336f6e0ac92513' +
    '9543aed44cce7c3720fd51f69458705ac68cd4fe6b6b13abdc9746512969328454f18faf8c595f642477fe96bb2a941d5bcd1d4ac8cc4988' +
    '0708fa9b378e3c4f3a9060bee67cf9a4a4a695811051907e162753b56b0f6b410dba74d8a84b2a14b3144e0ef1284754fd17ed950d5965b4' +
    'b9dd46582db1178d169c6bc465b0d6ff9ca3928fef5b9ae4e418fc15e83ebea0f87fa9ff5eed70050ded2849f47bf959d956850ce929851f' +
    '0d8115f635b105ee2e4e15d04b2454bf6f4fadf034b10403119cd8e3b92fcc5b',
  'hex',
);
export const dhPrimeNumber = toBigInt(dhPrime);
export const dhGenerator = 3;
export const DH_BYTES = dhPrime.length;

const generator = Buffer.from([dhGenerator]);

/**
 * base^exponent mod the prime, 256 bytes. Both numbers must be below the prime, and the exponent above 1. A raw RSA
 * public operation computes it in OpenSSL: the prime is the modulus, the exponent is `e`. It takes 2 ms;
 * `DiffieHellman.computeSecret` takes a hundred times as long, since it checks the group on each call.
 */
export function dhPower(base: Buffer, exponent: Buffer): Buffer {
  const key = createPublicKey({
    key: { kty: 'RSA', n: dhPrime.toString('base64url'), e: exponent.toString('base64url') },
    format: 'jwk',
  });
  const padded = Buffer.alloc(DH_BYTES);
  padded.set(base, DH_BYTES - base.length);
  return publicEncrypt({ key, padding: constants.RSA_NO_PADDING }, padded);
}

export const generatorPower = (exponent: Buffer): Buffer => dhPower(generator, exponent);

/**
 * A secret exponent of 256 random bits. To find it is as hard as the prime allows: a group of 2048 bits has the strength of
 * 112 bits (NIST SP 800-57), for which 224 bits of exponent are enough. A longer one would only take longer.
 */
export const randomExponent = (): Buffer => randomBytes(32);

/** Whether a public number of the other side is in the safe range: 1 < value < prime - 1. */
export function isPublicNumber(value: Buffer): boolean {
  const number = toBigInt(value);
  return value.length <= DH_BYTES && number > 1n && number < dhPrimeNumber - 1n;
}
