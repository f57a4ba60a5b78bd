import { constants, createPublicKey, publicEncrypt, randomBytes } from 'node:crypto';
import { dhPower, generatorPower, randomExponent } from '../../../sandbox/crypto/dh.ts';
import { sha1, sha256 } from '../../../sandbox/crypto/hash.ts';
import { igeDecrypt, igeEncrypt } from '../../../sandbox/crypto/ige.ts';
import { toBigInt, toBytes, xor } from '../../../sandbox/crypto/numbers.ts';
import type { RunningProtocolServer } from '../../../sandbox/mtproto/protocol-server.ts';
import type { TlObject } from '../../../sandbox/rpc.ts';
import { mtprotoSchema } from '../../../sandbox/tl/layers.ts';
import { TlReader } from '../../../sandbox/tl/reader.ts';
import { clientMessageId } from './client-message-id.ts';
import type { RawConnection } from './raw-connection.ts';

export interface ClientKey {
  secret: Buffer;
  id: Buffer;
  salt: bigint;
}

/** The plain messages of a handshake; `undefined` for a transport error. */
export async function askPlain(connection: RawConnection, query: TlObject): Promise<TlObject | undefined> {
  const body = mtprotoSchema.write(query);
  const header = Buffer.alloc(20);
  header.writeBigInt64LE(clientMessageId(), 8);
  header.writeInt32LE(body.length, 16);
  connection.send(Buffer.concat([header, body]));
  const packet = await connection.next();
  return packet && packet.length > 20 ? mtprotoSchema.readObject(new TlReader(packet.subarray(20))) : undefined;
}

/** Makes a key: in the form of today, or with the checksum of before 2021; for good, or for so many seconds. */
export async function shakeHands(
  connection: RawConnection,
  server: RunningProtocolServer,
  { old = false, expiresIn }: { old?: boolean; expiresIn?: number } = {},
): Promise<ClientKey> {
  const nonce = randomBytes(16);
  const resPq = await askPlain(connection, { _: old ? 'req_pq' : 'req_pq_multi', nonce });
  const [p, q] = factors(toBigInt(resPq?.pq as Buffer));
  const newNonce = randomBytes(32);
  const nonces = { nonce, server_nonce: resPq?.server_nonce as Buffer };
  const inner = mtprotoSchema.write({
    _: expiresIn === undefined ? 'p_q_inner_data_dc' : 'p_q_inner_data_temp_dc',
    ...nonces,
    pq: resPq?.pq,
    p: toBytes(p),
    q: toBytes(q),
    new_nonce: newNonce,
    dc: 2,
    expires_in: expiresIn,
  });
  const answer = await askPlain(connection, {
    _: 'req_DH_params',
    ...nonces,
    p: toBytes(p),
    q: toBytes(q),
    public_key_fingerprint: server.fingerprint,
    encrypted_data: old ? rsaOld(inner, server) : rsaPad(inner, server),
  });
  const serverNonce = nonces.server_nonce;
  const backward = sha1(serverNonce, newNonce);
  const key = Buffer.concat([sha1(newNonce, serverNonce), backward.subarray(0, 12)]);
  const iv = Buffer.concat([backward.subarray(12), sha1(newNonce, newNonce), newNonce.subarray(0, 4)]);
  const plain = igeDecrypt(answer?.encrypted_answer as Buffer, key, iv);
  const dh = mtprotoSchema.readObject(new TlReader(plain.subarray(20)));
  const exponent = randomExponent();
  const secret = dhPower(dh.g_a as Buffer, exponent);
  const mine = mtprotoSchema.write({
    _: 'client_DH_inner_data',
    ...nonces,
    retry_id: 0n,
    g_b: generatorPower(exponent),
  });
  const hashed = Buffer.concat([sha1(mine), mine]);
  const padded = Buffer.concat([hashed, randomBytes(-hashed.length & 15)]);
  const done = await askPlain(connection, {
    _: 'set_client_DH_params',
    ...nonces,
    encrypted_data: igeEncrypt(padded, key, iv),
  });
  const hash = sha1(newNonce, Buffer.from([1]), sha1(secret).subarray(0, 8)).subarray(4);
  if (!hash.equals(done?.new_nonce_hash1 as Buffer)) throw new Error('the two sides have not the same key');
  const salt = xor(newNonce.subarray(0, 8), serverNonce.subarray(0, 8)).readBigInt64LE();
  return { secret, id: sha1(secret).subarray(12), salt };
}

function rsaPad(data: Buffer, { publicKeyPem }: RunningProtocolServer): Buffer {
  const padded = Buffer.concat([data, randomBytes(192 - data.length)]);
  const key = createPublicKey(publicKeyPem);
  for (;;) {
    const temporaryKey = randomBytes(32);
    const hashed = Buffer.concat([Buffer.from(padded.toReversed()), sha256(temporaryKey, padded)]);
    const encrypted = igeEncrypt(hashed, temporaryKey, Buffer.alloc(32));
    const block = Buffer.concat([xor(temporaryKey, sha256(encrypted)), encrypted]);
    // Above the modulus about once in a few times: then again, with another key.
    if ((block[0] ?? 0) < 0x80) return publicEncrypt({ key, padding: constants.RSA_NO_PADDING }, block);
  }
}

function rsaOld(data: Buffer, { publicKeyPem }: RunningProtocolServer): Buffer {
  const hashed = Buffer.concat([Buffer.from([0]), sha1(data), data]);
  const block = Buffer.concat([hashed, randomBytes(256 - hashed.length)]);
  return publicEncrypt({ key: createPublicKey(publicKeyPem), padding: constants.RSA_NO_PADDING }, block);
}

/** Pollard's rho. */
function factors(n: bigint): [bigint, bigint] {
  for (let c = 1n; ; c++) {
    let [slow, fast, divisor] = [2n, 2n, 1n];
    const step = (x: bigint): bigint => (x * x + c) % n;
    while (divisor === 1n) {
      slow = step(slow);
      fast = step(step(fast));
      divisor = gcd(slow > fast ? slow - fast : fast - slow, n);
    }
    if (divisor !== n) return divisor < n / divisor ? [divisor, n / divisor] : [n / divisor, divisor];
  }
}

const gcd = (a: bigint, b: bigint): bigint => (b === 0n ? a : gcd(b, a % b));
