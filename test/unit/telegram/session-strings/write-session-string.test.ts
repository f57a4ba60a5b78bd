import { createHash } from 'node:crypto';
import { readStringSession, writeStringSession } from '@mtcute/node/utils.js';
import { StringSession } from 'telegram/sessions/index.js';
import { describe, expect, it } from 'vitest';
import { writeSessionString } from '../../../../src/telegram/session-strings/write-session-string.ts';
import { gramJsString } from '../../../support/telegram/gramjs-string.ts';

const key = Buffer.concat(
  Array.from({ length: 8 }, (_value, index) => createHash('sha256').update(`part ${index}`).digest()),
);
const host = '149.154.167.51';
const content = { dc: 4, key, host, port: 443, apiId: 2040, isTest: false, userId: 5_000_000_001n, isBot: false };

/** Python's `struct.pack('>B4sH256s', …)`, in URL-safe Base64. */
const telethon = (address: readonly number[]): string =>
  `1${urlSafe(Buffer.concat([Buffer.from([4]), Buffer.from(address), Buffer.from([0x01, 0xbb]), key]))}`;
/** `'>BI?256sQ?'`, without padding. */
const pyrogram = (...parts: readonly (Buffer | readonly number[])[]): string =>
  urlSafe(Buffer.concat(parts.map((part) => Buffer.from(part)))).replaceAll('=', '');
const urlSafe = (bytes: Buffer): string => bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_');

const mtcutePlace = { id: 4, ipAddress: host, port: 443, ipv6: false, mediaOnly: false, testMode: false };
const self = { userId: 5_000_000_001, isBot: false, isPremium: false, usernames: [] };
const mtcute = (): string =>
  writeStringSession({
    version: 3,
    primaryDcs: { main: mtcutePlace, media: mtcutePlace },
    self,
    authKey: key,
  });

describe('[LG2.1] a session string is written:', () => {
  it('as the libraries write it', async () => {
    expect(writeSessionString('telethon', content)).toBe(telethon([149, 154, 167, 51]));
    expect(writeSessionString('pyrogram', content)).toBe(
      pyrogram([4, 0, 0, 7, 248, 0], key, [0, 0, 0, 1, 42, 5, 242, 1, 0]),
    );
    expect(writeSessionString('gramjs', content)).toBe(await gramJsString(key, host));
    expect(writeSessionString('mtcute', content)).toBe(mtcute().replace(/=+$/, ''));
  });

  it('as mtcute reads it: an address of IPv6, test servers, a bot', () => {
    const text = writeSessionString('mtcute', { ...content, host: '2001:67c:4e8:f002::e', isTest: true, isBot: true });
    expect(readStringSession(text)).toMatchObject({
      primaryDcs: { main: { id: 4, ipAddress: '2001:67c:4e8:f002::e', port: 443, ipv6: true, testMode: true } },
      self: { userId: 5_000_000_001, isBot: true },
    });
  });

  it('as GramJS reads it', async () => {
    const session = new StringSession(writeSessionString('gramjs', content));
    await session.load();
    expect(session).toMatchObject({ dcId: 4, serverAddress: host, port: 443 });
    expect(session.getAuthKey()?.getKey()).toEqual(key);
  });

  it('Pyrogram: test servers, a bot', () => {
    const text = writeSessionString('pyrogram', { ...content, isTest: true, isBot: true });
    expect(text).toBe(pyrogram([4, 0, 0, 7, 248, 1], key, [0, 0, 0, 1, 42, 5, 242, 1, 1]));
  });

  it('Telethon without an IPv4 address', () => {
    expect(writeSessionString('telethon', { ...content, host: 'localhost' })).toBe(telethon([0, 0, 0, 0]));
  });
});
