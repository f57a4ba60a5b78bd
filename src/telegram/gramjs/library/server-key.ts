import { createHash, createPublicKey } from 'node:crypto';
import bigInt from 'big-integer';
import { _serverKeys } from 'telegram/crypto/RSA.js';

/**
 * Makes GramJS accept servers with this RSA key, in addition to Telegram's own. Safe to repeat.
 * @param pem the public key, PKCS#1 or SPKI
 */
export function trustServerKey(pem: string): void {
  const { n, e } = createPublicKey(pem).export({ format: 'jwk' });
  if (n === undefined || e === undefined) throw new TypeError('not an RSA public key');
  const modulus = Buffer.from(n, 'base64url');
  const exponent = Buffer.from(e, 'base64url');
  _serverKeys.set(fingerprint(modulus, exponent).toString(), {
    n: bigInt(modulus.toString('hex'), 16),
    e: exponent.readUIntBE(0, exponent.length),
  });
}

/** The low 64 bits of SHA-1 over both numbers, written as TL bytes (https://core.telegram.org/mtproto/auth_key). */
function fingerprint(modulus: Buffer, exponent: Buffer): bigint {
  return createHash('sha1').update(tlBytes(modulus)).update(tlBytes(exponent)).digest().readBigInt64LE(12);
}

function tlBytes(bytes: Buffer): Buffer {
  const head =
    bytes.length < 254 ? Buffer.of(bytes.length) : Buffer.of(254, bytes.length & 255, (bytes.length >> 8) & 255, 0);
  return Buffer.concat([head, bytes, Buffer.alloc(-(head.length + bytes.length) & 3)]);
}
