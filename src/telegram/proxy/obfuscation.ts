import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import type { Randomness } from '../../../actors/ports/clock.ts';

const headerBytes = 64;
const keyAt = 8;
const ivAt = 40;
const tagAt = 56;
const dcAt = 60;
/** How the header names the transport to the MTProto proxy. */
const tags = { intermediate: 0xee, padded: 0xdd } as const;
/** What another transport begins with: a header must not look like one. */
const otherBeginnings: ReadonlySet<number> = new Set([
  ...['HEAD', 'POST', 'GET ', 'OPTI'].map((text) => Buffer.from(text).readUInt32LE()),
  0xdddddddd,
  0xeeeeeeee,
  0x02010316,
]);

/** The two streams of a connection to an MTProto proxy. */
export interface Obfuscation {
  /** Sent before anything else. */
  readonly header: Buffer;
  encrypt: (bytes: Buffer) => Buffer;
  decrypt: (bytes: Buffer) => Buffer;
}

/**
 * The obfuscation of a connection to an MTProto proxy
 * (https://core.telegram.org/mtproto/mtproto-transports#transport-obfuscation).
 * @param dc the data centre that the proxy connects to
 */
export function obfuscate(
  random: Pick<Randomness, 'bytes'>,
  secret: Buffer,
  transport: keyof typeof tags,
  dc: number,
): Obfuscation {
  const header = randomHeader(random);
  header.fill(tags[transport], tagAt, dcAt);
  header.writeInt16LE(dc, dcAt);
  const reversed = Buffer.from(header.subarray(keyAt, tagAt).toReversed());
  const keyOf = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).update(secret).digest();
  const cipher = createCipheriv('aes-256-ctr', keyOf(header.subarray(keyAt, ivAt)), header.subarray(ivAt, tagAt));
  const decipher = createDecipheriv('aes-256-ctr', keyOf(reversed.subarray(0, 32)), reversed.subarray(32));
  cipher.update(header).copy(header, tagAt, tagAt);
  return { header, encrypt: (bytes) => cipher.update(bytes), decrypt: (bytes) => decipher.update(bytes) };
}

function randomHeader(random: Pick<Randomness, 'bytes'>): Buffer {
  for (;;) {
    const header = random.bytes(headerBytes);
    const isOther = header[0] === 0xef || otherBeginnings.has(header.readUInt32LE()) || header.readUInt32LE(4) === 0;
    if (!isOther) return header;
  }
}
