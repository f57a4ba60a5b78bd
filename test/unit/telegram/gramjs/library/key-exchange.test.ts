import { randomBytes } from 'node:crypto';
import { BinaryReader } from 'telegram/extensions/BinaryReader.js';
import type { Api } from 'telegram/tl/index.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { dhPower, dhPrime, generatorPower, randomExponent } from '../../../../../sandbox/crypto/dh.ts';
import { sha1 } from '../../../../../sandbox/crypto/hash.ts';
import { igeDecrypt, igeEncrypt } from '../../../../../sandbox/crypto/ige.ts';
import { createRsaKey, type RsaKey } from '../../../../../sandbox/crypto/rsa-key.ts';
import { createHandshake } from '../../../../../sandbox/mtproto/handshake.ts';
import type { ServerContext } from '../../../../../sandbox/mtproto/server-context.ts';
import type { TlObject } from '../../../../../sandbox/rpc.ts';
import { mtprotoSchema } from '../../../../../sandbox/tl/layers.ts';
import { TlReader } from '../../../../../sandbox/tl/reader.ts';
import { exchangeKey } from '../../../../../src/telegram/gramjs/library/key-exchange.ts';
import { trustServerKey } from '../../../../../src/telegram/gramjs/library/server-key.ts';

let rsa: RsaKey;
beforeAll(() => {
  rsa = createRsaKey();
  trustServerKey(rsa.publicPem);
});

const read = (bytes: Buffer): TlObject => mtprotoSchema.readObject(new TlReader(bytes));
const bits = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte, place) => (place === 0 ? byte ^ 1 : byte)));

/** What a server does that is not as it should be. */
interface Faults {
  pq?: (answer: TlObject) => TlObject;
  /** What the encrypted answer says. */
  inner?: (inner: TlObject) => TlObject;
  /** The bytes of the encrypted answer, before they are encrypted. */
  plain?: (plain: Buffer) => Buffer;
  params?: (answer: TlObject) => TlObject;
  last?: (answer: TlObject) => TlObject;
  /** How often it wants another key. */
  retries?: number;
}

/** A client's exchange with the sandbox's handshake, whose exponent the test knows and whose answers it may change. */
function exchangeWith(faults: Faults) {
  const keys: Buffer[] = [];
  const context = { rsa, now: Date.now, counts: {}, keys: { add: () => undefined } } as unknown as ServerContext;
  const handshake = createHandshake(context, 2);
  const exponent = randomExponent();
  const asked: TlObject[] = [];
  let newNonce = Buffer.alloc(32);
  let cipher = { key: Buffer.alloc(32), iv: Buffer.alloc(32) };
  const same = (answer: TlObject): TlObject => answer;

  function params(query: TlObject): TlObject {
    const answer = handshake.answer(query);
    newNonce = Buffer.from(read(rsa.decrypt(query.encrypted_data)?.data ?? Buffer.alloc(0)).new_nonce);
    const serverNonce = query.server_nonce as Buffer;
    const backward = sha1(serverNonce, newNonce);
    cipher = {
      key: Buffer.concat([sha1(newNonce, serverNonce), backward.subarray(0, 12)]),
      iv: Buffer.concat([backward.subarray(12), sha1(newNonce, newNonce), newNonce.subarray(0, 4)]),
    };
    const inner = read(igeDecrypt(answer.encrypted_answer, cipher.key, cipher.iv).subarray(20));
    const said = mtprotoSchema.write((faults.inner ?? same)({ ...inner, g_a: generatorPower(exponent) }));
    const hashed = Buffer.concat([sha1(said), said]);
    const padded = Buffer.concat([hashed, randomBytes(-hashed.length & 15)]);
    const encrypted = igeEncrypt((faults.plain ?? ((plain) => plain))(padded), cipher.key, cipher.iv);
    return (faults.params ?? same)({ ...answer, encrypted_answer: encrypted });
  }

  function finish({ nonce, server_nonce, encrypted_data }: TlObject): TlObject {
    const plain = igeDecrypt(encrypted_data, cipher.key, cipher.iv);
    const own = read(plain.subarray(20));
    asked.push(own);
    const secret = dhPower(own.g_b, exponent);
    keys.push(secret);
    const hash = (which: number): Buffer => sha1(newNonce, Buffer.of(which), sha1(secret).subarray(0, 8)).subarray(4);
    const isDone = keys.length > (faults.retries ?? 0);
    const answer = isDone
      ? { _: 'dh_gen_ok', nonce, server_nonce, new_nonce_hash1: hash(1) }
      : { _: 'dh_gen_retry', nonce, server_nonce, new_nonce_hash2: hash(2) };
    return (faults.last ?? same)(answer);
  }

  const exchanged = exchangeKey(async (request: Api.AnyRequest) => {
    const query = read(request.getBytes());
    const answer =
      query._ === 'req_pq_multi'
        ? (faults.pq ?? same)(handshake.answer(query))
        : query._ === 'req_DH_params'
          ? params(query)
          : finish(query);
    return new BinaryReader(mtprotoSchema.write(answer)).tgReadObject() as unknown;
  });
  return { exchanged, keys, asked };
}

