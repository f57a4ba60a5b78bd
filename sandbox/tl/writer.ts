const INITIAL_BYTES = 4096;
/** A buffer that has grown beyond this is replaced by a small one after the answer. */
const MAX_KEPT_BYTES = 1 << 20;

/** Writes TL scalars into a buffer that grows. `finish` returns a copy and empties the writer, which can be reused. */
export class TlWriter {
  private buffer = Buffer.allocUnsafe(INITIAL_BYTES);
  private position = 0;

  /** Empties the writer: an error may have left it half-filled. */
  reset(): void {
    this.position = 0;
    if (this.buffer.length > MAX_KEPT_BYTES) this.buffer = Buffer.allocUnsafe(INITIAL_BYTES);
  }

  finish(): Buffer {
    const written = Buffer.from(this.buffer.subarray(0, this.position));
    this.reset();
    return written;
  }

  int(value: number): void {
    this.reserve(4);
    this.position = this.buffer.writeInt32LE(value | 0, this.position);
  }

  long(value: bigint): void {
    this.reserve(8);
    this.position = this.buffer.writeBigInt64LE(BigInt.asIntN(64, value), this.position);
  }

  double(value: number): void {
    this.reserve(8);
    this.position = this.buffer.writeDoubleLE(value, this.position);
  }

  raw(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.buffer.set(bytes, this.position);
    this.position += bytes.length;
  }

  /** Writes the length (1 byte, or 254 and 3 bytes), the bytes, and zeros up to a multiple of 4. */
  bytes(bytes: Uint8Array): void {
    const head = this.lengthHead(bytes.length);
    this.buffer.set(bytes, this.position);
    this.position += bytes.length;
    this.pad(head + bytes.length);
  }

  string(text: string): void {
    const length = Buffer.byteLength(text);
    const head = this.lengthHead(length);
    this.position += this.buffer.write(text, this.position);
    this.pad(head + length);
  }

  private lengthHead(length: number): number {
    this.reserve(length + 8);
    if (length < 254) {
      this.buffer[this.position++] = length;
      return 1;
    }
    this.buffer[this.position++] = 254;
    this.position = this.buffer.writeUIntLE(length, this.position, 3);
    return 4;
  }

  private pad(written: number): void {
    for (let rest = -written & 3; rest > 0; rest--) this.buffer[this.position++] = 0;
  }

  private reserve(count: number): void {
    const needed = this.position + count;
    if (needed <= this.buffer.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, needed));
    this.buffer.copy(grown, 0, 0, this.position);
    this.buffer = grown;
  }
}
