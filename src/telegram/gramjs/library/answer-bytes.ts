import bigInt from 'big-integer';

/** In front of a length of three bytes. */
const longMark = 254;

/** The simple types of Telegram's language, read one after the other (https://core.telegram.org/mtproto/serialize). */
export class AnswerBytes {
  readonly bytes: Buffer;
  offset = 0;
  /** Of what has been begun, without its padding. */
  #length = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** @throws {RangeError} as all of them where the bytes end before */
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

  /** A part of the same memory. */
  slice(): Buffer {
    const start = this.#begin();
    return this.bytes.subarray(start, this.#end(start));
  }

  text(): string {
    const start = this.#begin();
    return this.bytes.toString('utf8', start, this.#end(start));
  }

  /** Where the content begins; its length is in one byte, or in three behind a mark. */
  #begin(): number {
    const first = this.bytes.readUInt8(this.offset);
    const isLong = first === longMark;
    this.#length = isLong ? this.bytes.readUIntLE(this.offset + 1, 3) : first;
    return this.offset + (isLong ? 4 : 1);
  }

  #end(start: number): number {
    const end = start + this.#length;
    if (end > this.bytes.length) throw new RangeError(`${this.#length} bytes where there are fewer`);
    // Padded to whole words.
    this.offset = (end + 3) & ~3;
    return end;
  }
}
