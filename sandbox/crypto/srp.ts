import { pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { DH_BYTES, dhGenerator, dhPower, dhPrime, dhPrimeNumber, generatorPower, isPublicNumber } from './dh.ts';
import { sha256 } from './hash.ts';
import { toBigInt, toBytes, xor } from './numbers.ts';

/** The server's side of a two-factor password: https://core.telegram.org/api/srp. */
export interface SrpVerifier {
  readonly salt1: Buffer;
  readonly salt2: Buffer;
  /** g^x: the password cannot be computed from it. */
  readonly v: Buffer;
}

/** A challenge for one answer: the client gets B, the secret `b` stays here. */
export interface SrpChallenge {
  readonly verifier: SrpVerifier;
  readonly secret: Buffer;
  readonly B: Buffer;
}

const PBKDF2_ROUNDS = 100_000;
const generatorBytes = toBytes(BigInt(dhGenerator), DH_BYTES);
const multiplier = toBigInt(sha256(dhPrime, generatorBytes));
const stretch = promisify(pbkdf2);

/** The salts are 16 random bytes each; the seeded world uses fixed ones, since it has to be the same every time. */
export async function createVerifier(password: string, salt1: Buffer, salt2: Buffer): Promise<SrpVerifier> {
  return { salt1, salt2, v: generatorPower(await srpPasswordHash(password, salt1, salt2)) };
}

/** x in the protocol's terms; tests compute the client's side with it. */
export async function srpPasswordHash(password: string, salt1: Buffer, salt2: Buffer): Promise<Buffer> {
  const first = salted(salted(Buffer.from(password), salt1), salt2);
  return salted(await stretch(first, salt1, PBKDF2_ROUNDS, 64, 'sha512'), salt2);
}

const salted = (data: Buffer, salt: Buffer): Buffer => sha256(salt, data, salt);

/** `secret` is b, a `randomExponent`. */
export function createChallenge(verifier: SrpVerifier, secret: Buffer): SrpChallenge {
  const B = (multiplier * toBigInt(verifier.v) + toBigInt(generatorPower(secret))) % dhPrimeNumber;
  return { verifier, secret, B: toBytes(B, DH_BYTES) };
}

/** Whether A and M1 of `inputCheckPasswordSRP` prove that the client knows the password. */
export function checkSrpAnswer({ verifier, secret, B }: SrpChallenge, A: Buffer, M1: Buffer): boolean {
  if (!isPublicNumber(A)) return false;
  const a = toBytes(toBigInt(A), DH_BYTES);
  const u = sha256(a, B);
  const base = (toBigInt(a) * toBigInt(dhPower(verifier.v, u))) % dhPrimeNumber;
  const sessionKey = sha256(dhPower(toBytes(base), secret));
  const group = xor(sha256(dhPrime), sha256(generatorBytes));
  return sha256(group, sha256(verifier.salt1), sha256(verifier.salt2), a, B, sessionKey).equals(M1);
}
