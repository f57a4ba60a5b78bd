import { hash } from 'node:crypto';

/** Of a key: 256 bits. */
export const keySecretBytes = 32;

const keyPattern = /^tgw_([\da-f]{8})([\da-f]{4})([\da-f]{4})([\da-f]{4})([\da-f]{12})_[\w-]{43}$/;

/** A key as its holder has it: `tgw_`, its ID without hyphens, and the secret in base64url. Scanners for secrets find it by its beginning. */
export const keyText = (id: string, secret: Buffer): string =>
  `tgw_${id.replaceAll('-', '')}_${secret.toString('base64url')}`;

/** The ID in a key; undefined if the text has not the form of one. */
export function idOfKey(text: string): string | undefined {
  const [, ...parts] = keyPattern.exec(text) ?? [];
  return parts.length === 0 ? undefined : parts.join('-');
}

/** SHA-256, hex. */
export const hashOfKey = (text: string): string => hash('sha256', text, 'hex');
