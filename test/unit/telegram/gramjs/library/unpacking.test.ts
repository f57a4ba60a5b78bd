import { randomBytes } from 'node:crypto';
import bigInt from 'big-integer';
import { AuthKey } from 'telegram/crypto/AuthKey.js';
import { MTProtoState } from 'telegram/network/MTProtoState.js';
import { Api } from 'telegram/tl/index.js';
import { describe, expect, it } from 'vitest';
import {
  messageKeyOf,
  toClient,
  writeIvAndGiveKey,
} from '../../../../../src/telegram/gramjs/library/encrypted-message.ts';
import { encryptIge } from '../../../../../src/telegram/gramjs/library/ige.ts';
import { unpackWithAllChecks } from '../../../../../src/telegram/gramjs/library/unpacking.ts';

const session = 0x7766_5544_3322_1100n;
const body = new Api.Pong({ msgId: bigInt(41), pingId: bigInt(42) }).getBytes();

interface Sent {
  id?: bigint;
  session?: bigint;
  paddingBytes?: number;
  /** What it says its length is. */
  length?: number;
}

/** What a server sends. */
function packet(
  authKey: AuthKey,
  {
    id = 7_000_000_001n,
    session: of = session,
    paddingBytes = 16 - (body.length % 16) + 16,
    length = body.length,
  }: Sent = {},
): Buffer {
  const key = authKey.getKey() as Buffer;
  const header = Buffer.alloc(32);
  header.writeBigUInt64LE(of, 8);
  header.writeBigInt64LE(id, 16);
  header.writeInt32LE(5, 24);
  header.writeInt32LE(length, 28);
  const padded = Buffer.concat([header, body, randomBytes(paddingBytes)]);
  const messageKey = messageKeyOf(key, padded, toClient);
  const iv = Buffer.alloc(32);
  const cipherKey = writeIvAndGiveKey(iv, key, messageKey, toClient);
  const keyId = Buffer.alloc(8);
  keyId.writeBigUInt64LE(BigInt.asUintN(64, BigInt((authKey.keyId as bigInt.BigInteger).toString())));
  return Buffer.concat([keyId, messageKey, encryptIge(padded, cipherKey, iv)]);
}

async function twoStates(): Promise<{ authKey: AuthKey; theirs: MTProtoState; ours: MTProtoState }> {
  const authKey = new AuthKey();
  await authKey.setKey(randomBytes(256));
  const [theirs, ours] = [1, 2].map(() => {
    const state = new MTProtoState(authKey, undefined, true);
    Object.assign(state, { id: bigInt(session) });
    return state;
  }) as [MTProtoState, MTProtoState];
  unpackWithAllChecks(ours);
  return { authKey, theirs, ours };
}

describe('unpacking', () => {
  it('[speed-up] reads what GramJS reads', async () => {
    const { authKey, theirs, ours } = await twoStates();
    for (const id of [7_000_000_001n, 7_000_000_005n, 2n ** 62n + 3n]) {
      const sent = packet(authKey, { id });
      const [mine, their] = [await ours.decryptMessageData(sent), await theirs.decryptMessageData(sent)];
      expect(mine).toEqual(their);
      expect(mine.msgId.toString()).toBe(String(id));
      expect(mine.obj).toBeInstanceOf(Api.Pong);
    }
  });

  it('[speed-up] hands on what the transport says instead of a packet', async () => {
    const { ours } = await twoStates();
    const code = Buffer.alloc(4);
    code.writeInt32LE(-404);
    await expect(ours.decryptMessageData(code)).rejects.toMatchObject({ code: 404 });
  });

  it('[MTProto] refuses what comes twice, to the last 500', async () => {
    const { authKey, ours } = await twoStates();
    const first = packet(authKey, { id: 1n });
    await ours.decryptMessageData(first);
    await expect(ours.decryptMessageData(first)).rejects.toThrow('seen before');
    for (let id = 2n; id <= 501n; id++) await ours.decryptMessageData(packet(authKey, { id }));
    await expect(ours.decryptMessageData(packet(authKey, { id: 2n }))).rejects.toThrow('seen before');
    await ours.decryptMessageData(first);
  });

  it.each([
    ['another session', 'of another session', (key: AuthKey) => packet(key, { session: session + 1n })],
    ['too little padding', 'of another length', (key: AuthKey) => packet(key, { length: body.length + 24 })],
    ['a length beyond its end', 'of another length', (key: AuthKey) => packet(key, { length: 2 ** 30 })],
    ['a length below nothing', 'of another length', (key: AuthKey) => packet(key, { length: -4 })],
    [
      'too much padding',
      'of another length',
      (key: AuthKey) => packet(key, { paddingBytes: 1024 + 16 - (body.length % 16) }),
    ],
    ['a packet cut short', 'no whole blocks', (key: AuthKey) => packet(key).subarray(0, 70)],
    ['a packet with nothing in it', 'no whole blocks', (key: AuthKey) => packet(key).subarray(0, 40)],
  ])('[MTProto] refuses %s', async (_what, message, make) => {
    const { authKey, ours } = await twoStates();
    await expect(ours.decryptMessageData(make(authKey))).rejects.toThrow(message);
  });

  it('[MTProto] refuses a packet with any bit of it turned', async () => {
    const { authKey, ours } = await twoStates();
    const sent = packet(authKey);
    for (let at = 0; at < sent.length; at++) {
      const altered = Buffer.from(sent);
      altered[at] = (altered[at] ?? 0) ^ (1 << (at % 8));
      await expect(ours.decryptMessageData(altered)).rejects.toThrow(at < 8 ? 'of another key' : 'altered');
    }
    await ours.decryptMessageData(sent);
  });
});
