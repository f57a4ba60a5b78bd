import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteQueue } from '../../../../sandbox/net/byte-queue.ts';
import { detectTransport } from '../../../../sandbox/net/detect-transport.ts';
import {
  abridgedFraming,
  type Framing,
  FramingError,
  fullFraming,
  intermediateFraming,
  MAX_PACKET_BYTES,
  paddedFraming,
} from '../../../../sandbox/net/framing.ts';

const framings: [string, () => Framing, Buffer][] = [
  ['full', fullFraming, Buffer.alloc(0)],
  ['abridged', () => abridgedFraming, Buffer.from([0xef])],
  ['intermediate', () => intermediateFraming, Buffer.alloc(4, 0xee)],
  ['padded', () => paddedFraming, Buffer.alloc(4, 0xdd)],
];

/** Packets of whole words; some need the long form of the length. */
const packets = fc.array(
  fc
    .oneof(fc.integer({ min: 1, max: 20 }), fc.constantFrom(126, 127, 128, 5000))
    .map((words) => randomBytes(words * 4)),
  { minLength: 1, maxLength: 6 },
);

function takeAll(framing: Framing, queue: ByteQueue): Buffer[] {
  const packetsTaken: Buffer[] = [];
  for (let packet = framing.takePacket(queue); packet; packet = framing.takePacket(queue)) packetsTaken.push(packet);
  return packetsTaken;
}

/** As texts, which a failed comparison shows in full. */
const textsOf = (all: readonly Buffer[]): string[] => all.map((packet) => packet.toString('base64'));

describe.each(framings)('the %s transport', (name, framing, tag) => {
  it('returns the packets that were sent, in whatever chunks they arrive', () => {
    fc.assert(
      fc.property(packets, fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1 }), (sent, pieces) => {
        const sender = framing();
        const stream = Buffer.concat([tag, ...sent.map((packet) => sender.frame(packet))]);
        const queue = new ByteQueue();
        const received: Buffer[] = [];
        let detected: ReturnType<typeof detectTransport>;
        for (let at = 0, i = 0; at < stream.length; i++) {
          const size = pieces[i % pieces.length] ?? 1;
          queue.push(stream.subarray(at, at + size));
          at += size;
          detected ??= detectTransport(queue);
          if (detected) received.push(...takeAll(detected.framing, queue));
        }
        expect(detected?.framing.name).toBe(name);
        const begun = received.map((packet, i) => packet.subarray(0, sent[i]?.length));
        expect(textsOf(begun)).toEqual(textsOf(sent));
        if (name !== 'padded') expect(textsOf(received)).toEqual(textsOf(sent));
      }),
      { numRuns: 60 },
    );
  });

  it('refuses a packet that is too long', () => {
    const queue = new ByteQueue();
    const words = MAX_PACKET_BYTES / 4 + 1;
    queue.push(
      name === 'abridged' ? Buffer.from([0x7f, words & 255, (words >> 8) & 255, words >> 16]) : lengthHead(words * 4),
    );
    expect(() => framing().takePacket(queue)).toThrow(FramingError);
  });
});

function lengthHead(bytes: number): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(bytes);
  return head;
}

describe('the full transport', () => {
  it.each([
    ['a byte of the packet', 9],
    ['the number', 4],
    ['the checksum', -1],
  ])('refuses a packet with a wrong %s', (_what, at) => {
    const frame = fullFraming().frame(Buffer.alloc(16));
    const index = at < 0 ? frame.length + at : at;
    frame[index] = (frame[index] ?? 0) ^ 1;
    const queue = new ByteQueue();
    queue.push(frame);
    expect(() => fullFraming().takePacket(queue)).toThrow('wrong CRC');
  });

  it('refuses a repeated packet', () => {
    const frame = fullFraming().frame(Buffer.alloc(16));
    const queue = new ByteQueue();
    queue.push(Buffer.concat([frame, frame]));
    const framing = fullFraming();
    expect(framing.takePacket(queue)).toHaveLength(16);
    expect(() => framing.takePacket(queue)).toThrow('wrong packet number');
  });
});

describe('an obfuscated transport', () => {
  /**
   * The header as a client makes it: random bytes that match no other transport, with the keys and the encrypted tag.
   */
  function client(tag: number, dc: number) {
    const header = randomBytes(64);
    header.writeUInt32LE(0x01020304, 0);
    header.writeUInt32LE(0x05060708, 4);
    const reversed = Buffer.from(header.subarray(8, 56).toReversed());
    const cipher = createCipheriv('aes-256-ctr', header.subarray(8, 40), header.subarray(40, 56));
    const decipher = createDecipheriv('aes-256-ctr', reversed.subarray(0, 32), reversed.subarray(32));
    const plain = Buffer.from(header);
    plain.writeUInt32LE(tag, 56);
    plain.writeInt16LE(dc, 60);
    cipher.update(plain).copy(header, 56, 56);
    return { header, encrypt: (data: Buffer) => cipher.update(data), decrypt: (data: Buffer) => decipher.update(data) };
  }

  it.each([
    ['abridged', 0xefefefef, 2],
    ['intermediate', 0xeeeeeeee, -4],
    ['padded', 0xdddddddd, 10_005],
  ])('carries the %s framing and names a data centre', (name, tag, dc) => {
    const { header, encrypt, decrypt } = client(tag, dc);
    const queue = new ByteQueue();
    queue.push(header.subarray(0, 63));
    expect(detectTransport(queue)).toBeUndefined();
    queue.push(header.subarray(63));
    const detected = detectTransport(queue);
    expect(detected?.framing.name).toBe(name);
    expect(detected?.obfuscation?.dc).toBe(Math.abs(dc) % 10_000);
    const text = Buffer.from('there and back');
    expect(detected?.obfuscation?.decrypt(encrypt(text))).toEqual(text);
    expect(decrypt(detected?.obfuscation?.encrypt(text) ?? text)).toEqual(text);
  });

  it('is refused if it carries an unknown framing', () => {
    const queue = new ByteQueue();
    queue.push(client(0x12345678, 2).header);
    expect(() => detectTransport(queue)).toThrow(FramingError);
  });
});
