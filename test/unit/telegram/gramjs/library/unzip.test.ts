import { deflateSync, gzipSync } from 'node:zlib';
import bigInt from 'big-integer';
import { BinaryReader } from 'telegram/extensions/BinaryReader.js';
import { TLMessage } from 'telegram/tl/core/TLMessage.js';
import { serializeBytes } from 'telegram/tl/generationHelpers.js';
import { Api } from 'telegram/tl/index.js';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { applyHardening, readKnown } from '../../../../../src/telegram/gramjs/library/hardening.ts';
import { HardenedSender } from '../../../../../src/telegram/gramjs/library/sender.ts';
import { failureOf } from '../../../../support/kit/failure-of.ts';

/** What Telegram has packed, and what is too much of it. */

const megabyte = 1024 * 1024;
let undo: () => void;
beforeAll(() => {
  undo = applyHardening();
});
afterAll(() => undo());

let broken: string[];
let updates: unknown[];
let sender: HardenedSender;
beforeEach(() => {
  broken = [];
  updates = [];
  sender = new HardenedSender(undefined, 2, {
    heard: () => undefined,
    update: (update) => void updates.push(update),
    broken: (reason) => void broken.push(reason),
    transportError: () => undefined,
  });
});

const int = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const packedOf = (bytes: Buffer, pack = gzipSync): Buffer =>
  Buffer.concat([int(0x3072cfa1), serializeBytes(pack(bytes))]);
const resultOf = (body: Buffer): Buffer => Buffer.concat([int(0xf35c6d01), Buffer.alloc(8), body]);
const containerOf = (...bodies: Buffer[]): Buffer =>
  Buffer.concat([
    int(0x73f1f8dc),
    int(bodies.length),
    ...bodies.map((body, index) => Buffer.concat([int(5 + 4 * index), int(9), int(1), int(body.length), body])),
  ]);
const receive = async (body: Buffer): Promise<void> => {
  const object = readKnown(new BinaryReader(body)) as TLMessage['obj'];
  await sender._processMessage(new TLMessage(bigInt(1), 1, object));
};
const update = new Api.UpdatesTooLong().getBytes();

it.each([
  ['gzip', gzipSync],
  ['zlib', deflateSync],
])('[NB6.1] what is packed is read: %s', async (_, pack) => {
  await receive(packedOf(update, pack));
  expect(updates).toEqual([expect.any(Api.UpdatesTooLong)]);
  expect(broken).toEqual([]);
});

it('[NB6.1] 16 MB are an answer', async () => {
  await receive(resultOf(packedOf(Buffer.alloc(16 * megabyte))));
  expect(broken).toEqual([]);
});

it.each<[string, (bomb: Buffer) => Buffer]>([
  ['alone', (bomb) => resultOf(bomb)],
  ['as an update', (bomb) => bomb],
  ['in a container', (bomb) => containerOf(update, resultOf(bomb))],
])('[NB6.1] 1 MB that unpacks to 1 GB breaks the connection, and no more: %s', async (_, wrap) => {
  const before = memoryBytes();
  await failureOf(receive(wrap(makeBomb())));
  expect(broken).toEqual(['answer-too-large']);
  expect(memoryBytes() - before).toBeLessThan(100 * megabyte);
});

it('[NB6.1] what is packed twice breaks the connection', async () => {
  await receive(packedOf(packedOf(update)));
  expect(broken).toEqual(['answer-too-large']);
  expect(updates).toEqual([]);
});

it('[NB6.1] what cannot be unpacked at all is a lost message, and no reason to connect again', async () => {
  await failureOf(receive(packedOf(Buffer.alloc(0), () => Buffer.from('no gzip'))));
  await receive(
    containerOf(
      packedOf(update, () => Buffer.from('no gzip')),
      update,
    ),
  );
  expect(broken).toEqual([]);
  expect(updates).toEqual([expect.any(Api.UpdatesTooLong)]);
});

/** 1 GB of zeros: as many pieces, each packed like the first. */
function makeBomb(): Buffer {
  const piece = gzipSync(Buffer.alloc(64 * megabyte), { level: 9 });
  return Buffer.concat([int(0x3072cfa1), serializeBytes(Buffer.concat(Array.from({ length: 16 }, () => piece)))]);
}

function memoryBytes(): number {
  return process.memoryUsage.rss();
}