describe('a key exchange', () => {
  it('[MTProto] ends with the key that the server has, and its clock', async () => {
    const { exchanged, keys } = exchangeWith({ inner: (inner) => ({ ...inner, server_time: 1_234_567 }) });
    const { key, serverTime } = await exchanged;
    expect(key).toEqual(keys[0]);
    expect(serverTime).toBe(1_234_567);
  });

  it('[MTProto] is tried again with another number where the server wants one, and names the key before', async () => {
    const { exchanged, keys, asked } = exchangeWith({ retries: 2 });
    expect((await exchanged).key).toEqual(keys[2]);
    expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(3);
    const former = keys.slice(0, 2).map((key) => sha1(key).readBigInt64LE(0));
    expect(asked.map(({ retry_id }) => retry_id)).toEqual([0n, ...former]);
  });

  const one = Buffer.concat([Buffer.alloc(255), Buffer.of(1)]);
  const nearEnd = Buffer.from(dhPrime);
  nearEnd[255] = (nearEnd[255] ?? 0) - 2;
  const low = Buffer.concat([Buffer.alloc(8), Buffer.alloc(248, 255)]);

  it.each<[string, Faults, string]>([
    ['a SHA-1 of the answer that is another', { plain: bits }, 'altered'],
    [
      'an answer with more behind it',
      { plain: (plain) => Buffer.concat([plain, randomBytes(16)]) },
      'of another length',
    ],
    ['a prime of its own', { inner: (inner) => ({ ...inner, dh_prime: randomBytes(256) }) }, 'unknown group'],
    ['a generator of its own', { inner: (inner) => ({ ...inner, g: 2 }) }, 'unknown group'],
    ['g_a = 1', { inner: (inner) => ({ ...inner, g_a: one }) }, 'out of range'],
    ['g_a at the lower end', { inner: (inner) => ({ ...inner, g_a: low }) }, 'out of range'],
    ['g_a at the upper end', { inner: (inner) => ({ ...inner, g_a: nearEnd }) }, 'out of range'],
    ['another nonce, first', { pq: (answer) => ({ ...answer, nonce: bits(answer.nonce) }) }, 'of another exchange'],
    [
      'a product that is a prime',
      { pq: (answer) => ({ ...answer, pq: Buffer.from('fffffffb', 'hex') }) },
      'two primes',
    ],
    ['an unknown server key', { pq: (answer) => ({ ...answer, server_public_key_fingerprints: [5n] }) }, 'server key'],
    [
      'another nonce, second',
      { params: (answer) => ({ ...answer, nonce: bits(answer.nonce) }) },
      'of another exchange',
    ],
    [
      'another server nonce inside',
      { inner: (inner) => ({ ...inner, server_nonce: bits(inner.server_nonce) }) },
      'of another exchange',
    ],
    ['no whole blocks', { params: (answer) => ({ ...answer, encrypted_answer: randomBytes(333) }) }, 'whole blocks'],
    ['another nonce, last', { last: (answer) => ({ ...answer, nonce: bits(answer.nonce) }) }, 'of another exchange'],
    [
      'a hash of another key',
      { last: (answer) => ({ ...answer, new_nonce_hash1: bits(answer.new_nonce_hash1) }) },
      'another key',
    ],
    [
      'a hash of another key to be tried again',
      { retries: 1, last: (answer) => ({ ...answer, new_nonce_hash2: bits(answer.new_nonce_hash2) }) },
      'another key',
    ],
    ['wishes for another key without end', { retries: 99 }, 'without end'],
    [
      'a refusal',
      {
        last: ({ nonce, server_nonce, new_nonce_hash1 }) => ({
          _: 'dh_gen_fail',
          nonce,
          server_nonce,
          new_nonce_hash3: new_nonce_hash1,
        }),
      },
      'refused the last step',
    ],
  ])('[MTProto] fails with %s', async (_what, faults, problem) => {
    await expect(exchangeWith(faults).exchanged).rejects.toThrow(problem);
  });
});
