import { checkPrimeSync, createHash } from 'node:crypto';
import bigInt from 'big-integer';
import { _serverKeys } from 'telegram/crypto/RSA.js';
import { SecurityError } from 'telegram/errors/Common.js';
import { BinaryReader } from 'telegram/extensions/BinaryReader.js';
import Helpers from 'telegram/Helpers.js';
import { Api } from 'telegram/tl/index.js';
import { withOwnMemory } from '../../../memory/own-memory.ts';
import { factorise, isPowModSupported, powMod, toBigInt, toBytes } from './arithmetic.ts';
import { isInSafeRange, isTelegramGroup } from './dh-group.ts';
import { blockBytes } from './encrypted-message.ts';
import { decryptIge, encryptIge } from './ige.ts';
import { toNative } from './native-numbers.ts';

/** Sends a request in plain text; resolves with the answer. */
type SendPlain = (request: Api.AnyRequest) => Promise<unknown>;

export interface ExchangedKey {
  /** 256 bytes. */
  key: Buffer;
  /** Seconds since 1970, by the server's clock. */
  serverTime: number;
}

/** The numbers that tie the steps together. */
interface Nonces {
  nonce: bigInt.BigInteger;
  serverNonce: bigInt.BigInteger;
}

/** A server that keeps asking for another number than ours is none of Telegram's. */
const maxTries = 5;

/**
 * Makes an authorization key with a server (https://core.telegram.org/mtproto/auth_key), with all checks that clients must
 * make (https://core.telegram.org/mtproto/security_guidelines#key-exchange-using-diffie-hellman). GramJS omits those of the
 * prime, the generator, the ranges and the answer's SHA-1, and fails at `dh_gen_retry`.
 * @throws {SecurityError} a check failed
 */
export async function exchangeKey(send: SendPlain): Promise<ExchangedKey> {
  const { nonces, pq, serverKey, fingerprint } = await begin(send);
  const newNonce = random(32);
  const [p, q] = factorise(pq).map(shortest) as [Buffer, Buffer];
  const inner = new Api.PQInnerData({ pq: shortest(pq), p, q, ...nonces, newNonce: signedNumber(newNonce) }).getBytes();
  const encryptedData = encryptForServer(inner, serverKey);
  const params = await send(new Api.ReqDHParams({ ...nonces, p, q, publicKeyFingerprint: fingerprint, encryptedData }));
  if (!(params instanceof Api.ServerDHParamsOk)) throw new SecurityError('the server refused the first step');
  checkNonces(params, nonces);
  const cipher = cipherOf(bytesOf(nonces.serverNonce, 16), newNonce);
  const { g, dhPrime, gA, serverTime } = readParams(params.encryptedAnswer, cipher, nonces);
  check(isTelegramGroup(dhPrime, g), 'an unknown group of numbers');
  const prime = toBigInt(dhPrime);
  const serverPower = toBigInt(gA);
  check(isInSafeRange(serverPower, prime), 'a number out of range');

  let retryId = bigInt.zero;
  for (let tries = 0; tries < maxTries; tries++) {
    const { exponent, power } = ownPower(BigInt(g), prime);
    const key = toBytes(powMod(serverPower, exponent, prime), 256);
    const auxiliary = sha1(key).subarray(0, 8);
    const own = new Api.ClientDHInnerData({ ...nonces, retryId, gB: shortest(power) }).getBytes();
    const answer = await send(new Api.SetClientDHParams({ ...nonces, encryptedData: sealed(own, cipher) }));
    const hash = (which: number): Buffer => sha1(newNonce, Buffer.of(which), auxiliary).subarray(4);
    if (answer instanceof Api.DhGenOk) {
      checkNonces(answer, nonces);
      check(bytesOf(answer.newNonceHash1, 16).equals(hash(1)), 'another key');
      return { key: withOwnMemory(key), serverTime };
    }
    if (!(answer instanceof Api.DhGenRetry)) throw new SecurityError('the server refused the last step');
    checkNonces(answer, nonces);
    check(bytesOf(answer.newNonceHash2, 16).equals(hash(2)), 'another key');
    retryId = bigInt(auxiliary.readBigInt64LE());
  }
  throw new SecurityError('the server wants another key without end');
}

