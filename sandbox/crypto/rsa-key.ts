import {
  constants,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  privateDecrypt,
} from 'node:crypto';
import { Writer } from '../tl/writer.ts';
import { sha1, sha256 } from './hash.ts';
import { igeDecrypt } from './ige.ts';
import { xor } from './numbers.ts';

const RSA_BYTES = 256;
const zeroIv = Buffer.alloc(32);

/** The server's key, with which a client hides its first secret. */
export interface RsaKey {
  /** PKCS #8. */
  readonly privatePem: string;
  /** PKCS #1, as clients embed it. */
  readonly publicPem: string;
  /** The low 64 bits of the SHA-1 of the key's TL form, signed. */
  readonly fingerprint: bigint;
  /**
   * What a client has hidden (`p_q_inner_data…`, padding behind it), undefined where it is nothing of the kind.
   * Takes RSA_PAD (https://core.telegram.org/mtproto/auth_key#41-rsa-paddata-server-public-key) and the form before
   * it, whose checksum the caller has to compare: SHA-1 over the data, which alone knows how long it is. Throws where
   * the number is above the modulus.
   */
  reveal(encrypted: Buffer): { data: Buffer; checksum: Buffer | undefined } | undefined;
}

/** Of a private key in PEM, or a new one of 2048 bits. */
export function createRsaKey(pem?: string): RsaKey {
  const key = pem ? createPrivateKey(pem) : generateKey();
  const publicKey = createPublicKey(key);
  return {
    privatePem: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicPem: publicKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
    fingerprint: fingerprintOf(publicKey),
    reveal(encrypted) {
      if (encrypted.length !== RSA_BYTES) return undefined;
      return unwrap(privateDecrypt({ key, padding: constants.RSA_NO_PADDING }, encrypted));
    },
  };
}

/** Some clients look a fingerprint up in hexadecimal without its leading zeros: ours has none. */
function generateKey(): KeyObject {
  for (;;) {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: RSA_BYTES * 8 });
    if (BigInt.asUintN(64, fingerprintOf(publicKey)) >> 60n !== 0n) return privateKey;
  }
}

function fingerprintOf(key: KeyObject): bigint {
  const { n = '', e = '' } = key.export({ format: 'jwk' });
  const writer = new Writer();
  writer.bytes(Buffer.from(n, 'base64url'));
  writer.bytes(Buffer.from(e, 'base64url'));
  return sha1(writer.finish()).readBigInt64LE(12);
}

function unwrap(raw: Buffer): { data: Buffer; checksum: Buffer | undefined } | undefined {
  const encrypted = raw.subarray(32);
  const temporaryKey = xor(raw.subarray(0, 32), sha256(encrypted));
  const padded = igeDecrypt(encrypted, temporaryKey, zeroIv);
  const data = Buffer.from(padded.subarray(0, 192).toReversed());
  if (sha256(temporaryKey, data).equals(padded.subarray(192))) return { data, checksum: undefined };
  return raw[0] === 0 ? { data: raw.subarray(21), checksum: raw.subarray(1, 21) } : undefined;
}
