import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { SessionAccount } from '../../../projections/session-view.ts';
import type { MediaRef } from '../../telegram/port/files.ts';

/** The parts of a link. */
export interface MediaLink {
  /** The session that has access to the file. */
  sessionId: string;
  /** ID of the account whose chats the link is about. */
  account: string;
  ref: MediaRef;
}

export interface MediaLinks {
  /**
   * A public link to the file.
   * @param account ID of the account in whose chats the file is
   * @param ext its extension without the dot, such as `jpg`
   */
  link(sessionId: string, account: string, ref: MediaRef, ext: string): string;
  /**
   * Reads the path of a request, exactly as it was sent; undefined if no key of the gateway signed it for this account.
   * @param account of the session that the path names
   */
  verify(path: string, account: SessionAccount): MediaLink | undefined;
}

export interface MediaLinksOptions {
  /** The first one signs, all verify. */
  keys: readonly Buffer[];
  /** The start of links, without a slash at the end. Read each time, because the port may be known later. */
  publicUrl: () => string;
}

/** The signed parts, in their order. Another order or form needs another version. */
type SignedParts = readonly [platformId: string, chatId: string, messageId: string, variant: string, ext: string];

/** Links of version 1 did not name the account; they are no longer made. */
type SignedForm =
  | { version: 1; parts: SignedParts }
  | { version: 2; parts: readonly [...SignedParts, account: string] };

/** The signature is a whole HMAC-SHA256 in base64url: 43 characters without `=`. */
const linkPath =
  /^\/media\/([\da-f-]{36})\/(-?\d{1,20})\/(\d{1,20})\/((?:story-)?(?:photo|thumb|file)|profile)\/([\w-]{43})\.([a-z\d]{1,8})$/;

/**
 * Links to media, signed so that only the gateway can make or change one (ME1):
 *
 * ```
 *  /media/{platformId}/{chatId}/{messageId}/{variant}/{signature}.{ext}
 *         └──────────────── signed ─────────────────┘             └─┬─┘
 *                                                                signed
 * ```
 *
 * The account is signed too. The message IDs of private chats count per account: after another account's login, the same
 * path would name another file.
 */
export function createMediaLinks({ keys: ring, publicUrl }: MediaLinksOptions): MediaLinks {
  const keys = ring.map((key) => createSecretKey(key));
  const [signingKey] = keys;
  if (signingKey === undefined) throw new Error('no key to sign media links with');
  return {
    link(sessionId, account, { chatId, messageId, variant }, ext) {
      const parts = [sessionId, chatId, messageId, variant, ext, account] as const;
      const signature = sign(signingKey, { version: 2, parts });
      return `${publicUrl()}/media/${sessionId}/${chatId}/${messageId}/${variant}/${signature}.${ext}`;
    },
    verify(path, account) {
      // Stryker disable next-line ArrayDeclaration: its first element is passed over
      const [, platformId, chatId, messageId, variant, signature, ext] = linkPath.exec(path) ?? [];
      // Stryker disable next-line ConditionalExpression,LogicalOperator: all of them match, or none
      if (platformId === undefined || chatId === undefined || messageId === undefined) return undefined;
      // Stryker disable next-line all: all of them match, or none
      if (variant === undefined || signature === undefined || ext === undefined) return undefined;
      const parts: SignedParts = [platformId, chatId, messageId, variant, ext];
      const isBound = isSigned(keys, { version: 2, parts: [...parts, account.id] }, signature);
      const isUnbound = isSigned(keys, { version: 1, parts }, signature);
      if (!isBound && !(isUnbound && account.isOnly)) return undefined;
      const ref = { chatId, messageId, variant: variant as MediaRef['variant'] };
      return { sessionId: platformId, account: account.id, ref };
    },
  };
}

/**
 * Every key is tried, each in constant time. The text is compared, because the last of its characters carries two bits
 * that do not belong to the signature, and another character must not be accepted.
 */
function isSigned(keys: readonly KeyObject[], form: SignedForm, signature: string): boolean {
  const given = Buffer.from(signature, 'latin1');
  let isRight = false;
  for (const key of keys) isRight = timingSafeEqual(given, Buffer.from(sign(key, form), 'latin1')) || isRight;
  return isRight;
}

const sign = (key: KeyObject, form: SignedForm): string =>
  createHmac('sha256', key).update(canonicalForm(form)).digest('base64url');

/**
 * The signed bytes: each part behind its length, so that no byte can move from one part into the next.
 *
 * ```
 * 02      | 0024   3031…66       | 0005   2d32303031 | 0002   3137  | 0005   70686f746f | 0003   6a7067 | 0004   31303031
 * version | length platformId    | length chatId     | length       | length variant    | length ext    | length account
 *         |                      |        -2001      | messageId 17 |        photo      |        jpg    |        1001
 * ```
 */
function canonicalForm({ version, parts }: SignedForm): Buffer {
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
