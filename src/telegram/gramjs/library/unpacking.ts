import { timingSafeEqual } from 'node:crypto';
import bigInt from 'big-integer';
import type { AuthKey } from 'telegram/crypto/AuthKey.js';
import { InvalidBufferError, SecurityError } from 'telegram/errors/Common.js';
import { BinaryReader } from 'telegram/extensions/BinaryReader.js';
import type { MTProtoState } from 'telegram/network/MTProtoState.js';
import { TLMessage } from 'telegram/tl/core/TLMessage.js';
import {
  blockBytes,
  messageKeyOf,
  packetHeaderBytes,
  shortestPaddingBytes,
  toClient,
  writeIvAndGiveKey,
} from './encrypted-message.ts';
import { decryptIge, ivBytes } from './ige.ts';
import { toNative } from './native-numbers.ts';

/** Private names of GramJS that are used here. */
interface Unpacking {
  authKey?: AuthKey;
  id: bigInt.BigInteger;
  decryptMessageData(packet: Buffer): Promise<TLMessage>;
}

/** Salt, session, message ID, sequence number, length. */
const messageHeaderBytes = 32;
const maxPaddingBytes = 1024;
/** Number of message IDs kept to detect a repeated message. */
const maxRemembered = 500;

/**
 * Replaces GramJS's decryption of the server's messages
 * (https://core.telegram.org/mtproto/description#encrypted-message) at half the cost, with all checks that clients must
 * make (https://core.telegram.org/mtproto/security_guidelines). GramJS omits those of the session and of the lengths.
 */
export function unpackWithAllChecks(state: MTProtoState): void {
  const unpacking = state as unknown as Unpacking;
  const seen = new Set<bigint>();
  unpacking.decryptMessageData = async (packet) => {
    // An error code of the transport.
    if (packet.length < 8) throw new InvalidBufferError(packet);
    const authKey = unpacking.authKey?.getKey();
    const keyId = unpacking.authKey?.keyId;
    if (authKey === undefined || keyId === undefined) throw new SecurityError('there is no key yet');
    if (packet.readBigUInt64LE() !== BigInt.asUintN(64, toNative(keyId))) throw new SecurityError('of another key');
    const message = decrypt(packet, authKey);
    if (message.readBigUInt64LE(8) !== BigInt.asUintN(64, toNative(unpacking.id))) {
      throw new SecurityError('of another session');
    }
    const bodyBytes = message.readInt32LE(28);
    const paddingBytes = message.length - messageHeaderBytes - bodyBytes;
    if (bodyBytes < 0 || paddingBytes < shortestPaddingBytes || paddingBytes > maxPaddingBytes) {
      throw new SecurityError('of another length');
    }
    const id = message.readBigInt64LE(16);
    if (seen.has(id)) throw new SecurityError('seen before');
    remember(seen, id);
    const reader = new BinaryReader(message);
    reader.offset = messageHeaderBytes;
    return new TLMessage(bigInt(id), message.readInt32LE(24), reader.tgReadObject());
  };
}

/** @throws {SecurityError} the owner of the key did not send this message */
function decrypt(packet: Buffer, authKey: Buffer): Buffer {
  const encryptedBytes = packet.length - packetHeaderBytes;
  if (encryptedBytes < messageHeaderBytes || encryptedBytes % blockBytes > 0)
    throw new SecurityError('no whole blocks');
  const messageKey = packet.subarray(8, packetHeaderBytes);
  const iv = Buffer.allocUnsafe(ivBytes);
  const key = writeIvAndGiveKey(iv, authKey, messageKey, toClient);
  const message = decryptIge(packet.subarray(packetHeaderBytes), key, iv);
  if (!timingSafeEqual(messageKey, messageKeyOf(authKey, message, toClient))) throw new SecurityError('altered');
  return message;
}

function remember(seen: Set<bigint>, id: bigint): void {
  seen.add(id);
  if (seen.size <= maxRemembered) return;
  for (const oldest of seen) {
    seen.delete(oldest);
    return;
  }
}
