import type { LoginKey } from '../login/login-state.ts';
import type { StringContent } from './session-string.ts';

const version = 3;
const withSelf = 1;
/** Files have a data centre of their own. */
const withMedia = 4;
const dcVersion = 2;
const dcFlags = { ipv6: 1, test: 4 } as const;
/** The account's ID, and whether it is a bot. */
const selfBytes = 12;
const boolTrue = 0x997275b5;
const boolFalse = 0xbc799737;
/** Lengths from here on take four bytes. */
const longBytes = 254;

/**
 * mtcute's strings of version 3: the version, flags, the data centre, who the account is, and the key, in TL's serialisation
 * (https://core.telegram.org/mtproto/serialize).
 */
export function mtcuteLayout({ dc, key, host, port, isTest, userId, isBot }: StringContent): Buffer {
  const bits = (host.includes(':') ? dcFlags.ipv6 : 0) | (isTest ? dcFlags.test : 0);
  const place = Buffer.concat([Buffer.from([dcVersion, dc, bits]), tlBytes(Buffer.from(host)), int32(port)]);
  const self = Buffer.alloc(selfBytes);
  self.writeBigInt64LE(userId, 0);
  self.writeUInt32LE(isBot ? boolTrue : boolFalse, 8);
  return Buffer.concat([Buffer.from([version]), int32(withSelf), tlBytes(place), self, tlBytes(key)]);
}

/**
 * The login in a string of version 3.
 * @returns undefined if it is none; its key may have any length
 */
export function readMtcuteLayout(bytes: Buffer): LoginKey | undefined {
  if (bytes[0] !== version || bytes.length < 5) return undefined;
  const flags = bytes.readInt32LE(1);
  const place = readTlBytes(bytes, 5);
  const media = (flags & withMedia) === 0 ? place : readTlBytes(bytes, place?.end);
  const keyAt = (media?.end ?? bytes.length) + ((flags & withSelf) === 0 ? 0 : selfBytes);
  const key = readTlBytes(bytes, keyAt);
  const dc = place?.content[1];
  return dc === undefined || key?.end !== bytes.length ? undefined : { dc, key: key.content };
}

/** @returns undefined if the content does not end within the bytes */
function readTlBytes(bytes: Buffer, at = bytes.length): { content: Buffer; end: number } | undefined {
  const isLong = bytes[at] === longBytes;
  const from = at + (isLong ? 4 : 1);
  if (from > bytes.length) return undefined;
  const length = isLong ? bytes.readUIntLE(at + 1, 3) : (bytes[at] ?? 0);
  const end = from + length + paddingOf(from - at + length);
  return end > bytes.length ? undefined : { content: bytes.subarray(from, from + length), end };
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}

function tlBytes(content: Buffer): Buffer {
  const { length } = content;
  const head =
    length < longBytes
      ? Buffer.from([length])
      : Buffer.from([longBytes, length & 0xff, (length >> 8) & 0xff, length >> 16]);
  return Buffer.concat([head, content, Buffer.alloc(paddingOf(head.length + length))]);
}

const paddingOf = (length: number): number => (4 - (length % 4)) % 4;
