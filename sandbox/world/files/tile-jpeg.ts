/** Annex K of ITU-T T.81: code lengths and symbols of the DC table. */
const dcLengths = [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0];
const dcSymbols = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
/** The AC table has a single code of one bit: `0`, end of block. */
const acLengths = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
const acSymbols = [0];
/** The DC coefficient is 8 times the mean of the block: with this quantiser one step is one level of colour. */
const quantiser = 8;
const TILE_PIXELS = 8;

/** 0 to 255 each. */
export type YcbcrColour = readonly [y: number, cb: number, cr: number];

/** The number of tiles along a side of this length. */
export const tilesAlong = (pixels: number): number => Math.ceil(pixels / TILE_PIXELS);

/**
 * Encodes a baseline JPEG of flat 8×8 tiles. Without a library the bytes are the same on all machines and with all
 * versions, and encoding is fast: hundreds of megapixels a second. Only the DC coefficient of each block is written.
 */
export function encodeTileJpeg(
  width: number,
  height: number,
  colourOf: (column: number, row: number) => YcbcrColour,
): Buffer {
  const columns = tilesAlong(width);
  const rows = tilesAlong(height);
  const bits = new BitWriter(columns * rows * 6 + 1024);
  const last = [0, 0, 0];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const colour = colourOf(column, row);
      for (let component = 0; component < 3; component += 1) {
        const level = (colour[component] as number) - 128;
        writeDifference(bits, level - (last[component] as number));
        last[component] = level;
        bits.write(0, 1);
      }
    }
  }
  return Buffer.concat([headers(width, height), bits.finish(), Buffer.from([0xff, 0xd9])]);
}

const dcCodes = codesOf(dcLengths, dcSymbols);

function writeDifference(bits: BitWriter, difference: number): void {
  const size = difference === 0 ? 0 : 32 - Math.clz32(Math.abs(difference));
  const code = dcCodes[size] as { code: number; length: number };
  bits.write(code.code, code.length);
  if (size > 0) bits.write(difference < 0 ? difference + (1 << size) - 1 : difference, size);
}

function codesOf(lengths: readonly number[], symbols: readonly number[]): { code: number; length: number }[] {
  const codes: { code: number; length: number }[] = [];
  let code = 0;
  let next = 0;
  for (let length = 1; length <= 16; length += 1) {
    for (let count = 0; count < (lengths[length - 1] as number); count += 1) {
      codes[symbols[next] as number] = { code, length };
      code += 1;
      next += 1;
    }
    code <<= 1;
  }
  return codes;
}

function headers(width: number, height: number): Buffer {
  const segment = (marker: number, body: number[]): Buffer =>
    Buffer.from([0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 255, ...body]);
  const frame = [8, height >> 8, height & 255, width >> 8, width & 255, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0];
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, [0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    segment(0xdb, [0, ...Array.from({ length: 64 }, () => quantiser)]),
    segment(0xc0, frame),
    segment(0xc4, [0, ...dcLengths, ...dcSymbols]),
    segment(0xc4, [0x10, ...acLengths, ...acSymbols]),
    segment(0xda, [3, 1, 0, 2, 0, 3, 0, 0, 63, 0]),
  ]);
}

class BitWriter {
  #buffer: Buffer;
  #length = 0;
  #bits = 0;
  #count = 0;

  constructor(size: number) {
    this.#buffer = Buffer.alloc(size);
  }

  write(value: number, count: number): void {
    this.#bits = (this.#bits << count) | value;
    this.#count += count;
    while (this.#count >= 8) {
      this.#count -= 8;
      this.#byte((this.#bits >>> this.#count) & 255);
    }
    this.#bits &= (1 << this.#count) - 1;
  }

  /** Fills the last byte with ones, as the format requires. */
  finish(): Buffer {
    if (this.#count > 0) this.write((1 << (8 - this.#count)) - 1, 8 - this.#count);
    return this.#buffer.subarray(0, this.#length);
  }

  /** A byte of 255 is followed by 0: otherwise it would begin a marker. */
  #byte(byte: number): void {
    if (this.#length + 2 > this.#buffer.length) {
      this.#buffer = Buffer.concat([this.#buffer, Buffer.alloc(this.#buffer.length)]);
    }
    this.#buffer[this.#length++] = byte;
    if (byte === 255) this.#buffer[this.#length++] = 0;
  }
}
