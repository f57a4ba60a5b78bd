import { isIPv4 } from 'node:net';
import type { StringFormat } from '../../../actors/ports/telegram-session.ts';
import { mtcuteLayout } from './mtcute-layout.ts';
import type { StringContent } from './session-string.ts';

const telethonVersion = '1';

/** Writes a login as a session string of a library. All of it is secret. */
export function writeSessionString(format: StringFormat, content: StringContent): string {
  return writers[format](content);
}

const writers: Record<StringFormat, (content: StringContent) => string> = {
  /** `>B4sH256s`; without an IPv4 address the four bytes are 0. */
  telethon: ({ dc, host, port, key }) =>
    telethonVersion + urlSafe(Buffer.concat([Buffer.from([dc]), ipv4Bytes(host), uint16(port), key])),
  /** `>BI?256sQ?`, of Pyrogram 2, without padding. */
  pyrogram: ({ dc, apiId, isTest, key, userId, isBot }) => {
    const [application, user] = [Buffer.alloc(4), Buffer.alloc(8)];
    application.writeUInt32BE(apiId);
    user.writeBigUInt64BE(userId);
    const parts = [
      Buffer.from([dc]),
      application,
      Buffer.from([Number(isTest)]),
      key,
      user,
      Buffer.from([Number(isBot)]),
    ];
    return Buffer.concat(parts).toString('base64url');
  },
  gramjs: ({ dc, host, port, key }) => {
    const address = Buffer.from(host);
    const parts = [Buffer.from([dc]), uint16(address.length), address, uint16(port), key];
    return telethonVersion + Buffer.concat(parts).toString('base64');
  },
  mtcute: (content) => mtcuteLayout(content).toString('base64url'),
};

const urlSafe = (bytes: Buffer): string => bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_');

const ipv4Bytes = (host: string): Buffer => Buffer.from(isIPv4(host) ? host.split('.').map(Number) : [0, 0, 0, 0]);

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}
