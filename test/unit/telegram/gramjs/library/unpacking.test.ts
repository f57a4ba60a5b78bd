import { randomBytes } from 'node:crypto';
import bigInt from 'big-integer';
import { AuthKey } from 'telegram/crypto/AuthKey.js';
import { MTProtoState } from 'telegram/network/MTProtoState.js';
import { MessageContainer } from 'telegram/tl/core/MessageContainer.js';
import { TLMessage } from 'telegram/tl/core/TLMessage.js';
import { Api } from 'telegram/tl/index.js';
import { describe, expect, it } from 'vitest';
import {
  messageKeyOf,
  toClient,
  writeIvAndGiveKey,
} from '../../../../../src/telegram/gramjs/library/encrypted-message.ts';
import { encryptIge } from '../../../../../src/telegram/gramjs/library/ige.ts';
import { ReceivedIds } from '../../../../../src/telegram/gramjs/library/received-ids.ts';
import { HardenedSender } from '../../../../../src/telegram/gramjs/library/sender.ts';
import { unpackWithAllChecks } from '../../../../../src/telegram/gramjs/library/unpacking.ts';

const session = 0x7766_5544_3322_1100n;
const body = new Api.Pong({ msgId: bigInt(41), pingId: bigInt(42) }).getBytes();

/** A server's ID of that second and place. */
const at = (seconds: number, place = 0): bigint => (BigInt(1_700_000_000 + seconds) << 32n) + BigInt(place * 4 + 1);

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
  { id = at(0), session: of = session, paddingBytes = 16 - (body.length % 16) + 16, length = body.length }: Sent = {},
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

async function twoStates(): Promise<{
  authKey: AuthKey;
  theirs: MTProtoState;
  ours: MTProtoState;
  repeated: bigint[];
}> {
  const authKey = new AuthKey();
  await authKey.setKey(randomBytes(256));
  const [theirs, ours] = [1, 2].map(() => {
    const state = new MTProtoState(authKey, undefined, true);
    Object.assign(state, { id: bigInt(session) });
    return state;
  }) as [MTProtoState, MTProtoState];
  const repeated: bigint[] = [];
  unpackWithAllChecks(ours, {
    ids: new ReceivedIds(),
    repeated: (id) => void repeated.push(id),
    transportError: () => undefined,
  });
  return { authKey, theirs, ours, repeated };
}

