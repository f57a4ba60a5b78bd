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
import { readKnown } from './hardening.ts';
import { decryptIge, ivBytes } from './ige.ts';
import { toNative } from './native-numbers.ts';
import type { ReceivedIds } from './received-ids.ts';

/** Private names of GramJS that are used here. */
interface Unpacking {
  authKey?: AuthKey;
  id: bigInt.BigInteger;
  decryptMessageData(packet: Buffer): Promise<TLMessage>;
}

/** Gets what concerns the connection, not the caller of a request. */
export interface UnpackingListener {
  /** The IDs of the connection's messages. */
  readonly ids: ReceivedIds;
  /** A message came again: its acknowledgement was lost. */
  repeated(id: bigint): void;
  /** An error code of the transport came instead of a packet. */
  transportError(error: InvalidBufferError): void;
}

/** Salt, session, message ID, sequence number, length. */
const messageHeaderBytes = 32;
const maxPaddingBytes = 1024;

/**
 * Replaces GramJS's decryption of the server's messages
 * (https://core.telegram.org/mtproto/description#encrypted-message) at half the cost, with all checks that clients must
 * make (https://core.telegram.org/mtproto/security_guidelines). GramJS omits those of the session, of the lengths, and of
 * the IDs' parity and age.
 */
export function unpackWithAllChecks(state: MTProtoState, listener: UnpackingListener): void {
  const unpacking = state as unknown as Unpacking;
  const { ids } = listener;
  unpacking.decryptMessageData = async (packet) => {
    if (packet.length < 8) {
      const error = new InvalidBufferError(packet);
      listener.transportError(error);
      throw error;
    }
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
    ids.checkTime(message.readUInt32LE(20), performance.now() / 1000);
    if (!ids.add(id)) {
      listener.repeated(id);
      throw new SecurityError('seen before');
    }
    const reader = new BinaryReader(message);
    reader.offset = messageHeaderBytes;
    return new TLMessage(bigInt(id), message.readInt32LE(24), readKnown(reader));
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
