import {
  constants,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  privateDecrypt,
} from 'node:crypto';
import { TlWriter } from '../tl/writer.ts';
import { sha1, sha256 } from './hash.ts';
import { igeDecrypt } from './ige.ts';
import { xor } from './numbers.ts';

const RSA_BYTES = 256;
const zeroIv = Buffer.alloc(32);

/** The server's RSA key: a client encrypts the first secret of a handshake with it. */
export interface RsaKey {
  /** PKCS #8. */
  readonly privatePem: string;
  /** PKCS #1, as clients embed it. */
  readonly publicPem: string;
  /** The low 64 bits of the SHA-1 of the key's TL form, signed. */
  readonly fingerprint: bigint;
  /**
   * Decrypts `p_q_inner_data…`, which padding follows; undefined if the bytes are in neither of two forms. The first
   * is RSA_PAD: https://core.telegram.org/mtproto/auth_key#41-rsa-paddata-server-public-key. The second is older and
   * has a SHA-1 checksum over the data without its padding: the caller has to compare it, since only parsing the data
   * shows its length. Throws if the number is above the modulus.
   */
  decrypt(encrypted: Buffer): { data: Buffer; checksum: Buffer | undefined } | undefined;
}

/** Reads a private key in PEM, or makes a new one of 2048 bits. */
export function createRsaKey(pem?: string): RsaKey {
  const key = pem ? createPrivateKey(pem) : generateKey();
  const publicKey = createPublicKey(key);
  return {
    privatePem: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicPem: publicKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
    fingerprint: fingerprintOf(publicKey),
    decrypt(encrypted) {
      if (encrypted.length !== RSA_BYTES) return undefined;
      return unpad(privateDecrypt({ key, padding: constants.RSA_NO_PADDING }, encrypted));
    },
  };
}

/** Some clients look up the fingerprint as hexadecimal without leading zeros: this key's has none. */
function generateKey(): KeyObject {
  for (;;) {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: RSA_BYTES * 8 });
    if (BigInt.asUintN(64, fingerprintOf(publicKey)) >> 60n !== 0n) return privateKey;
  }
}

function fingerprintOf(key: KeyObject): bigint {
  const { n = '', e = '' } = key.export({ format: 'jwk' });
  const writer = new TlWriter();
  writer.bytes(Buffer.from(n, 'base64url'));
  writer.bytes(Buffer.from(e, 'base64url'));
  return sha1(writer.finish()).readBigInt64LE(12);
}

function unpad(raw: Buffer): { data: Buffer; checksum: Buffer | undefined } | undefined {
  const encrypted = raw.subarray(32);
  const temporaryKey = xor(raw.subarray(0, 32), sha256(encrypted));
  const padded = igeDecrypt(encrypted, temporaryKey, zeroIv);
  const data = Buffer.from(padded.subarray(0, 192).toReversed());
  if (sha256(temporaryKey, data).equals(padded.subarray(192))) return { data, checksum: undefined };
  return raw[0] === 0 ? { data: raw.subarray(21), checksum: raw.subarray(1, 21) } : undefined;
}
