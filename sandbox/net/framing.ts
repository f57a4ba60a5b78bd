import { randomBytes, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { ByteQueue } from './byte-queue.ts';

/** Longer packets are refused: the largest parts of a file have 512 KB. */
export const MAX_PACKET_BYTES = 8 << 20;

/** How packets are delimited in a stream: https://core.telegram.org/mtproto/mtproto-transports */
export interface Framing {
  readonly name: 'full' | 'abridged' | 'intermediate' | 'padded';
  /** Removes the next packet from the queue; undefined while it is incomplete. Throws FramingError. */
  takePacket(queue: ByteQueue): Buffer | undefined;
  frame(packet: Buffer): Buffer;
}

/** The bytes are not a packet: the rest of the connection is unreadable. */
export class FramingError extends Error {
  override name = 'FramingError';
}

/** Each packet has a length, a number and a CRC. Numbers count from 0 in each direction. */
export function fullFraming(): Framing {
  const overheadBytes = 12;
  let sent = 0;
  let received = 0;
  return {
    name: 'full',
    takePacket(queue) {
      const length = queue.peek(4)?.readUInt32LE(0);
      if (length === undefined) return undefined;
      if (length < overheadBytes + 4 || length % 4 !== 0) throw new FramingError(`packet length ${length} is invalid`);
      checkLength(length);
      const frame = queue.take(length);
      if (!frame) return undefined;
      if (crc32(frame.subarray(0, length - 4)) !== frame.readUInt32LE(length - 4)) throw new FramingError('wrong CRC');
      if (frame.readUInt32LE(4) !== received++) throw new FramingError('wrong packet number');
      return frame.subarray(8, length - 4);
    },
    frame(packet) {
      const frame = Buffer.allocUnsafe(packet.length + overheadBytes);
      frame.writeUInt32LE(frame.length, 0);
      frame.writeUInt32LE(sent++, 4);
      packet.copy(frame, 8);
      frame.writeUInt32LE(crc32(frame.subarray(0, frame.length - 4)), frame.length - 4);
      return frame;
    },
  };
}

/** The length in 4-byte words: one byte, or 0x7f and three bytes. */
export const abridgedFraming: Framing = {
  name: 'abridged',
  takePacket(queue) {
    // The highest bit asks for a quick acknowledgement, which is optional for servers.
    const first = queue.peek(1)?.readUInt8(0);
    if (first === undefined) return undefined;
    let words = first & 0x7f;
    let headBytes = 1;
    if (words === 0x7f) {
      const head = queue.peek(4);
      if (!head) return undefined;
      words = head.readUIntLE(1, 3);
      headBytes = 4;
    }
    checkLength(words * 4);
    return queue.take(headBytes + words * 4)?.subarray(headBytes);
  },
  frame(packet) {
    const words = packet.length / 4;
    if (words < 0x7f) return Buffer.concat([Buffer.from([words]), packet]);
    const head = Buffer.from([0x7f, 0, 0, 0]);
    head.writeUIntLE(words, 1, 3);
    return Buffer.concat([head, packet]);
  },
};

/** The length in bytes, as 4 bytes. */
export const intermediateFraming: Framing = {
  name: 'intermediate',
  takePacket: takeIntermediate,
  frame: frameIntermediate,
};

/** Intermediate with up to 15 random bytes after the packet: its reader must know where the packet ends. */
export const paddedFraming: Framing = {
  name: 'padded',
  takePacket: takeIntermediate,
  frame: (packet) => frameIntermediate(Buffer.concat([packet, randomBytes(randomInt(16))])),
};

function takeIntermediate(queue: ByteQueue): Buffer | undefined {
  const head = queue.peek(4);
  if (!head) return undefined;
  const length = head.readUInt32LE(0) & 0x7fffffff;
  checkLength(length);
  return queue.take(4 + length)?.subarray(4);
}

function frameIntermediate(packet: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(4 + packet.length);
  frame.writeUInt32LE(packet.length, 0);
  packet.copy(frame, 4);
  return frame;
}

function checkLength(bytes: number): void {
  if (bytes > MAX_PACKET_BYTES) throw new FramingError(`a packet of ${bytes} bytes is too long`);
}
