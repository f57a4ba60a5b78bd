import { randomBytes } from 'node:crypto';
import { dhGenerator, dhPower, dhPrime, generatorPower, isPublicNumber, randomExponent } from '../crypto/dh.ts';
import { sha1 } from '../crypto/hash.ts';
import { igeDecrypt, igeEncrypt } from '../crypto/ige.ts';
import { toBigInt, xor } from '../crypto/numbers.ts';
import { createPq } from '../crypto/pq.ts';
import type { TlObject } from '../rpc.ts';
import { mtprotoSchema } from '../tl/layers.ts';
import { Reader } from '../tl/reader.ts';
import type { ServerContext } from './server-context.ts';

/** A step that does not follow from the one before: the client is told -404 and has to begin again. */
class HandshakeError extends Error {
  override name = 'HandshakeError';
}

/** Makes an authorisation key with a client: https://core.telegram.org/mtproto/auth_key. One for each connection. */
export interface Handshake {
  /** The answer to a plain message. Throws HandshakeError, TlError. */
  answer(query: TlObject): TlObject;
}

interface Asked {
  nonce: Buffer;
  serverNonce: Buffer;
  p: bigint;
  q: bigint;
}

interface Exchanging extends Asked {
  newNonce: Buffer;
  exponent: Buffer;
  /** Of a temporary key. */
  expiresInSeconds: number | undefined;
}

export function createHandshake(context: ServerContext, dc: number): Handshake {
  let asked: Asked | undefined;
  let exchanging: Exchanging | undefined;

  function begin(query: TlObject): TlObject {
    const { pq, p, q } = createPq();
    asked = { nonce: Buffer.from(query.nonce as Buffer), serverNonce: randomBytes(16), p, q };
    exchanging = undefined;
    return {
      _: 'resPQ',
      nonce: asked.nonce,
      server_nonce: asked.serverNonce,
      pq,
      server_public_key_fingerprints: [context.rsa.fingerprint],
    };
  }

  function exchange(query: TlObject): TlObject {
    const begun = follows(asked, query);
    demand(toBigInt(query.p as Buffer) === begun.p && toBigInt(query.q as Buffer) === begun.q, 'wrong factors');
    const inner = reveal(query.encrypted_data as Buffer, context);
    demand(inner._.startsWith('p_q_inner_data'), 'no p_q_inner_data');
    follows(begun, inner);
    exchanging = {
      ...begun,
      newNonce: Buffer.from(inner.new_nonce as Buffer),
      exponent: randomExponent(),
      expiresInSeconds: inner.expires_in as number | undefined,
    };
    const { key, iv } = answerCipher(exchanging);
    const answer = mtprotoSchema.write({
      _: 'server_DH_inner_data',
      nonce: begun.nonce,
      server_nonce: begun.serverNonce,
      g: dhGenerator,
      dh_prime: dhPrime,
      g_a: generatorPower(exchanging.exponent),
      server_time: Math.floor(context.now() / 1000),
    });
    const hashed = Buffer.concat([sha1(answer), answer]);
    const padded = Buffer.concat([hashed, randomBytes(-hashed.length & 15)]);
    return {
      _: 'server_DH_params_ok',
      nonce: begun.nonce,
      server_nonce: begun.serverNonce,
      encrypted_answer: igeEncrypt(padded, key, iv),
    };
  }

  function finish(query: TlObject): TlObject {
    const state = follows(exchanging, query);
    const { key, iv } = answerCipher(state);
    const encrypted = query.encrypted_data as Buffer;
    demand(encrypted.length % 16 === 0, 'no whole blocks');
    const { object: inner } = readHashed(igeDecrypt(encrypted, key, iv));
    demand(inner._ === 'client_DH_inner_data', 'no client_DH_inner_data');
    follows(state, inner);
    demand(isPublicNumber(inner.g_b as Buffer), 'g_b out of range');
    const secret = dhPower(inner.g_b as Buffer, state.exponent);
    const { newNonce, serverNonce, expiresInSeconds } = state;
    asked = undefined;
    exchanging = undefined;
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
          return begin(query);
        case 'req_DH_params':
          return exchange(query);
        case 'set_client_DH_params':
          return finish(query);
        default:
          throw new HandshakeError(`${query._} is no step of a handshake`);
      }
    },
  };
}

function demand(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new HandshakeError(otherwise);
}

/** The state that a step goes on from, its nonces being those of the messages before. */
function follows<S extends Asked>(state: S | undefined, message: TlObject): S {
  if (!state) throw new HandshakeError('a step before its turn');
  const { nonce, server_nonce: serverNonce } = message as { nonce?: Buffer; server_nonce?: Buffer };
  demand(state.nonce.equals(nonce ?? Buffer.alloc(0)), 'wrong nonce');
  demand(state.serverNonce.equals(serverNonce ?? Buffer.alloc(0)), 'wrong server nonce');
  return state;
}

function reveal(encrypted: Buffer, { rsa }: ServerContext): TlObject {
  const revealed = rsa.reveal(encrypted);
  if (!revealed) throw new HandshakeError('nothing that the RSA key opens');
  const reader = new Reader(revealed.data);
  const inner = mtprotoSchema.readObject(reader);
  const { checksum } = revealed;
  demand(!checksum || checksum.equals(sha1(revealed.data.subarray(0, reader.position))), 'wrong checksum');
  return inner;
}

/** SHA-1 over an object, the object, padding. */
function readHashed(plain: Buffer): { object: TlObject } {
  const reader = new Reader(plain);
  const hash = reader.raw(20);
  const object = mtprotoSchema.readObject(reader);
  demand(hash.equals(sha1(plain.subarray(20, reader.position))), 'wrong hash');
  return { object };
}

function answerCipher({ newNonce, serverNonce }: Exchanging): { key: Buffer; iv: Buffer } {
  const backward = sha1(serverNonce, newNonce);
  return {
    key: Buffer.concat([sha1(newNonce, serverNonce), backward.subarray(0, 12)]),
    iv: Buffer.concat([backward.subarray(12), sha1(newNonce, newNonce), newNonce.subarray(0, 4)]),
  };
}
