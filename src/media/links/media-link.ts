import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { MediaRef } from '../../telegram/port/files.ts';

/** The parts of a link. */
export interface MediaLink {
  /** The session that has access to the file. */
  sessionId: string;
  ref: MediaRef;
}

export interface MediaLinks {
  /** A public link to the file; `ext` is its extension without the dot, such as `jpg`. */
  link(sessionId: string, ref: MediaRef, ext: string): string;
  /** Reads the path of a request, exactly as it was sent; undefined if no key of the gateway signed it. */
  verify(path: string): MediaLink | undefined;
}

export interface MediaLinksOptions {
  /** The first one signs, all verify. */
  keys: readonly Buffer[];
  /** The start of links, without a slash at the end. Read each time, because the port may be known later. */
  publicUrl: () => string;
}

/** The signed parts of a path, in their order. Another order or form needs another version. */
type SignedParts = readonly [platformId: string, chatId: string, messageId: string, variant: string, ext: string];

const version = 1;
/** The whole HMAC-SHA256 in base64url: 43 characters without `=`. */
const signatureLength = 43;
const linkPath =
  /^\/media\/([\da-f-]{36})\/(-?\d{1,20})\/(\d{1,20})\/(photo|thumb|file|profile)\/([\w-]{43})\.([a-z\d]{1,8})$/;

/**
 * Links to media that nobody can make or change but us (ME1):
 *
 * ```
 *  /media/{platformId}/{chatId}/{messageId}/{variant}/{signature}.{ext}
 *         └──────────────── signed ─────────────────┘             └─┬─┘
 *                                                                signed
 * ```
 */
export function createMediaLinks({ keys: ring, publicUrl }: MediaLinksOptions): MediaLinks {
  const keys = ring.map((key) => createSecretKey(key));
  const [signingKey] = keys;
  if (signingKey === undefined) throw new Error('no key to sign media links with');
  return {
    link(sessionId, { chatId, messageId, variant }, ext) {
      const signature = sign(signingKey, [sessionId, chatId, messageId, variant, ext]);
      return `${publicUrl()}/media/${sessionId}/${chatId}/${messageId}/${variant}/${signature}.${ext}`;
    },
    verify(path) {
      const [, platformId, chatId, messageId, variant, signature, ext] = linkPath.exec(path) ?? [];
      if (platformId === undefined || chatId === undefined || messageId === undefined) return undefined;
      if (variant === undefined || signature === undefined || ext === undefined) return undefined;
      if (!isSigned(keys, [platformId, chatId, messageId, variant, ext], signature)) return undefined;
      return { sessionId: platformId, ref: { chatId, messageId, variant: variant as MediaRef['variant'] } };
    },
  };
}

/**
 * Every key is tried, each in constant time. The text is compared, because the last of its characters carries two bits
 * that do not belong to the signature, and another character must not be accepted.
 */
function isSigned(keys: readonly KeyObject[], parts: SignedParts, signature: string): boolean {
  const given = Buffer.from(signature, 'latin1');
  let isRight = false;
  for (const key of keys) isRight = timingSafeEqual(given, Buffer.from(sign(key, parts), 'latin1')) || isRight;
  return isRight;
}

const sign = (key: KeyObject, parts: SignedParts): string =>
  createHmac('sha256', key).update(canonicalForm(parts)).digest('base64url').slice(0, signatureLength);

/**
 * What is signed: each part behind its length, so that nothing can move from one into the next.
 *
 * ```
 * 01      | 0024   3031…66       | 0005   2d32303031 | 0002   3137  | 0005   70686f746f | 0003   6a7067
 * version | length platformId    | length chatId     | length       | length variant    | length ext
 *         |                      |        -2001      | messageId 17 |        photo      |        jpg
 * ```
 */
function canonicalForm(parts: SignedParts): Buffer {
  // One buffer for all links: a page of messages has a hundred.
  const form = Buffer.allocUnsafe(parts.reduce((size, part) => size + 2 + Buffer.byteLength(part), 1));
  form[0] = version;
  let end = 1;
  for (const part of parts) {
    const length = form.write(part, end + 2);
    form.writeUInt16BE(length, end);
    end += 2 + length;
  }
  return form;
}
