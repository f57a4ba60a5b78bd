import type { StringContent } from './session-string.ts';

const version = 3;
const withSelf = 1;
const dcVersion = 2;
const dcFlags = { ipv6: 1, test: 4 } as const;
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
  const self = Buffer.alloc(12);
  self.writeBigInt64LE(userId, 0);
  self.writeUInt32LE(isBot ? boolTrue : boolFalse, 8);
  return Buffer.concat([Buffer.from([version]), int32(withSelf), tlBytes(place), self, tlBytes(key)]);
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
