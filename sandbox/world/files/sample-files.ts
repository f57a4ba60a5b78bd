import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { SampleName } from '../state/file-rows.ts';

/** Files that decode and play, with their unpacked sizes in bytes. `docs/sandbox.md` says how they were made. */
const sampleSizes: Readonly<Record<SampleName, number>> = {
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
};

export const sampleNames = Object.keys(sampleSizes) as SampleName[];
/** Stored with gzip: its bit rate is kept high with filler, which packs to a sixteenth. */
const gzippedSamples: ReadonlySet<string> = new Set(['long.mp4']);
const folder = join(import.meta.dirname, '../media');
const loaded = new Map<SampleName, Buffer>();

/** Bytes. Does not read the file, so that the seeded world is made fast. */
export function sampleSize(name: SampleName): number {
  return sampleSizes[name];
}

/** Reads the file the first time. */
export function sampleBytes(name: SampleName): Buffer {
  const known = loaded.get(name);
  if (known) return known;
  const path = join(folder, name);
  const bytes = gzippedSamples.has(name) ? gunzipSync(readFileSync(`${path}.gz`)) : readFileSync(path);
  loaded.set(name, bytes);
  return bytes;
}

/**
 * The sample as the beginning of a file of `size` bytes. An MP4 gets the header of a box that players skip; players of
 * other formats ignore what follows the end.
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

/** The smallest padding of an MP4: an empty box. */
export const minPaddingBytes = 8;
