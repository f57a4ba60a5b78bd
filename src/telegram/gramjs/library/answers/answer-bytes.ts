import bigInt from 'big-integer';

/** Marks a length of three bytes. */
const longMark = 254;

/** Reads the basic types of TL one after the other (https://core.telegram.org/mtproto/serialize). */
export class AnswerBytes {
  readonly bytes: Buffer;
  offset = 0;
  /** The number of bytes read, without padding. */
  #length = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** @throws {RangeError} the bytes end too early; all readers throw it */
  int(): number {
    const value = this.bytes.readInt32LE(this.offset);
    this.offset += 4;
    return value;
  }

  constructorId(): number {
    return this.int() >>> 0;
  }

  double(): number {
    const value = this.bytes.readDoubleLE(this.offset);
    this.offset += 8;
    return value;
  }

  long(): bigInt.BigInteger {
    const value = bigInt(this.bytes.readBigInt64LE(this.offset));
    this.offset += 8;
    return value;
  }

  /** A view of the same memory. */
  slice(): Buffer {
    const start = this.#begin();
    return this.bytes.subarray(start, this.#end(start));
  }

  text(): string {
    const start = this.#begin();
    return this.bytes.toString('utf8', start, this.#end(start));
  }

  /** The start of the content. Its length is in one byte, or in three after a mark. */
  #begin(): number {
    const first = this.bytes.readUInt8(this.offset);
    const isLong = first === longMark;
    this.#length = isLong ? this.bytes.readUIntLE(this.offset + 1, 3) : first;
    return this.offset + (isLong ? 4 : 1);
  }

  #end(start: number): number {
    const end = start + this.#length;
    if (end > this.bytes.length) throw new RangeError(`${this.#length} bytes where there are fewer`);
    // Padded to 4 bytes.
    this.offset = (end + 3) & ~3;
    return end;
  }
}
