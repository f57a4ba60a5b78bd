import type { QrModules } from './qr-modules.ts';

/** ISO/IEC 18004, table 9, versions 1 to 10: error correction codewords of a block, and blocks, for L, M, Q and H. */
const correction = [
  [
    [7, 1],
    [10, 1],
    [13, 1],
    [17, 1],
  ],
  [
    [10, 1],
    [16, 1],
    [22, 1],
    [28, 1],
  ],
  [
    [15, 1],
    [26, 1],
    [18, 2],
    [22, 2],
  ],
  [
    [20, 1],
    [18, 2],
    [26, 2],
    [16, 4],
  ],
  [
    [26, 1],
    [24, 2],
    [18, 4],
    [22, 4],
  ],
  [
    [18, 2],
    [16, 4],
    [24, 4],
    [28, 4],
  ],
  [
    [20, 2],
    [18, 4],
    [18, 6],
    [26, 5],
  ],
  [
    [24, 2],
    [22, 4],
    [22, 6],
    [26, 6],
  ],
  [
    [30, 2],
    [22, 5],
    [20, 8],
    [24, 8],
  ],
  [
    [18, 4],
    [26, 5],
    [24, 8],
    [28, 8],
  ],
] as const;

/** The rows and columns in which alignment patterns have their centres, by version (annex E). */
const alignment = [[], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50]];

/** Whether the mask turns a module around (table 10). */
const masks: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_x, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (((x / 3) | 0) + (y >> 1)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/**
 * The text in a QR code. Its modules are known exactly, so nothing has to be corrected.
 * @returns undefined if it is larger than version 10, or does not hold bytes
 */
export function qrContent(modules: QrModules): string | undefined {
  const version = (modules.length - 17) / 4;
  // Format information: beside the upper left finder pattern, masked with 101010000010010.
  const row = modules[8] ?? [];
  const format = [0, 1, 2, 3, 4].reduce((bits, x) => bits * 2 + (row[x] ? 1 : 0), 0) ^ 0b10101;
  const level = [1, 0, 3, 2][format >> 3] ?? 0;
  const [corrected, blocks] = correction[version - 1]?.[level] ?? [0, 0];
  const mask = masks[format & 7];
  if (blocks === 0 || !mask) return undefined;
  const codewords = readCodewords(modules, version, mask);
  return textIn(dataOf(codewords, corrected, blocks), version);
}

/** Two columns at a time, from the right, up and down; what belongs to patterns is passed over. */
function readCodewords(modules: QrModules, version: number, mask: (x: number, y: number) => boolean): number[] {
  const size = modules.length;
  const codewords: number[] = [];
  let bits = 0;
  let count = 0;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    const isUp = ((right + 1) & 2) === 0;
    for (let step = 0; step < size; step += 1) {
      const y = isUp ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (isPattern(x, y, size, version)) continue;
        bits = bits * 2 + (modules[y]?.[x] !== mask(x, y) ? 1 : 0);
        count += 1;
        if (count % 8 === 0) {
          codewords.push(bits);
          bits = 0;
        }
      }
    }
  }
  return codewords;
}

function isPattern(x: number, y: number, size: number, version: number): boolean {
  if (x === 6 || y === 6) return true;
  const isLeft = x < 9;
  const isTop = y < 9;
  if ((isLeft && isTop) || (isLeft && y >= size - 8) || (isTop && x >= size - 8)) return true;
  if (version >= 7 && ((x < 6 && y >= size - 11) || (y < 6 && x >= size - 11))) return true;
  const centres = alignment[version - 1] ?? [];
  const last = size - 7;
  const isNear = (column: number, line: number): boolean => Math.abs(x - column) <= 2 && Math.abs(y - line) <= 2;
  return centres.some((column) =>
    centres.some((line) => {
      // Three corners have finder patterns instead.
      const isCorner =
        (column === 6 && line === 6) || (column === 6 && line === last) || (column === last && line === 6);
      return !isCorner && isNear(column, line);
    }),
  );
}

/** Undoes the interleaving: the blocks' codewords come in turns, those that are longer by one come last. */
function dataOf(codewords: readonly number[], corrected: number, blocks: number): number[] {
  const total = codewords.length - corrected * blocks;
  const shortest = Math.floor(total / blocks);
  const shorter = blocks - (total % blocks);
  return Array.from({ length: blocks }, (_block, block) => {
    const own = Array.from({ length: shortest }, (_codeword, at) => codewords[at * blocks + block] ?? 0);
    return block < shorter ? own : [...own, codewords[shortest * blocks + block - shorter] ?? 0];
  }).flat();
}

/** Mode 0100 is bytes; their number has 8 bits up to version 9, then 16. */
function textIn(data: readonly number[], version: number): string | undefined {
  const nibbles = data.flatMap((byte) => [byte >> 4, byte & 15]);
  const begin = version < 10 ? 3 : 5;
  const length = nibbles.slice(1, begin).reduce((sum, nibble) => sum * 16 + nibble, 0);
  if (nibbles[0] !== 4) return undefined;
  const bytes = Array.from(
    { length },
    (_byte, at) => (nibbles[begin + 2 * at] ?? 0) * 16 + (nibbles[begin + 2 * at + 1] ?? 0),
  );
  return new TextDecoder().decode(new Uint8Array(bytes));
}
