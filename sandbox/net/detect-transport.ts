import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import type { ByteQueue } from './byte-queue.ts';
import {
  abridgedFraming,
  type Framing,
  FramingError,
  fullFraming,
  intermediateFraming,
  paddedFraming,
} from './framing.ts';

/** The AES-CTR streams of an obfuscated connection and the data centre that its header names. */
interface Obfuscation {
  decrypt: (bytes: Buffer) => Buffer;
  encrypt: (bytes: Buffer) => Buffer;
  /** The data centre that the client asks for. Some clients send random bytes here. */
  dc: number;
}

export interface DetectedTransport {
  framing: Framing;
  obfuscation: Obfuscation | undefined;
}

const HEADER_BYTES = 64;
const framingByTag: ReadonlyMap<number, Framing> = new Map([
  [0xefefefef, abridgedFraming],
  [0xeeeeeeee, intermediateFraming],
  [0xdddddddd, paddedFraming],
]);

/**
 * Recognises the transport by the first bytes of a connection and removes its tag or header from the queue; undefined
 * while there are too few bytes. The full transport has no tag: its second word is 0, the number of the first packet.
 * An obfuscated header never has 0 there. With the secret of an MTProxy only obfuscated connections are understood.
 * Throws FramingError.
 */
export function detectTransport(queue: ByteQueue, proxySecret?: Buffer): DetectedTransport | undefined {
  if (proxySecret) {
    const header = queue.take(HEADER_BYTES);
    return header && readObfuscatedHeader(header, proxySecret);
  }
  if (queue.peek(1)?.[0] === 0xef) {
    queue.take(1);
    return { framing: abridgedFraming, obfuscation: undefined };
  }
  const word = queue.peek(4)?.readUInt32LE(0);
  const framing = word === undefined ? undefined : framingByTag.get(word);
  if (framing) {
    queue.take(4);
    return { framing, obfuscation: undefined };
  }
  const second = queue.peek(8)?.readUInt32LE(4);
  if (second === undefined) return undefined;
  if (second === 0) return { framing: fullFraming(), obfuscation: undefined };
  const header = queue.take(HEADER_BYTES);
  return header && readObfuscatedHeader(header);
}

/** https://core.telegram.org/mtproto/mtproto-transports#transport-obfuscation: the header holds the keys. */
function readObfuscatedHeader(header: Buffer, proxySecret?: Buffer): DetectedTransport {
  const reversed = Buffer.from(header.subarray(8, 56).toReversed());
  const keyOf = (bytes: Buffer): Buffer =>
    proxySecret ? createHash('sha256').update(bytes).update(proxySecret).digest() : bytes;
  const decipher = createDecipheriv('aes-256-ctr', keyOf(header.subarray(8, 40)), header.subarray(40, 56));
  const cipher = createCipheriv('aes-256-ctr', keyOf(reversed.subarray(0, 32)), reversed.subarray(32));
  const plain = decipher.update(header);
  const framing = framingByTag.get(plain.readUInt32LE(56));
  if (!framing) throw new FramingError('unknown transport');
  return {
    framing,
    obfuscation: {
      decrypt: (bytes) => decipher.update(bytes),
      encrypt: (bytes) => cipher.update(bytes),
      dc: Math.abs(plain.readInt16LE(60)) % TEST_DC_OFFSET,
    },
  };
}

/** Clients add this to the ID of a test data centre. */
const TEST_DC_OFFSET = 10_000;
