import { createHash, hash } from 'node:crypto';

/** The unencrypted header: key ID and message key. */
export const packetHeaderBytes = 24;
export const blockBytes = 16;
export const shortestPaddingBytes = 12;

/** The offset inside the key for each direction: `x` of MTProto. */
export type Direction = 0 | 8;
export const toServer: Direction = 0;
export const toClient: Direction = 8;

const input = Buffer.allocUnsafeSlow(52);

/**
 * The key and the IV (32 bytes, written to `iv`) of one message.
 * https://core.telegram.org/mtproto/description#defining-aes-key-and-initialization-vector
 */
export function writeIvAndGiveKey(iv: Buffer, authKey: Buffer, messageKey: Buffer, x: Direction): Buffer {
  messageKey.copy(input, 0);
  authKey.copy(input, 16, x, x + 36);
  const a = hash('sha256', input, 'buffer');
  authKey.copy(input, 0, 40 + x, 76 + x);
  messageKey.copy(input, 36);
  const b = hash('sha256', input, 'buffer');
  b.copy(iv, 0, 0, 8);
  a.copy(iv, 8, 8, 24);
  b.copy(iv, 24, 24, 32);
  b.copy(a, 8, 8, 24);
  return a;
}

/** The message key of a padded plaintext: https://core.telegram.org/mtproto/description#message-key-msg-key */
export function messageKeyOf(authKey: Buffer, padded: Buffer, x: Direction): Buffer {
  const part = authKey.subarray(88 + x, 120 + x);
  return createHash('sha256').update(part).update(padded).digest().subarray(8, 24);
}
