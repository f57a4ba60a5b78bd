import { hash } from 'node:crypto';

/** Of a key or a token: 256 bits. */
export const secretBytes = 32;

/** What a secret begins with: scanners for secrets find it by that. */
const beginnings = { key: 'tgw', link: 'tgl' } as const;
type SecretKind = keyof typeof beginnings;

const pattern = /^(tg[lw])_([\da-f]{8})([\da-f]{4})([\da-f]{4})([\da-f]{4})([\da-f]{12})_[\w-]{43}$/;

/** A secret as its holder has it: its beginning, its ID without hyphens, and the secret itself in base64url. */
export const secretText = (kind: SecretKind, id: string, secret: Buffer): string =>
  `${beginnings[kind]}_${id.replaceAll('-', '')}_${secret.toString('base64url')}`;

/** The ID in a secret; undefined if the text does not have the form of one of this kind. */
export function idOfSecret(kind: SecretKind, text: string): string | undefined {
  const [, beginning, ...parts] = pattern.exec(text) ?? [];
  return beginning === beginnings[kind] ? parts.join('-') : undefined;
}

/** SHA-256, hex. */
export const hashOfSecret = (text: string): string => hash('sha256', text, 'hex');
