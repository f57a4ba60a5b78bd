import { constants, createPublicKey, publicEncrypt } from 'node:crypto';

/** A big-endian unsigned number. */
export function toBigInt(bytes: Buffer): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${bytes.toString('hex')}`);
}

/** Big-endian, padded on the left. */
export function toBytes(value: bigint, length: number): Buffer {
  return Buffer.from(value.toString(16).padStart(length * 2, '0'), 'hex');
}

/**
 * base^exponent mod modulus at OpenSSL's speed (2 ms at 2048 bits): a raw RSA public operation with n = modulus and
 * e = exponent is just that. The modulus must be odd, of 2048 bits, and greater than the exponent.
 */
export function powMod(base: bigint, exponent: bigint, modulus: bigint): bigint {
  const n = toBytes(modulus, 256);
  const e = toBytes(exponent, Math.ceil(exponent.toString(16).length / 2));
  const key = createPublicKey({
    key: { kty: 'RSA', n: n.toString('base64url'), e: e.toString('base64url') },
    format: 'jwk',
  });
  return toBigInt(publicEncrypt({ key, padding: constants.RSA_NO_PADDING }, toBytes(base % modulus, 256)));
}

/** Whether {@link powMod} supports the modulus and exponent. */
export function isPowModSupported(exponent: bigint, modulus: bigint): boolean {
  return modulus >> 2047n === 1n && (modulus & 1n) === 1n && exponent > 1n && exponent < modulus;
}

/** Factors that are found by trial: with smaller ones, Shanks's method may find no square. */
const trialLimit = 100n;
/** Products of the smallest odd primes. With the factor one, the method fails for some numbers; with all of them, for none that is known. */
const multipliers = [1n, 3n, 5n, 7n, 11n, 15n, 21n, 33n, 35n, 55n, 77n, 105n, 165n, 231n, 385n, 1155n];

/**
 * The two primes of a product below 2^63, the smaller first. By Shanks's square forms
 * (https://en.wikipedia.org/wiki/Shanks%27s_square_forms_factorization): their numbers stay below 2^38, so that doubles are
 * exact. That is ten times as fast as any method with BigInt.
 * @throws {RangeError} it has no two such factors, or none are found
 */
export function factorise(product: bigint): [bigint, bigint] {
  for (let factor = 2n; factor < trialLimit && factor * factor <= product; factor++) {
    if (product % factor === 0n) return [factor, product / factor];
  }
  const root = squareRoot(product);
  if (root > 1n && root * root === product) return [root, root];
  for (const multiplier of multipliers) {
    const factor = gcd(product, BigInt(squareForm(product * multiplier)));
    if (factor === 1n || factor === product) continue;
    const other = product / factor;
    return factor < other ? [factor, other] : [other, factor];
  }
  throw new RangeError('the number is not the product of two primes');
}

/** A number that has a factor of n in common, or 1. The names are those of the description. */
function squareForm(n: bigint): number {
  const rootOfN = squareRoot(n);
  const p0 = Number(rootOfN);
  let p = p0;
  let lastQ = 1;
  let q = Number(n - rootOfN * rootOfN);
  if (q === 0) return p0;
  const maxSteps = 6 * Math.ceil(Math.sqrt(2 * p0));
  // The step is written twice: a function that shares these variables takes twice as long.
  let root = 0;
  for (let steps = 1; root === 0; steps++) {
    if (steps > maxSteps) return 1;
    const last = p;
    const b = Math.floor((p0 + p) / q);
    p = b * q - p;
    const nextQ = lastQ + b * (last - p);
    lastQ = q;
    q = nextQ;
    if (steps % 2 === 0) continue;
    const candidate = Math.round(Math.sqrt(q));
    if (candidate * candidate === q) root = candidate;
  }
  p += root * Math.floor((p0 - p) / root);
  lastQ = root;
  q = Number((n - BigInt(p) * BigInt(p)) / BigInt(root));
  for (let steps = 0; steps < maxSteps; steps++) {
    const last = p;
    const b = Math.floor((p0 + p) / q);
    p = b * q - p;
    if (p === last) return q;
    const nextQ = lastQ + b * (last - p);
    lastQ = q;
    q = nextQ;
  }
  return 1;
}

/** Rounded down. */
function squareRoot(n: bigint): bigint {
  let root = BigInt(Math.floor(Math.sqrt(Number(n))));
  while (root * root > n) root -= 1n;
  while ((root + 1n) * (root + 1n) <= n) root += 1n;
  return root;
}

function gcd(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b];
  return a;
}