async function begin(send: SendPlain) {
  const nonce = signedNumber(random(16));
  const answer = await send(new Api.ReqPqMulti({ nonce }));
  if (!(answer instanceof Api.ResPQ)) throw new SecurityError('no resPQ');
  const nonces: Nonces = { nonce, serverNonce: answer.serverNonce };
  checkNonces(answer, nonces);
  const pq = toBigInt(Buffer.from(answer.pq));
  // Searching the factors of a prime would not end.
  check(pq > 3n && pq < 1n << 63n && !checkPrimeSync(pq), 'no product of two primes');
  const fingerprint = answer.serverPublicKeyFingerprints.find((each) => _serverKeys.has(each.toString()));
  const serverKey = fingerprint && _serverKeys.get(fingerprint.toString());
  if (fingerprint === undefined || serverKey === undefined) throw new SecurityError('an unknown server key');
  return { nonces, pq, serverKey, fingerprint };
}

/** RSA_PAD of https://core.telegram.org/mtproto/auth_key#presenting-proof-of-work-server-authentication */
function encryptForServer(data: Buffer, { n, e }: { n: bigInt.BigInteger; e: number }): Buffer {
  const modulus = toNative(n);
  const padded = Buffer.concat([data, random(192 - data.length)]);
  const reversed = Buffer.from(padded.toReversed());
  for (;;) {
    const key = random(32);
    const encrypted = encryptIge(Buffer.concat([reversed, sha256(key, padded)]), key, Buffer.alloc(32));
    const masked = sha256(encrypted).map((byte, place) => byte ^ (key[place] ?? 0));
    const block = toBigInt(Buffer.concat([masked, encrypted]));
    if (block < modulus) return toBytes(powMod(block, BigInt(e), modulus), 256);
  }
}

interface Cipher {
  key: Buffer;
  iv: Buffer;
}

function cipherOf(serverNonce: Buffer, newNonce: Buffer): Cipher {
  const backward = sha1(serverNonce, newNonce);
  return {
    key: Buffer.concat([sha1(newNonce, serverNonce), backward.subarray(0, 12)]),
    iv: Buffer.concat([backward.subarray(12), sha1(newNonce, newNonce), newNonce.subarray(0, 4)]),
  };
}

/** Reads `SHA-1 | object | padding`, and checks all of it. */
function readParams(encrypted: Buffer, { key, iv }: Cipher, nonces: Nonces): Api.ServerDHInnerData {
  check(encrypted.length > 20 && encrypted.length % blockBytes === 0, 'no whole blocks');
  const plain = decryptIge(encrypted, key, iv);
  const reader = new BinaryReader(plain);
  reader.offset = 20;
  const inner: unknown = reader.tgReadObject();
  const end = reader.offset;
  check(plain.length - end < blockBytes, 'of another length');
  check(sha1(plain.subarray(20, end)).equals(plain.subarray(0, 20)), 'altered');
  if (!(inner instanceof Api.ServerDHInnerData)) throw new SecurityError('no server_DH_inner_data');
  checkNonces(inner, nonces);
  return inner;
}

function sealed(data: Buffer, { key, iv }: Cipher): Buffer {
  const hashed = Buffer.concat([sha1(data), data]);
  return encryptIge(Buffer.concat([hashed, random(-hashed.length & (blockBytes - 1))]), key, iv);
}

/** A secret exponent, and a power of it in the safe range. */
function ownPower(generator: bigint, prime: bigint): { exponent: bigint; power: bigint } {
  for (;;) {
    const exponent = toBigInt(random(256));
    if (!isPowModSupported(exponent, prime)) continue;
    const power = powMod(generator, exponent, prime);
    if (isInSafeRange(power, prime)) return { exponent, power };
  }
}

function check(isSo: boolean, problem: string): asserts isSo {
  if (!isSo) throw new SecurityError(problem);
}

function checkNonces(answer: Nonces, { nonce, serverNonce }: Nonces): void {
  check(answer.nonce.eq(nonce) && answer.serverNonce.eq(serverNonce), 'of another exchange');
}

const random = (bytes: number): Buffer => Helpers.generateRandomBytes(bytes);

/** GramJS reads and writes 128 and 256 bits as signed little-endian numbers. */
const signedNumber = (bytes: Buffer): bigInt.BigInteger => Helpers.readBigIntFromBuffer(bytes, true, true);
const bytesOf = (number: bigInt.BigInteger, length: number): Buffer => Helpers.toSignedLittleBuffer(number, length);

/** Big-endian, without zeros in front. */
function shortest(value: bigint): Buffer {
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
}

const hashed = (name: string, chunks: Buffer[]): Buffer => createHash(name).update(Buffer.concat(chunks)).digest();
const sha1 = (...chunks: Buffer[]): Buffer => hashed('sha1', chunks);
const sha256 = (...chunks: Buffer[]): Buffer => hashed('sha256', chunks);
