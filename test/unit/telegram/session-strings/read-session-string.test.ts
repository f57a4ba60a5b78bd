import { createHash } from 'node:crypto';
import { writeStringSession } from '@mtcute/node/utils.js';
import { describe, expect, it } from 'vitest';
import { stringFormats } from '../../../../actors/ports/telegram-session.ts';
import { readSessionString } from '../../../../src/telegram/session-strings/read-session-string.ts';
import { writeSessionString } from '../../../../src/telegram/session-strings/write-session-string.ts';
import { gramJsString } from '../../../support/telegram/gramjs-string.ts';

const key = Buffer.concat(
  Array.from({ length: 8 }, (_value, index) => createHash('sha256').update(`part ${index}`).digest()),
);
const port = [0x01, 0xbb];

const bytesOf = (...parts: readonly (Uint8Array | readonly number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => Buffer.from(part)));
const urlSafe = (bytes: Buffer): string => bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_');
const unpadded = (bytes: Buffer): string => urlSafe(bytes).replaceAll('=', '');

/** Python's `struct.pack('>B4sH256s', …)`, or with `16s` for IPv6, in URL-safe Base64. */
const telethon = (dc: number, address: readonly number[]): string => `1${urlSafe(bytesOf([dc], address, port, key))}`;
const telethon4 = telethon(4, [149, 154, 167, 91]);
const telethon6 = telethon(4, [0x20, 0x01, 0x06, 0x7c, 0x04, 0xe8, 0xf0, 0x04, 0, 0, 0, 0, 0, 0, 0, 0x0a]);

/** `>B?256sI?`, the same with `Q`, and `>BI?256sQ?`. */
const pyrogram1 = bytesOf([4, 0], key, [0, 0, 3, 233, 0]);
const pyrogram1Wide = bytesOf([4, 0], key, [0, 0, 0, 1, 42, 5, 242, 1, 0]);
const pyrogram2 = (dc = 4): Buffer => bytesOf([dc, 0, 0, 7, 248, 0], key, [0, 0, 0, 1, 42, 5, 242, 1, 1]);

const mtcutePlace = { id: 4, ipAddress: '149.154.167.91', port: 443, ipv6: false, mediaOnly: false, testMode: false };
const mtcuteSelf = { userId: 5_000_000_001, isBot: false, isPremium: false, usernames: [] };
const mtcute = (media = mtcutePlace, self: typeof mtcuteSelf | null = mtcuteSelf): string =>
  writeStringSession({ version: 3, primaryDcs: { main: mtcutePlace, media }, self, authKey: key });

const login = (format: string) => ({ format, dc: 4, key });

describe('[LG2.5] a session string is read:', () => {
  it.each([
    ['Telethon', telethon4, 'telethon'],
    ['Telethon, with an address of IPv6', telethon6, 'telethon'],
    ['Telethon, with blanks around it', ` ${telethon4}\n`, 'telethon'],
    ['Pyrogram 1', unpadded(pyrogram1), 'pyrogram'],
    ['Pyrogram 1, of a newer account', unpadded(pyrogram1Wide), 'pyrogram'],
    ['Pyrogram 2', unpadded(pyrogram2()), 'pyrogram'],
    ['mtcute', mtcute(), 'mtcute'],
    ['mtcute, with another address for files', mtcute({ ...mtcutePlace, mediaOnly: true }), 'mtcute'],
    ['mtcute, without an account', mtcute(mtcutePlace, null), 'mtcute'],
  ])('%s', (_name, text, format) => {
    expect(readSessionString(text)).toEqual(login(format));
  });

  it.each(['149.154.167.91', '1.1.1.1', '91.108.56.130', '2001:67c:4e8:f004::a', 'vesta.web.telegram.org'])(
    'GramJS, at %s',
    async (address) => {
      expect(readSessionString(await gramJsString(key, address))).toEqual(login('gramjs'));
    },
  );

  it('has the length that Pyrogram gives it', () => {
    expect([pyrogram1, pyrogram1Wide, pyrogram2()].map((bytes) => unpadded(bytes).length)).toEqual([351, 356, 362]);
  });

  it.each(stringFormats)('as the gateway writes it for %s', (format) => {
    for (const host of ['149.154.167.91', '2001:67c:4e8:f004::a', 'localhost']) {
      const content = { dc: 4, key, host, port: 443, apiId: 2040, isTest: true, userId: 5_000_000_001n, isBot: true };
      expect(readSessionString(writeSessionString(format, content))).toEqual(login(format));
    }
  });
});

describe('[LG2.6] a damaged session string is refused:', () => {
  const notBase64 = 'it is not Base64';
  const noLayout = 'its length or its content is that of no library';
  const noDc = 'its data centre is not one of 1 to 5';

  it.each([
    ['blanks', '   ', notBase64],
    ['its version alone', '1', notBase64],
    ['a letter that Base64 has not', `${telethon4.slice(0, 100)}*${telethon4.slice(101)}`, notBase64],
    ['a bit too much in its last letter', unpadded(pyrogram2()).replace(/Q$/, 'R'), notBase64],
    ['Telethon, without its padding', telethon4.replace(/=+$/, ''), notBase64],
    ['both alphabets', `${telethon4.slice(0, 20)}-+${telethon4.slice(22)}`, notBase64],
    ['a padding that does not fit', `${unpadded(pyrogram2())}=`, notBase64],
    ['another version', `2${telethon4.slice(1)}`, 'its version is unknown'],
    ['without its version', telethon4.slice(1), noLayout],
    ['a bot token', '1004:AAExampleTokenOfABot', notBase64],
    ['mtcute, version 2', unpadded(bytesOf([2], Buffer.from(mtcute(), 'base64url').subarray(1))), noLayout],
    ['a flag of Pyrogram that is neither 0 nor 1', unpadded(bytesOf([4, 7], pyrogram1.subarray(2))), noLayout],
    ['data centre 0', unpadded(pyrogram2(0)), noDc],
    ['data centre 6', telethon(6, [149, 154, 167, 91]), noDc],
    ['a key of nothing but 0', `1${urlSafe(Buffer.alloc(263).fill(4, 0, 1))}`, 'it has no key'],
  ])('%s', (_name, text, problem) => {
    expect(readSessionString(text)).toEqual({ problem });
  });

  it('cut anywhere', async () => {
    const texts = [telethon4, telethon6, await gramJsString(key, '149.154.167.91'), mtcute(), unpadded(pyrogram1Wide)];
    for (const text of texts) {
      const whole = text.replace(/=+$/, '').length;
      for (let length = 0; length < whole; length += 1) {
        expect(readSessionString(text.slice(0, length)), `${length} letters`).toHaveProperty('problem');
      }
    }
  });

  it('and never quoted', () => {
    const problems = [telethon4.slice(0, 200), `2${telethon4.slice(1)}`, telethon(9, [1, 1, 1, 1])].map(
      readSessionString,
    );
    for (const problem of problems) expect(JSON.stringify(problem).length).toBeLessThan(80);
  });
});
