import { randomBytes } from 'node:crypto';
import bigInt from 'big-integer';
import fc from 'fast-check';
import { AuthKey } from 'telegram/crypto/AuthKey.js';
import { BinaryWriter } from 'telegram/extensions/BinaryWriter.js';
import { MessagePacker } from 'telegram/extensions/MessagePacker.js';
import Helpers from 'telegram/Helpers.js';
import { FullPacketCodec } from 'telegram/network/connection/TCPFull.js';
import type { MTProtoSender } from 'telegram/network/MTProtoSender.js';
import { MTProtoState } from 'telegram/network/MTProtoState.js';
import { RequestState } from 'telegram/network/RequestState.js';
import { Api } from 'telegram/tl/index.js';
import { describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../../../src/config/clock.ts';
import { DcAddresses } from '../../../../../src/telegram/connection/dc-addresses.ts';
import { Dialler } from '../../../../../src/telegram/connection/dialler.ts';
import { partBytes, UploadPart } from '../../../../../src/telegram/gramjs/files/upload-part.ts';
import { packWithFewCopies } from '../../../../../src/telegram/gramjs/library/packing.ts';
import { gatherRequests } from '../../../../../src/telegram/gramjs/library/send-queue.ts';
import { silentLogger, tcpConnectionTo } from '../../../../../src/telegram/gramjs/library/tcp-connection.ts';

const anyLong = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

/** GramJS's own state, and one that packs our way: with the same key, numbers and padding. */
async function twoStates(key: Buffer, salt: bigint, id: bigint): Promise<[MTProtoState, MTProtoState]> {
  const states = await Promise.all(
    [1, 2].map(async () => {
      const authKey = new AuthKey();
      await authKey.setKey(key);
      const state = new MTProtoState(authKey);
      Object.assign(state, { salt: bigInt(salt), id: bigInt(id), _getNewMsgId: () => bigInt(7_000_000_004) });
      return state;
    }),
  );
  const [theirs, ours] = states as [MTProtoState, MTProtoState];
  packWithFewCopies(ours);
  return [theirs, ours];
}

const requestOf = (bytes: Buffer): RequestState =>
  new RequestState({ classType: 'request', getBytes: () => bytes } as unknown as Api.AnyRequest);
const numbersOf = ({ msgId, containerId, data }: RequestState) => [String(msgId), String(containerId), data.length];

describe('packing', () => {
  it('[speed-up] encrypts as GramJS does', async () => {
    const padding = vi.spyOn(Helpers, 'generateRandomBytes').mockImplementation((count) => Buffer.alloc(count, 0x5a));
    await fc.assert(
      fc.asyncProperty(anyLong, anyLong, fc.uint8Array({ minLength: 4, maxLength: 3_000 }), async (salt, id, bytes) => {
        const [theirs, ours] = await twoStates(Buffer.alloc(256, 0x81), salt, id);
        const data = Buffer.from(bytes);
        const packet = await ours.encryptMessageData(data);
        expect(packet.equals(await theirs.encryptMessageData(data))).toBe(true);
      }),
    );
    padding.mockRestore();
  });

  it.each([64 * 1024 - 32, 64 * 1024 - 16, 200_000, 1_200_000])(
    '[speed-up] encrypts %i bytes as GramJS does',
    async (length) => {
      const padding = vi.spyOn(Helpers, 'generateRandomBytes').mockImplementation((count) => Buffer.alloc(count, 0x5a));
      const [theirs, ours] = await twoStates(randomBytes(256), 3n, 4n);
      const data = randomBytes(length);
      const [packet, expected] = [await ours.encryptMessageData(data), await theirs.encryptMessageData(data)];
      expect(packet.equals(expected)).toBe(true);
      padding.mockRestore();
    },
  );

  it('[speed-up] packs for several connections at a time, each with its own key', async () => {
    const padding = vi.spyOn(Helpers, 'generateRandomBytes').mockImplementation((count) => Buffer.alloc(count, 0x5a));
    const pairs = await Promise.all([1, 2, 3].map(() => twoStates(randomBytes(256), 5n, 6n)));
    const data = pairs.map(() => randomBytes(1_000));
    const packets = await Promise.all(pairs.map(([, ours], i) => ours.encryptMessageData(data[i] as Buffer)));
    for (const [i, [theirs]] of pairs.entries())
      expect(packets[i]?.equals(await theirs.encryptMessageData(data[i] as Buffer))).toBe(true);
    padding.mockRestore();
  });

  it('[speed-up] puts messages together as GramJS does', async () => {
    const [theirs, ours] = await twoStates(randomBytes(256), 1n, 2n);
    for (const [length, isContent] of [
      [12, false],
      [40, true],
      [partBytes + 24, true],
    ] as const) {
      const written = await Promise.all(
        [theirs, ours].map(async (state) => {
          const writer = new BinaryWriter(Buffer.alloc(0));
          // GramJS writes long ones into an envelope that is never any shorter.
          await state.writeDataAsMessage(writer, Buffer.alloc(length, 3), isContent);
          return writer.getValue();
        }),
      );
      expect(written[1]?.equals(written[0] ?? Buffer.alloc(0))).toBe(true);
    }
  });

  it.each([
    ['one message', [40]],
    ['a part of a file', [partBytes + 24]],
    ['several messages', [40, 12, partBytes + 24, 400]],
    ['more bytes than fit in', [partBytes + 24, partBytes - 1_024, 40, partBytes]],
  ])('[speed-up] takes as much from the queue as GramJS does: %s', async (_, lengths) => {
    const [theirs, ours] = await twoStates(randomBytes(256), 1n, 2n);
    const queues = [theirs, ours].map((state) => new MessagePacker(state, silentLogger));
    const [theirQueue, ourQueue] = queues as [MessagePacker, MessagePacker];
    gatherRequests({ _sendQueue: ourQueue, _state: ours } as unknown as MTProtoSender, vi.fn());
    const data = lengths.map((length) => randomBytes(length));
    for (const queue of queues) for (const bytes of data) queue.append(requestOf(bytes));
    let left = data.length;
    while (left > 0) {
      const [expected, found] = [await theirQueue.get(), await ourQueue.get()];
      left -= expected?.batch.length ?? left;
      expect(found?.batch.map(numbersOf)).toEqual(expected?.batch.map(numbersOf));
      const pieces = found?.data as unknown as Buffer[];
      expect(Buffer.concat(pieces).equals(expected?.data ?? Buffer.alloc(0))).toBe(true);
    }
  });

  it('takes a hundred messages at a time', async () => {
    const [, ours] = await twoStates(randomBytes(256), 1n, 2n);
    const queue = new MessagePacker(ours, silentLogger);
    gatherRequests({ _sendQueue: queue, _state: ours } as unknown as MTProtoSender, vi.fn());
    for (let i = 0; i < 101; i++) queue.append(requestOf(randomBytes(20)));
    expect((await queue.get())?.batch).toHaveLength(100);
    expect((await queue.get())?.batch).toHaveLength(1);
  });

  it('takes nothing from a queue that was woken to look around', async () => {
    const [, ours] = await twoStates(randomBytes(256), 1n, 2n);
    const queue = new MessagePacker(ours, silentLogger);
    gatherRequests({ _sendQueue: queue, _state: ours } as unknown as MTProtoSender, vi.fn());
    queue.append(requestOf(randomBytes(8)));
    queue.append(undefined);
    expect(await queue.get()).toBeUndefined();
    expect((await queue.get())?.batch).toHaveLength(1);
    expect(await queue.get()).toBeUndefined();
  });

  it('[speed-up] frames packets as GramJS does', async () => {
    const addresses = new DcAddresses(systemClock, [{ id: 2, host: '127.0.0.1', port: 1 }]);
    const connection = tcpConnectionTo(await new Dialler(addresses).dial(2, new AbortController().signal));
    const ours = new connection.PacketCodecClass(connection);
    const theirs = new FullPacketCodec(connection);
    for (const length of [16, 64, 1_000_000]) {
      const packet = randomBytes(length);
      const expected = theirs.encodePacket(packet);
      expect(ours.encodePacket(packet).equals(expected)).toBe(true);
    }
  });
});

describe('a part of a file on the wire', () => {
  it.each([1, 253, 254, 1_024, partBytes - 1, partBytes])('of %i bytes is what GramJS makes of it', (length) => {
    const place = new UploadPart();
    for (const [part, id] of [
      [0, -5n],
      [3_999, 2n ** 63n - 1n],
    ] as const) {
      randomBytes(partBytes).copy(place.room);
      const bytes = Buffer.from(place.room.subarray(0, length));
      const fields = { fileId: bigInt(id), filePart: part, bytes };
      const big = place.request({ id, totalParts: 4_000 }, part, length);
      expect(big.className).toBe('upload.SaveBigFilePart');
      const theirBig = new Api.upload.SaveBigFilePart({ ...fields, fileTotalParts: 4_000 });
      expect(big.getBytes().equals(theirBig.getBytes())).toBe(true);
      const small = place.request({ id }, part, length);
      expect(small.className).toBe('upload.SaveFilePart');
      expect(small.getBytes().equals(new Api.upload.SaveFilePart(fields).getBytes())).toBe(true);
    }
  });
});
