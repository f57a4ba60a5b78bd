import type { LoginKey } from '../login/login-state.ts';
import { readMtcuteLayout } from './mtcute-layout.ts';
import type { LoginString } from './session-string.ts';

/** Telethon and GramJS number their strings. The others begin with a letter, since the first byte of theirs is small. */
const knownVersion = '1';
const keyBytes = 256;
/** Telegram's data centres are numbered from 1. */
const maxDc = 5;

/**
 * Reads a session string of Telethon, Pyrogram (1 and 2), GramJS or mtcute (3).
 * @returns the login, or what is wrong with the text, which is never quoted: it may be a secret
 */
export function readSessionString(given: string): LoginString | { problem: string } {
  const text = given.trim();
  const isNumbered = /^\d/.test(text);
  if (isNumbered && !text.startsWith(knownVersion)) return { problem: 'its version is unknown' };
  const bytes = isNumbered ? strictBase64(text.slice(knownVersion.length), true) : strictBase64(text, false);
  if (bytes === undefined) return { problem: 'it is not Base64' };
  const login = isNumbered ? readNumbered(bytes) : readUnnumbered(bytes);
  if (login === undefined) return { problem: 'its length or its content is that of no library' };
  const { dc, key } = login;
  if (dc < 1 || dc > maxDc) return { problem: `its data centre is not one of 1 to ${maxDc}` };
  if (key.every((byte) => byte === 0)) return { problem: 'it has no key' };
  return login;
}

/**
 * The bytes of Base64 in either alphabet. Buffer.from skips what is none.
 * @param needsPadding otherwise it may be left out
 */
function strictBase64(text: string, needsPadding: boolean): Buffer | undefined {
  const body = text.replace(/={1,2}$/, '');
  const bytes = Buffer.from(body, 'base64');
  const isPadded = text.length % 4 === 0 || (body === text && !needsPadding);
  const isExact = [bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')].includes(body);
  return isPadded && isExact && bytes.length > 0 ? bytes : undefined;
}

/** GramJS first: an address of 14 letters makes its string as long as Telethon's with an address of IPv6. */
function readNumbered(bytes: Buffer): LoginString | undefined {
  const gramjs = readGramJs(bytes);
  if (gramjs !== undefined) return { format: 'gramjs', ...gramjs };
  const telethon = telethonKeyAt.get(bytes.length);
  return telethon === undefined ? undefined : { format: 'telethon', ...loginKeyAt(bytes, telethon) };
}

/** By the length in bytes, where the key begins: `>B4sH256s` and, for IPv6, `>B16sH256s`. */
const telethonKeyAt: ReadonlyMap<number, number> = new Map([
  [263, 7],
  [275, 19],
]);

/** The data centre, the length of the address, the address, the port, the key. */
function readGramJs(bytes: Buffer): LoginKey | undefined {
  const addressAt = 3;
  if (bytes.length < addressAt + keyBytes) return undefined;
  const portAt = addressAt + bytes.readUInt16BE(1);
  const keyAt = portAt + 2;
  if (bytes.length !== keyAt + keyBytes) return undefined;
  const address = bytes.toString('latin1', addressAt, portAt);
  return /^[\w.:-]*$/.test(address) ? loginKeyAt(bytes, keyAt) : undefined;
}

function readUnnumbered(bytes: Buffer): LoginString | undefined {
  const pyrogram = pyrogramLayouts.get(bytes.length);
  if (pyrogram !== undefined) {
    const { testAt, keyAt } = pyrogram;
    const [test, bot] = [bytes[testAt] ?? 0, bytes.at(-1) ?? 0];
    return test > 1 || bot > 1 ? undefined : { format: 'pyrogram', ...loginKeyAt(bytes, keyAt) };
  }
  const mtcute = readMtcuteLayout(bytes);
  return mtcute?.key.length === keyBytes ? { format: 'mtcute', ...mtcute } : undefined;
}

/** By the length in bytes: `>B?256sI?`, the same with `Q` for accounts from 2^32 on, and `>BI?256sQ?` of Pyrogram 2. */
const pyrogramLayouts: ReadonlyMap<number, { testAt: number; keyAt: number }> = new Map([
  [263, { testAt: 1, keyAt: 2 }],
  [267, { testAt: 1, keyAt: 2 }],
  [271, { testAt: 5, keyAt: 6 }],
]);

const loginKeyAt = (bytes: Buffer, keyAt: number): LoginKey => ({
  dc: bytes[0] ?? 0,
  key: bytes.subarray(keyAt, keyAt + keyBytes),
});
