import { createHmac, generateKeyPairSync } from 'node:crypto';
import type { Randomness } from '../../../actors/ports/clock.ts';

/** The beginning of a TLS connection as browsers send it (RFC 8446, section 4.1.2). */
const helloBytes = 517;
const randomAt = 11;
const randomBytesCount = 32;
const timeBytes = 4;
const rawKeyBytes = 32;
/** Values that servers ignore; browsers send one of them in each list (RFC 8701). */
const greaseValues = 16;

const uint16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);
const words = (...values: number[]): Buffer => Buffer.concat(values.map(uint16));
/** A vector with a length of two bytes. */
const vector = (...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([uint16(body.length), body]);
};
const shortVector = (...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([body.length]), body]);
};
const extension = (type: number, ...parts: Buffer[]): Buffer => Buffer.concat([uint16(type), vector(...parts)]);

const greaseOf = (random: Pick<Randomness, 'bytes'>): number => {
  const nibble = (random.bytes(1)[0] ?? 0) % greaseValues;
  const byte = (nibble << 4) | 0x0a;
  return (byte << 8) | byte;
};

const cipherSuites = [
  0x1301, 0x1302, 0x1303, 0xc02b, 0xc02f, 0xc02c, 0xc030, 0xcca9, 0xcca8, 0xc013, 0xc014, 0x9c, 0x9d, 0x2f, 0x35,
];
const signatures = [0x0403, 0x0804, 0x0401, 0x0503, 0x0805, 0x0501, 0x0806, 0x0601];
const groups = [0x1d, 0x17, 0x18];
const versions = [0x0304, 0x0303];

/**
 * The hello that an MTProto proxy with an `ee` secret recognises: its random bytes are an HMAC of the rest, and hold the
 * time.
 * @param now milliseconds since 1970
 * @returns the record, and its digest: the random bytes
 */
export function clientHello(
  randomness: Pick<Randomness, 'bytes'>,
  secret: Buffer,
  domain: string,
  now: number,
): { record: Buffer; digest: Buffer } {
  const grease = (): number => greaseOf(randomness);
  // Stryker disable next-line StringLiteral: a domain is of ASCII, which is the same in UTF-8
  const name = Buffer.from(domain, 'latin1');
  const group = grease();
  const extensions = Buffer.concat([
    extension(grease()),
    extension(0x00, vector(Buffer.from([0]), vector(name))),
    extension(0x17),
    extension(0xff01, Buffer.from([0])),
    extension(0x0a, vector(words(group, ...groups))),
    extension(0x0b, shortVector(Buffer.from([0]))),
    extension(0x23),
    extension(0x10, vector(shortVector(Buffer.from('h2')), shortVector(Buffer.from('http/1.1')))),
    extension(0x05, Buffer.from([1, 0, 0, 0, 0])),
    extension(0x0d, vector(words(...signatures))),
    extension(0x12),
    extension(0x33, vector(words(group), vector(Buffer.from([0])), words(0x1d), vector(keyShare()))),
    extension(0x2d, shortVector(Buffer.from([1]))),
    extension(0x2b, shortVector(words(grease(), ...versions))),
    extension(0x1b, shortVector(words(2))),
  ]);
  const front = Buffer.concat([
    Buffer.from([3, 3]),
    Buffer.alloc(randomBytesCount),
    shortVector(randomness.bytes(randomBytesCount)),
    vector(words(grease(), ...cipherSuites)),
    shortVector(Buffer.from([0])),
  ]);
  // The record and its handshake have 9 bytes of headers; the extensions' length and that of the padding have 2 and 4.
  const padding = Math.max(0, helloBytes - 9 - front.length - 2 - extensions.length - 4);
  const body = Buffer.concat([front, vector(extensions, extension(0x15, Buffer.alloc(padding)))]);
  const record = Buffer.concat([Buffer.from([0x16, 3, 1]), vector(Buffer.from([1, 0]), vector(body))]);
  const digest = createHmac('sha256', secret).update(record).digest();
  const timeAt = randomBytesCount - timeBytes;
  digest.writeUInt32LE((digest.readUInt32LE(timeAt) ^ Math.floor(now / 1000)) >>> 0, timeAt);
  digest.copy(record, randomAt);
  return { record, digest };
}

/** A public key of X25519, as a browser has it. */
function keyShare(): Buffer {
  const der = generateKeyPairSync('x25519').publicKey.export({ format: 'der', type: 'spki' });
  return der.subarray(der.length - rawKeyBytes);
}
