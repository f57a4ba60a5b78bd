import { randomInt } from 'node:crypto';
import { toBytes } from './numbers.ts';

/** Telegram's pq is just below 2^63: two primes of 31 bits. */
const SMALLEST_PRIME = 2 ** 30;
const PRIME_LIMIT = 2 ** 31;
const divisors = primesBelow(Math.ceil(Math.sqrt(PRIME_LIMIT)));

/** The proof of work of a handshake: a product of two primes that the client has to factor. p < q. */
export function createPq(): { pq: Buffer; p: bigint; q: bigint } {
  const one = randomPrime();
  let other = randomPrime();
  while (other === one) other = randomPrime();
  const p = BigInt(Math.min(one, other));
  const q = BigInt(Math.max(one, other));
  return { pq: toBytes(p * q), p, q };
}

function randomPrime(): number {
  for (;;) {
    const candidate = randomInt(SMALLEST_PRIME, PRIME_LIMIT);
    if (divisors.every((divisor) => candidate % divisor !== 0)) return candidate;
  }
}

function primesBelow(limit: number): number[] {
  const composite = new Uint8Array(limit);
  const primes: number[] = [];
  for (let n = 2; n < limit; n++) {
    if (composite[n]) continue;
    primes.push(n);
    for (let multiple = n * n; multiple < limit; multiple += n) composite[multiple] = 1;
  }
  return primes;
}
