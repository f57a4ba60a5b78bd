import { TlError } from './tl-error.ts';

/** Reads TL scalars one after another. Every method throws TlError if the bytes end too early. */
export class TlReader {
  position = 0;
  readonly buffer: Buffer;

  constructor(buffer: Buffer) {
    this.buffer = buffer;
  }

  get left(): number {
    return this.buffer.length - this.position;
  }

  int(): number {
    return this.buffer.readInt32LE(this.advance(4));
  }

  uint(): number {
    return this.buffer.readUInt32LE(this.advance(4));
  }

  long(): bigint {
    return this.buffer.readBigInt64LE(this.advance(8));
  }

  double(): number {
    return this.buffer.readDoubleLE(this.advance(8));
  }

  /** A view of the packet's bytes, not a copy. */
  raw(count: number): Buffer {
    const start = this.advance(count);
    return this.buffer.subarray(start, start + count);
  }

  bytes(): Buffer {
    let length = this.buffer[this.advance(1)] ?? 0;
    let head = 1;
    if (length === 254) {
      length = this.buffer.readUIntLE(this.advance(3), 3);
      head = 4;
    }
    const bytes = this.raw(length);
    this.advance(-(head + length) & 3);
    return bytes;
  }

  string(): string {
    return this.bytes().toString('utf8');
  }

  /** The item count of a vector. An item has at least 4 bytes: a count beyond the bytes that are left is refused. */
  count(): number {
    const count = this.int();
    if (count < 0 || count > this.left / 4) throw new TlError(`${count} items in ${this.left} bytes`);
    return count;
  }

  private advance(count: number): number {
    const start = this.position;
    if (count < 0 || start + count > this.buffer.length) throw new TlError('the bytes end too early');
    this.position = start + count;
    return start;
  }
}
