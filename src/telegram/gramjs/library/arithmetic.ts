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

/**
 * The two primes of a product below 2^63, the smaller first (Brent's variant of Pollard's rho,
 * https://maths-people.anu.edu.au/~brent/pd/rpb051i.pdf).
 */
export function factorise(product: bigint): [bigint, bigint] {
  if (product % 2n === 0n) return [2n, product / 2n];
  for (let constant = 1n; ; constant++) {
    const factor = rho(product, constant);
    if (factor !== product) {
      const other = product / factor;
      return factor < other ? [factor, other] : [other, factor];
    }
  }
}

const stepsPerGcd = 128;

function rho(n: bigint, constant: bigint): bigint {
  let y = 2n;
  let x = y;
  let checkpoint = y;
  let product = 1n;
  let divisor = 1n;
  for (let length = 1; divisor === 1n; length *= 2) {
    x = y;
    for (let i = 0; i < length; i++) y = (y * y + constant) % n;
    for (let done = 0; done < length && divisor === 1n; done += stepsPerGcd) {
      checkpoint = y;
      for (let i = 0; i < Math.min(stepsPerGcd, length - done); i++) {
        y = (y * y + constant) % n;
        product = (product * distance(x, y)) % n;
      }
      divisor = gcd(product, n);
    }
  }
  if (divisor !== n) return divisor;
  do {
    checkpoint = (checkpoint * checkpoint + constant) % n;
    divisor = gcd(distance(x, checkpoint), n);
  } while (divisor === 1n);
  return divisor;
}

const distance = (a: bigint, b: bigint): bigint => (a > b ? a - b : b - a);

function gcd(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b];
  return a;
}
