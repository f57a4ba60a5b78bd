import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Randomness } from '../../../actors/ports/clock.ts';
import { BrokenSealError, type Sealed } from '../../../actors/ports/sealer.ts';

/**
 * Sealed text (AES-256-GCM, all parts base64url):
 *
 *     v1.<context>.<nonce, 12 bytes>.<ciphertext and tag, 16 bytes>
 *
 * The tag also covers the version, the purpose, the owner's ID and the context: a text does not open for another owner,
 * purpose or context.
 */
const version = 'v1';
const nonceBytes = 12;
const tagBytes = 16;

/** A sealed text opens only with the binding that it was sealed with. */
export interface Binding {
  purpose: 'text' | 'key';
  /** The session's ID. */
  owner: string;
}

/** AES-256. */
export const dataKeyBytes = 32;
/** The context of a sealed login. */
export const loginContext = 'login';

/** Seals a text of a session with its data key. @param context as `Sealer.seal` */
export const sealText = (
  key: Buffer,
  sessionId: string,
  context: string,
  text: string,
  randomness: Pick<Randomness, 'bytes'>,
): Sealed => sealBytes(key, { purpose: 'text', owner: sessionId }, context, Buffer.from(text), randomness);

/** @throws {BrokenSealError} */
export const openText = (key: Buffer, sessionId: string, sealed: string): string =>
  openBytes(key, { purpose: 'text', owner: sessionId }, sealed).toString();

/** The nonce is random: up to 2^32 texts with one key are safe (NIST SP 800-38D). */
export function sealBytes(
  key: Buffer,
  binding: Binding,
  context: string,
  content: Buffer,
  randomness: Pick<Randomness, 'bytes'>,
): Sealed {
  const nonce = Buffer.from(randomness.bytes(nonceBytes));
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
  cipher.setAAD(associated(binding, context));
  const sealed = Buffer.concat([cipher.update(content), cipher.final(), cipher.getAuthTag()]);
  return [version, encode(Buffer.from(context)), encode(nonce), encode(sealed)].join('.') as Sealed;
}

/** @throws {BrokenSealError} */
export function openBytes(key: Buffer, binding: Binding, sealed: string): Buffer {
  const { context, nonce, body } = parse(sealed);
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
    decipher.setAAD(associated(binding, context));
    decipher.setAuthTag(body.subarray(-tagBytes));
    const opened = decipher.update(body.subarray(0, -tagBytes));
    // Returns no bytes in this mode; throws if the tag does not match.
    decipher.final();
    return opened;
  } catch {
    throw new BrokenSealError(`a sealed ${binding.purpose} of session ${binding.owner} does not open`);
  }
}

/** The context that a sealed text claims; only opening it proves the context. @throws {BrokenSealError} */
export const contextOf = (sealed: string): string => parse(sealed).context;

function parse(sealed: string): { context: string; nonce: Buffer; body: Buffer } {
  const [found, context, nonceText, bodyText, ...rest] = sealed.split('.');
  const nonce = decode(nonceText);
  const body = decode(bodyText);
  const complete = context !== undefined && nonce.length === nonceBytes && body.length >= tagBytes;
  if (found !== version || !complete || rest.length > 0) {
    throw new BrokenSealError('this is no sealed text of a known version');
  }
  return { context: decode(context).toString(), nonce, body };
}

/** JSON keeps the boundaries between the parts. */
function associated({ purpose, owner }: Binding, context: string): Buffer {
  return Buffer.from(JSON.stringify([version, purpose, owner, context]));
}

const encode = (bytes: Buffer): string => bytes.toString('base64url');
const decode = (text = ''): Buffer => Buffer.from(text, 'base64url');