describe('unpacking', () => {
  it('[speed-up] reads what GramJS reads', async () => {
    const { authKey, theirs, ours } = await twoStates();
    for (const id of [at(0), at(0, 1), at(29, 7)]) {
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
    const { authKey, ours, repeated } = await twoStates();
    const first = packet(authKey, { id: at(0, 1) });
    await ours.decryptMessageData(first);
    await expect(ours.decryptMessageData(first)).rejects.toThrow('seen before');
    for (let place = 2; place <= 501; place++) await ours.decryptMessageData(packet(authKey, { id: at(0, place) }));
    await expect(ours.decryptMessageData(packet(authKey, { id: at(0, 2) }))).rejects.toThrow('seen before');
    expect(repeated).toEqual([at(0, 1), at(0, 2)]);
  });

  it('[MTProto] refuses what is below all that it remembers', async () => {
    const { authKey, ours } = await twoStates();
    const first = packet(authKey, { id: at(0, 1) });
    await ours.decryptMessageData(first);
    for (let place = 2; place <= 1_100; place++) await ours.decryptMessageData(packet(authKey, { id: at(0, place) }));
    await expect(ours.decryptMessageData(first)).rejects.toThrow('too old to be known');
    await expect(ours.decryptMessageData(packet(authKey, { id: at(0, 0) }))).rejects.toThrow('too old to be known');
  });

  it('[MTProto] remembers as many as come in ten minutes, and 500 of those that come faster', () => {
    const ids = new ReceivedIds();
    const slowly = Array.from({ length: 200 }, (_, place) => at(place * 15));
    for (const id of slowly) expect(ids.add(id)).toBe(true);
    expect(slowly.slice(-40).map((id) => ids.add(id))).toEqual(Array(40).fill(false));
    expect(() => ids.add(at(1))).toThrow('too old to be known');
    const fast = Array.from({ length: 2_000 }, (_, place) => at(3_000, place));
    for (const id of fast) expect(ids.add(id)).toBe(true);
    expect(fast.slice(-500).map((id) => ids.add(id))).toEqual(Array(500).fill(false));
  });

  it('[MTProto] takes what comes out of order, once', () => {
    const ids = new ReceivedIds();
    const shuffled = Array.from({ length: 900 }, (_, place) => at(0, (place * 7) % 900));
    expect(shuffled.map((id) => ids.add(id))).toEqual(shuffled.map(() => true));
    expect(shuffled.map((id) => ids.add(id))).toEqual(shuffled.map(() => false));
    expect([at(0, 0), at(0, 899), at(0, 900)].map((id) => ids.has(id))).toEqual([true, true, false]);
  });

  it('[MTProto] checks the IDs inside containers: odd, and once', async () => {
    const told: unknown[] = [];
    const ignore = (): void => undefined;
    const update = (each: unknown): void => void told.push(each);
    const sender = new HardenedSender(undefined, 2, { heard: ignore, update, broken: ignore, transportError: ignore });
    const receive = (...inner: bigint[]): Promise<void> => {
      const messages = inner.map((id) => new TLMessage(bigInt(id), 1, new Api.UpdatesTooLong()));
      return sender._handleContainer(new TLMessage(bigInt(at(0, 99)), 0, new MessageContainer(messages)));
    };
    await receive(at(0, 1), at(0, 2) + 1n, at(0, 3));
    expect(told).toHaveLength(2);
    await receive(at(0, 1), at(0, 4), at(0, 3));
    expect(told).toHaveLength(3);
  });

  it('[MTProto] what comes again is acknowledged again, and told no one', async () => {
    const authKey = new AuthKey();
    await authKey.setKey(randomBytes(256));
    const told: unknown[] = [];
    const tell = (each: unknown): void => void told.push(each);
    const sender = new HardenedSender(authKey, 2, { heard: tell, update: tell, broken: tell, transportError: tell });
    const hidden = sender as unknown as { _state: MTProtoState; _pendingAck: Set<bigInt.BigInteger> };
    Object.assign(hidden._state, { id: bigInt(session) });
    const first = packet(authKey, { id: at(0, 1) });
    await hidden._state.decryptMessageData(first);
    expect(hidden._pendingAck.size).toBe(0);
    await expect(hidden._state.decryptMessageData(first)).rejects.toThrow('seen before');
    expect([...hidden._pendingAck].map(String)).toEqual([String(at(0, 1))]);
    expect(told).toEqual([]);
  });

  it.each([2n, 4n])('[MTProto] refuses an ID that no server gives: even, by %i', async (more) => {
    const { authKey, ours } = await twoStates();
    await expect(ours.decryptMessageData(packet(authKey, { id: at(0) - 1n + more }))).rejects.toThrow(
      'not of a server',
    );
  });

  it('[MTProto] refuses what is more than 300 s old or 30 s ahead, by the clock of the first message', async () => {
    const { authKey, ours } = await twoStates();
    const send = (seconds: number, place: number) =>
      ours.decryptMessageData(packet(authKey, { id: at(seconds, place) }));
    await send(0, 1);
    await expect(send(-302, 2)).rejects.toThrow('too old');
    await expect(send(32, 3)).rejects.toThrow('from the future');
    await send(-298, 4);
    await send(29, 5);
    await expect(send(-274, 6)).rejects.toThrow('too old');
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
    for (let byte = 0; byte < sent.length; byte++) {
      const altered = Buffer.from(sent);
      altered[byte] = (altered[byte] ?? 0) ^ (1 << (byte % 8));
      await expect(ours.decryptMessageData(altered)).rejects.toThrow(byte < 8 ? 'of another key' : 'altered');
    }
    await ours.decryptMessageData(sent);
  });
});
