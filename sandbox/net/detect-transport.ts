import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { ByteQueue } from './byte-queue.ts';
import {
  abridgedFraming,
  type Framing,
  FramingError,
  fullFraming,
  intermediateFraming,
  paddedFraming,
} from './framing.ts';

/** The AES-CTR streams around an obfuscated connection, and what its header says. */
interface Obfuscation {
  decrypt: (bytes: Buffer) => Buffer;
  encrypt: (bytes: Buffer) => Buffer;
  /** The data centre that the client says it wants; some clients leave random bytes there. */
  dc: number;
}

export interface Detected {
  framing: Framing;
  obfuscation: Obfuscation | undefined;
}

const HEADER_BYTES = 64;
const tagged: ReadonlyMap<number, Framing> = new Map([
  [0xefefefef, abridgedFraming],
  [0xeeeeeeee, intermediateFraming],
  [0xdddddddd, paddedFraming],
]);

/**
 * Tells by the first bytes how a client means to talk, and takes them; undefined while there are too few. The full
 * transport has no tag: its second word is the number 0 of the first packet, which no obfuscated header has there.
 * Throws FramingError.
 */
export function detectTransport(queue: ByteQueue): Detected | undefined {
  if (queue.peek(1)?.[0] === 0xef) {
    queue.take(1);
    return { framing: abridgedFraming, obfuscation: undefined };
  }
  const word = queue.peek(4)?.readUInt32LE(0);
  const framing = word === undefined ? undefined : tagged.get(word);
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

/** https://core.telegram.org/mtproto/mtproto-transports#transport-obfuscation: the keys lie open in the header. */
function readObfuscatedHeader(header: Buffer): Detected {
  const reversed = Buffer.from(header.subarray(8, 56).toReversed());
  const decipher = createDecipheriv('aes-256-ctr', header.subarray(8, 40), header.subarray(40, 56));
  const cipher = createCipheriv('aes-256-ctr', reversed.subarray(0, 32), reversed.subarray(32));
  const plain = decipher.update(header);
  const framing = tagged.get(plain.readUInt32LE(56));
  if (!framing) throw new FramingError('no transport that is known');
  return {
    framing,
    obfuscation: {
      decrypt: (bytes) => decipher.update(bytes),
      encrypt: (bytes) => cipher.update(bytes),
      dc: Math.abs(plain.readInt16LE(60)) % TEST_DC_OFFSET,
    },
  };
}

/** Clients add this to the number of a test data centre. */
const TEST_DC_OFFSET = 10_000;
