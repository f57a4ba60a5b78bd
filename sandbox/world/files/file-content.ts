import { createHash } from 'node:crypto';
import type { FileContent, FileRow, FileVariant } from '../state/rows.ts';
import type { World } from '../world.ts';
import { keepBlob, readBlob } from './blob-store.ts';
import { paddedHead, sampleBytes, sampleSize } from './sample-files.ts';
import { identicon } from './tile-jpeg.ts';

/** Pictures made lately: a download asks for one many times. */
const madeLately = new Map<string, Buffer>();
const keptPictures = 64;
const pictureSizes = new Map<string, number>();
/** What was hashed before: a file's bytes do not change. */
const hashes = new WeakMap<FileContent, string>();

export function variantOf(file: FileRow, type: string): FileVariant | undefined {
  return file.sizes.find((variant) => variant.type === type);
}

/** The name under which a file's own bytes, or those of one of its sizes, are kept. */
const blobName = (fileId: number, type: string): string => (type ? `${fileId}.${type}` : String(fileId));

export function contentSize(content: FileContent): number {
  if (content.form !== 'mosaic') return content.size;
  const key = pictureKey(content);
  const known = pictureSizes.get(key);
  return known ?? picture(content).length;
}

/** Bytes from `offset`, `limit` of them at most. `type` is empty for a document itself. */
export function readContent(
  world: World,
  file: FileRow,
  type: string,
  content: FileContent,
  offset: number,
  limit: number,
): Buffer {
  if (content.form === 'mosaic') return picture(content).subarray(offset, offset + limit);
  const length = Math.min(limit, Math.max(0, content.size - offset));
  if (content.form === 'noise') return noise(content, offset, length);
  if (content.form === 'sample') return sampled(content, offset, length);
  return readBlob(world, content.name ?? blobName(file.id, type), offset, length);
}

export function sha256Of(world: World, file: FileRow, type: string, content: FileContent): string {
  const known = hashes.get(content);
  if (known) return known;
  const hash = createHash('sha256');
  for (const bytes of chunksOf(world, file, type, content)) hash.update(bytes);
  const digest = hash.digest('hex');
  hashes.set(content, digest);
  return digest;
}

/** The whole of a file, a megabyte at a time. */
export function* chunksOf(world: World, file: FileRow, type: string, content: FileContent): Generator<Buffer> {
  const step = 1 << 20;
  for (let at = 0; at < contentSize(content); at += step) yield readContent(world, file, type, content, at, step);
}

/** Keeps bytes that were given, beside the world's rows. */
export function keepBytes(world: World, fileId: number, type: string, bytes: Buffer): FileContent {
  keepBlob(world, blobName(fileId, type), bytes);
  return { form: 'blob', size: bytes.length };
}

const pictureKey = (content: { seed: number; width: number; height: number }): string =>
  `${content.seed}/${content.width}x${content.height}`;

function picture(content: { seed: number; width: number; height: number }): Buffer {
  const key = pictureKey(content);
  const known = madeLately.get(key);
  if (known) return known;
  const made = identicon(content.seed, content.width, content.height);
  madeLately.set(key, made);
  pictureSizes.set(key, made.length);
  const oldest = madeLately.keys().next().value;
  if (madeLately.size > keptPictures && oldest !== undefined) madeLately.delete(oldest);
  return made;
}

function sampled(content: Extract<FileContent, { form: 'sample' }>, offset: number, length: number): Buffer {
  const { name, seed, size } = content;
  if (offset + length <= sampleSize(name)) return sampleBytes(name).subarray(offset, offset + length);
  return noise({ seed, head: paddedHead(name, size) }, offset, length);
}

/** Bytes that only their place decides: any part can be made without the rest, a word at a time. */
function noise(content: { seed: number; head?: Buffer }, offset: number, length: number): Buffer {
  const first = Math.floor(offset / 4);
  const words = new Int32Array(Math.ceil((offset + length) / 4) - first);
  for (let at = 0; at < words.length; at += 1) {
    const mixed = Math.imul(((first + at) ^ (content.seed << 9)) + 0x9e3779b9, 0x85ebca6b);
    words[at] = Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35) ^ (mixed >>> 13);
  }
  const bytes = Buffer.from(words.buffer).subarray(offset - 4 * first, offset - 4 * first + length);
  if (content.head && offset < content.head.length) content.head.copy(bytes, 0, offset);
  return bytes;
}
