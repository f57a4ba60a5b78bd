import { createHash, pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { Api } from 'telegram/tl/index.js';
import type { Randomness } from '../../../../actors/ports/clock.ts';
import { isPowModSupported, powMod, toBigInt, toBytes } from '../library/arithmetic.ts';
import { isInSafeRange, isTelegramGroup } from '../library/dh-group.ts';

const pbkdf2InThread = promisify(pbkdf2);

/** The parts of `account.getPassword` that are needed to prove a two-step password. */
export interface PasswordChallenge {
  srpId: Api.long;
  /** 256 bytes */
  B: Buffer;
  p: Buffer;
  g: number;
  salt1: Buffer;
  salt2: Buffer;
}

/** @throws {Error} the account has no password, or one of a kind that this layer does not know */
export function challengeOf(password: Api.account.Password): PasswordChallenge {
  const { currentAlgo, srp_B, srpId } = password;
  if (
    !(currentAlgo instanceof Api.PasswordKdfAlgoSHA256SHA256PBKDF2HMACSHA512iter100000SHA256ModPow) ||
    !srp_B ||
    !srpId
  ) {
    throw new Error('telegram asks for a kind of password that is not known here');
  }
  const { p, g, salt1, salt2 } = currentAlgo;
  return { srpId, B: Buffer.from(srp_B), p, g, salt1, salt2 };
}

/**
 * Proves the knowledge of a password without revealing it (https://core.telegram.org/api/srp). GramJS's own function
 * blocks the process for 80 ms; this one runs the long part in a thread and the powers in OpenSSL.
 *
 * @throws {Error} the server's numbers are not those of Telegram: answering them could reveal the password
 */
export async function provePassword(
  challenge: PasswordChallenge,
  password: string,
  random: Randomness,
): Promise<Api.InputCheckPasswordSRP> {
  const { g, salt1, salt2 } = challenge;
  const p = toBigInt(challenge.p);
  const serverB = toBigInt(challenge.B);
  if (!isTelegramGroup(challenge.p, g)) throw new Error('telegram sent an unknown group of numbers');
  if (serverB <= 0n || serverB >= p) throw new Error('telegram sent a number out of range');

  const pBytes = toBytes(p, 256);
  const gBytes = toBytes(BigInt(g), 256);
  const bBytes = toBytes(serverB, 256);
  const x = toBigInt(await passwordHash(password, salt1, salt2));
  const k = toBigInt(sha256(pBytes, gBytes));

  for (;;) {
    const a = toBigInt(random.bytes(256));
    if (!isPowModSupported(a, p)) continue;
    const clientA = powMod(BigInt(g), a, p);
    const aBytes = toBytes(clientA, 256);
    const u = toBigInt(sha256(aBytes, bBytes));
    if (u === 0n || !isInSafeRange(clientA, p)) continue;

    const base = (((serverB - k * powMod(BigInt(g), x, p)) % p) + p) % p;
    if (!isInSafeRange(base, p)) throw new Error('telegram sent a number out of range');
    // The exponent may be reduced by the order of the group, which keeps it within OpenSSL's limits.
    const secret = powMod(base, (a + u * x) % (p - 1n), p);
    const M1 = sha256(
      xor(sha256(pBytes), sha256(gBytes)),
      sha256(salt1),
      sha256(salt2),
      aBytes,
      bBytes,
      sha256(toBytes(secret, 256)),
    );
    return new Api.InputCheckPasswordSRP({ srpId: challenge.srpId, A: aBytes, M1 });
  }
}

const iterations = 100_000;

async function passwordHash(password: string, salt1: Buffer, salt2: Buffer): Promise<Buffer> {
  const salted = (salt: Buffer, text: Buffer): Buffer => sha256(salt, text, salt);
  const inner = salted(salt2, salted(salt1, Buffer.from(password, 'utf8')));
  return salted(salt2, await pbkdf2InThread(inner, salt1, iterations, 64, 'sha512'));
}

function sha256(...chunks: Buffer[]): Buffer {
  const hash = createHash('sha256');
  for (const chunk of chunks) hash.update(chunk);
  return hash.digest();
}

function xor(a: Buffer, b: Buffer): Buffer {
  return Buffer.from(a.map((byte, i) => byte ^ (b[i] ?? 0)));
}
