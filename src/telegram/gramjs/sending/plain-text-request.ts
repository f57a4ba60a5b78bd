import type { BinaryReader } from 'telegram/extensions/BinaryReader.js';
import { Api } from 'telegram/tl/index.js';
import type { KnownPeer } from '../../peer-cache.ts';
import { inputPeer } from '../peers/input-peer.ts';

const constructorId = new Api.messages.SendMessage({}).CONSTRUCTOR_ID;
/** `silent:flags.5?true` of messages.sendMessage (layer 198). */
const silentFlag = 1 << 5;

const peerBytes = new WeakMap<KnownPeer, Buffer>();

function bytesOf(peer: KnownPeer): Buffer {
  const known = peerBytes.get(peer);
  if (known !== undefined) return known;
  const made = inputPeer(peer).getBytes();
  peerBytes.set(peer, made);
  return made;
}

/**
 * The most frequent request, a text without formatting or reply, in its wire form. GramJS would check each of its
 * twenty possible fields three times. Its answer is read like that of any `SendMessage`.
 */
export function plainTextRequest(
  peer: KnownPeer,
  text: string,
  randomId: bigint,
  silent: boolean,
): Api.messages.SendMessage {
  return new PlainTextRequest(serialise(bytesOf(peer), text, randomId, silent)) as unknown as Api.messages.SendMessage;
}

class PlainTextRequest {
  readonly className = 'messages.SendMessage';
  readonly classType = 'request';
  readonly CONSTRUCTOR_ID = constructorId;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  getBytes(): Buffer {
    return this.#bytes;
  }

  readResult(reader: BinaryReader): unknown {
    return reader.tgReadObject();
  }
}

/**
 *     constructor 4 · flags 4 · peer · message: length 1 or 0xfe + 3, bytes, padding to 4 · random_id 8
 *
 * (https://core.telegram.org/mtproto/serialize)
 */
function serialise(peer: Buffer, text: string, randomId: bigint, silent: boolean): Buffer {
  const length = Buffer.byteLength(text);
  const lengthBytes = length < 254 ? 1 : 4;
  const textBytes = (lengthBytes + length + 3) & ~3;
  const bytes = Buffer.alloc(8 + peer.length + textBytes + 8);
  bytes.writeUInt32LE(constructorId, 0);
  bytes.writeUInt32LE(silent ? silentFlag : 0, 4);
  let at = 8 + peer.copy(bytes, 8);
  if (lengthBytes === 1) bytes[at] = length;
  else bytes.writeUInt32LE(((length << 8) | 254) >>> 0, at);
  bytes.write(text, at + lengthBytes);
  at += textBytes;
  bytes.writeBigInt64LE(BigInt.asIntN(64, randomId), at);
  return bytes;
}
