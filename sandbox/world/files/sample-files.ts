import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Files that decode and play, as `docs/sandbox.md` says they were made: name and size in bytes, gunzipped. */
const sampleSizes = {
  'animation.mp4': 11_111,
  'clip.mp4': 109_544,
  'long.mp4': 3_466_798,
  'paper.pdf': 3_890,
  'round.mp4': 78_553,
  'song.mp3': 48_476,
  'sticker-small.webp': 2_146,
  'sticker.tgs': 295,
  'sticker.webp': 11_288,
  'voice.ogg': 19_331,
} as const;
export type SampleName = keyof typeof sampleSizes;

export const sampleNames = Object.keys(sampleSizes) as SampleName[];
/** Mostly filling, which keeps its bit rate up: a sixteenth of it, packed. */
const packed: ReadonlySet<string> = new Set(['long.mp4']);
const folder = join(import.meta.dirname, '../media');
const read = new Map<SampleName, Buffer>();

/** Known without reading: a world of many files starts fast. */
export function sampleSize(name: SampleName): number {
  return sampleSizes[name];
}

export function sampleBytes(name: SampleName): Buffer {
  const known = read.get(name);
  if (known) return known;
  const path = join(folder, name);
  const bytes = packed.has(name) ? gunzipSync(readFileSync(`${path}.gz`)) : readFileSync(path);
  read.set(name, bytes);
  return bytes;
}

/**
 * The beginning of a sample that is `size` bytes long. What follows in an MP4 is a box that players skip; other formats
 * end where they end, and what follows is passed over.
 * ```
 * ftyp | moov | mdat | free ……………………… |
 * ```
 */
export function paddedHead(name: SampleName, size: number): Buffer {
  const bytes = sampleBytes(name);
  if (!name.endsWith('.mp4')) return bytes;
  const box = Buffer.from('\0\0\0\0free', 'latin1');
  box.writeUInt32BE(size - bytes.length);
  return Buffer.concat([bytes, box]);
}

/** The least that can follow an MP4: a box without anything in it. */
export const leastPadding = 8;
