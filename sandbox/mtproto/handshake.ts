import { randomBytes } from 'node:crypto';
import { dhGenerator, dhPower, dhPrime, generatorPower, isPublicNumber, randomExponent } from '../crypto/dh.ts';
import { sha1 } from '../crypto/hash.ts';
import { igeDecrypt, igeEncrypt } from '../crypto/ige.ts';
import { toBigInt, xor } from '../crypto/numbers.ts';
import { createPq } from '../crypto/pq.ts';
import type { TlObject } from '../rpc.ts';
import { mtprotoSchema } from '../tl/layers.ts';
import { TlReader } from '../tl/reader.ts';
import type { ServerContext } from './server-context.ts';

/** A message that does not follow from the step before. The client gets -404 and has to start again. */
class HandshakeError extends Error {
  override name = 'HandshakeError';
}

/** Makes an auth key together with a client: https://core.telegram.org/mtproto/auth_key. One for each connection. */
export interface Handshake {
  /** Answers an unencrypted message. Throws HandshakeError, TlError. */
  answer(query: TlObject): TlObject;
}

/** After `resPQ`. */
interface PqSent {
  nonce: Buffer;
  serverNonce: Buffer;
  p: bigint;
  q: bigint;
}

/** After `server_DH_params_ok`. */
interface DhParamsSent extends PqSent {
  newNonce: Buffer;
  exponent: Buffer;
  /** Temporary keys only. */
  expiresInSeconds: number | undefined;
}

/** `dc` is the data centre of the key. */
export function createHandshake(context: ServerContext, dc: number): Handshake {
  let pqSent: PqSent | undefined;
  let dhParamsSent: DhParamsSent | undefined;

  function sendPq(query: TlObject): TlObject {
    const { pq, p, q } = createPq();
    pqSent = { nonce: Buffer.from(query.nonce as Buffer), serverNonce: randomBytes(16), p, q };
    dhParamsSent = undefined;
    return {
      _: 'resPQ',
      nonce: pqSent.nonce,
      server_nonce: pqSent.serverNonce,
      pq,
      server_public_key_fingerprints: [context.rsa.fingerprint],
    };
  }

  function sendDhParams(query: TlObject): TlObject {
    const state = requireStep(pqSent, query);
    check(toBigInt(query.p as Buffer) === state.p && toBigInt(query.q as Buffer) === state.q, 'wrong factors');
    const inner = decryptInner(query.encrypted_data as Buffer, context);
    check(inner._.startsWith('p_q_inner_data'), 'no p_q_inner_data');
    requireStep(state, inner);
    dhParamsSent = {
      ...state,
      newNonce: Buffer.from(inner.new_nonce as Buffer),
      exponent: randomExponent(),
      expiresInSeconds: inner.expires_in as number | undefined,
    };
    const { key, iv } = answerCipher(dhParamsSent);
    const answer = mtprotoSchema.write({
      _: 'server_DH_inner_data',
      nonce: state.nonce,
      server_nonce: state.serverNonce,
      g: dhGenerator,
      dh_prime: dhPrime,
      g_a: generatorPower(dhParamsSent.exponent),
      server_time: Math.floor(context.now() / 1000),
    });
    const hashed = Buffer.concat([sha1(answer), answer]);
    const padded = Buffer.concat([hashed, randomBytes(-hashed.length & 15)]);
    return {
      _: 'server_DH_params_ok',
      nonce: state.nonce,
      server_nonce: state.serverNonce,
      encrypted_answer: igeEncrypt(padded, key, iv),
    };
  }

  function finishKey(query: TlObject): TlObject {
    const state = requireStep(dhParamsSent, query);
    const { key, iv } = answerCipher(state);
    const encrypted = query.encrypted_data as Buffer;
    check(encrypted.length % 16 === 0, 'encrypted_data is not a multiple of 16 bytes');
    const { object: inner } = readHashed(igeDecrypt(encrypted, key, iv));
    check(inner._ === 'client_DH_inner_data', 'no client_DH_inner_data');
    requireStep(state, inner);
    check(isPublicNumber(inner.g_b as Buffer), 'g_b out of range');
    const secret = dhPower(inner.g_b as Buffer, state.exponent);
    const { newNonce, serverNonce, expiresInSeconds } = state;
    pqSent = undefined;
    dhParamsSent = undefined;
    context.keys.add({
      secret,
      dc,
      salt: xor(newNonce.subarray(0, 8), serverNonce.subarray(0, 8)).readBigInt64LE(),
      expires: expiresInSeconds === undefined ? undefined : context.now() + expiresInSeconds * 1000,
    });
    context.counts.handshakes++;
    return {
      _: 'dh_gen_ok',
      nonce: state.nonce,
      server_nonce: serverNonce,
      new_nonce_hash1: sha1(newNonce, Buffer.from([1]), sha1(secret).subarray(0, 8)).subarray(4),
    };
  }

  return {
    answer(query) {
      switch (query._) {
        case 'req_pq':
        case 'req_pq_multi':
          return sendPq(query);
        case 'req_DH_params':
          return sendDhParams(query);
        case 'set_client_DH_params':
          return finishKey(query);
        default:
          throw new HandshakeError(`${query._} is not a step of the handshake`);
      }
    },
  };
}

function check(condition: boolean, problem: string): asserts condition {
  if (!condition) throw new HandshakeError(problem);
}

/** The state after the step before, if there was one and the message repeats its nonces. Throws HandshakeError. */
function requireStep<S extends PqSent>(state: S | undefined, message: TlObject): S {
  if (!state) throw new HandshakeError('a step came too early');
  const { nonce, server_nonce: serverNonce } = message as { nonce?: Buffer; server_nonce?: Buffer };
  check(state.nonce.equals(nonce ?? Buffer.alloc(0)), 'wrong nonce');
  check(state.serverNonce.equals(serverNonce ?? Buffer.alloc(0)), 'wrong server nonce');
  return state;
}

function decryptInner(encrypted: Buffer, { rsa }: ServerContext): TlObject {
  const decrypted = rsa.decrypt(encrypted);
  if (!decrypted) throw new HandshakeError('the RSA key does not decrypt encrypted_data');
  const reader = new TlReader(decrypted.data);
  const inner = mtprotoSchema.readObject(reader);
  const { checksum } = decrypted;
  check(!checksum || checksum.equals(sha1(decrypted.data.subarray(0, reader.position))), 'wrong checksum');
  return inner;
}

/** Reads `SHA-1 of the object | object | padding`. */
function readHashed(plain: Buffer): { object: TlObject } {
  const reader = new TlReader(plain);
  const hash = reader.raw(20);
  const object = mtprotoSchema.readObject(reader);
  check(hash.equals(sha1(plain.subarray(20, reader.position))), 'wrong hash');
  return { object };
}

/** The AES key and IV that encrypt the Diffie-Hellman messages. */
function answerCipher({ newNonce, serverNonce }: DhParamsSent): { key: Buffer; iv: Buffer } {
  const backward = sha1(serverNonce, newNonce);
  return {
    key: Buffer.concat([sha1(newNonce, serverNonce), backward.subarray(0, 12)]),
    iv: Buffer.concat([backward.subarray(12), sha1(newNonce, newNonce), newNonce.subarray(0, 4)]),
  };
}
