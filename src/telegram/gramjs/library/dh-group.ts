import { createHash } from 'node:crypto';

/** SHA-256 of the only 2048-bit safe prime that Telegram has used; its generators were checked against it. */
const primeHash = '02f85e7687fc6f33ba678226a963b3c8a191b47c890cf30debe17c1d623b5af1';
const generators: ReadonlySet<number> = new Set([3, 4, 5, 7]);

/** Whether a prime (256 bytes) and generator are those of Telegram. Others could reveal the client's secret. */
export function isTelegramGroup(prime: Buffer, generator: number): boolean {
  return generators.has(generator) && createHash('sha256').update(prime).digest('hex') === primeHash;
}

/**
 * Whether a power is not within 2^(2048-64) of either end, as clients must check
 * (https://core.telegram.org/mtproto/security_guidelines#g-a-and-g-b-validation).
 */
export function isInSafeRange(value: bigint, prime: bigint): boolean {
  const margin = 1n << (2048n - 64n);
  return value >= margin && prime - value >= margin;
}
