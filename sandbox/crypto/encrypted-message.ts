import { randomBytes } from 'node:crypto';
import { sha1, sha256 } from './hash.ts';
import { igeDecrypt, igeEncrypt } from './ige.ts';

/** MTProto 2.0: https://core.telegram.org/mtproto/description. An envelope is: key ID (8), message key (16), data. */
export const ENVELOPE_BYTES = 24;
const BLOCK_BYTES = 16;
const MIN_PADDING_BYTES = 12;

/** The two directions use different parts of the key: the offset of each. */
const FROM_CLIENT = 0;
const FROM_SERVER = 8;

/** An envelope for the client. `secret` is the auth key, `keyId` its 8 bytes. */
export function encryptToClient(secret: Buffer, keyId: Buffer, plain: Buffer): Buffer {
  return encrypt(secret, keyId, plain, FROM_SERVER);
}

/** Undefined if the message key does not match the decrypted text: another key, or altered bytes. */
export function decryptFromClient(secret: Buffer, envelope: Buffer): Buffer | undefined {
  return decrypt(secret, envelope, FROM_CLIENT);
}

/** The client's side of both, for tests of the server. */
export const encryptToServer = (secret: Buffer, keyId: Buffer, plain: Buffer): Buffer =>
  encrypt(secret, keyId, plain, FROM_CLIENT);
export const decryptFromServer = (secret: Buffer, envelope: Buffer): Buffer | undefined =>
  decrypt(secret, envelope, FROM_SERVER);

function encrypt(secret: Buffer, keyId: Buffer, plain: Buffer, side: number): Buffer {
  const padding = MIN_PADDING_BYTES + (-(plain.length + MIN_PADDING_BYTES) & (BLOCK_BYTES - 1));
  const padded = Buffer.concat([plain, randomBytes(padding)]);
  const messageKey = messageKeyOf(secret, padded, side);
  const { key, iv } = cipherOf(secret, messageKey, side);
  return Buffer.concat([keyId, messageKey, igeEncrypt(padded, key, iv)]);
}

function decrypt(secret: Buffer, envelope: Buffer, side: number): Buffer | undefined {
  const messageKey = envelope.subarray(8, ENVELOPE_BYTES);
  // A padded transport may have added less than one block at the end.
  const end = envelope.length - ((envelope.length - ENVELOPE_BYTES) % BLOCK_BYTES);
  if (end <= ENVELOPE_BYTES) return undefined;
  const { key, iv } = cipherOf(secret, messageKey, side);
  const plain = igeDecrypt(envelope.subarray(ENVELOPE_BYTES, end), key, iv);
  return messageKeyOf(secret, plain, side).equals(messageKey) ? plain : undefined;
}

function messageKeyOf(secret: Buffer, padded: Buffer, side: number): Buffer {
  return sha256(secret.subarray(88 + side, 120 + side), padded).subarray(8, 24);
}

function cipherOf(secret: Buffer, messageKey: Buffer, side: number): { key: Buffer; iv: Buffer } {
  const a = sha256(messageKey, secret.subarray(side, side + 36));
  const b = sha256(secret.subarray(40 + side, 76 + side), messageKey);
  return {
    key: Buffer.concat([a.subarray(0, 8), b.subarray(8, 24), a.subarray(24, 32)]),
    iv: Buffer.concat([b.subarray(0, 8), a.subarray(8, 24), b.subarray(24, 32)]),
  };
}

/**
 * MTProto 1.0, which `auth.bindTempAuthKey` still uses: https://core.telegram.org/mtproto/description_v1. The first
 * `length` bytes of the plain text; undefined if the message key does not match them.
 */
export function decryptV1FromClient(secret: Buffer, envelope: Buffer, length: number): Buffer | undefined {
  const messageKey = envelope.subarray(8, ENVELOPE_BYTES);
  const data = envelope.subarray(ENVELOPE_BYTES);
  if (data.length === 0 || data.length % BLOCK_BYTES !== 0) return undefined;
  const { key, iv } = cipherV1Of(secret, messageKey);
  const plain = igeDecrypt(data, key, iv).subarray(0, length);
  return sha1(plain).subarray(4, 20).equals(messageKey) ? plain : undefined;
}

/** The client's side of MTProto 1.0, for tests of the server. */
export function encryptV1ToServer(secret: Buffer, keyId: Buffer, plain: Buffer): Buffer {
  const messageKey = sha1(plain).subarray(4, 20);
  const { key, iv } = cipherV1Of(secret, messageKey);
  const padded = Buffer.concat([plain, randomBytes(-plain.length & (BLOCK_BYTES - 1))]);
  return Buffer.concat([keyId, messageKey, igeEncrypt(padded, key, iv)]);
}

function cipherV1Of(secret: Buffer, messageKey: Buffer): { key: Buffer; iv: Buffer } {
  const a = sha1(messageKey, secret.subarray(0, 32));
  const b = sha1(secret.subarray(32, 48), messageKey, secret.subarray(48, 64));
  const c = sha1(secret.subarray(64, 96), messageKey);
  const d = sha1(messageKey, secret.subarray(96, 128));
  return {
    key: Buffer.concat([a.subarray(0, 8), b.subarray(8, 20), c.subarray(4, 16)]),
    iv: Buffer.concat([a.subarray(8, 20), b.subarray(0, 8), c.subarray(16, 20), d.subarray(0, 8)]),
  };
}
