import { createHash } from 'node:crypto';
import type { FileContent, FileRow, FileVariant } from '../state/file-rows.ts';
import type { World } from '../world.ts';
import { identicon } from './identicon.ts';
import { paddedHead, sampleBytes, sampleSize } from './sample-files.ts';

type Picture = Pick<Extract<FileContent, { form: 'mosaic' }>, 'seed' | 'width' | 'height'>;

/** Pictures drawn last: a download reads the same one in many parts. */
const pictureCache = new Map<string, Buffer>();
const maxCachedPictures = 64;
const pictureSizes = new Map<string, number>();
/** By content: the bytes of a file do not change. */
const hashes = new WeakMap<FileContent, string>();

const CHUNK_BYTES = 1 << 20;

/** `type` is the size letter. */
export function variantOf(file: FileRow, type: string): FileVariant | undefined {
  return file.sizes.find((variant) => variant.type === type);
}

/** The blob of a file's own bytes (`type` is empty), or of one of its sizes. */
const blobName = (fileId: number, type: string): string => (type ? `${fileId}.${type}` : String(fileId));

/** Bytes. */
export function contentSize(content: FileContent): number {
  if (content.form !== 'mosaic') return content.size;
  return pictureSizes.get(pictureKey(content)) ?? drawnPicture(content).length;
}

/** Up to `limit` bytes from `offset`. `type` is the size letter, empty for a document itself. */
export function readContent(
  world: World,
  file: FileRow,
  type: string,
  content: FileContent,
  offset: number,
  limit: number,
): Buffer {
  if (content.form === 'mosaic') return drawnPicture(content).subarray(offset, offset + limit);
  const length = Math.min(limit, Math.max(0, content.size - offset));
  if (content.form === 'noise') return noise(content, offset, length);
  if (content.form === 'sample') return readSample(content, offset, length);
  return world.blobs.read(content.name ?? blobName(file.id, type), offset, length);
}

/** Hexadecimal. Reads the whole file the first time. */
export function sha256Of(world: World, file: FileRow, type: string, content: FileContent): string {
  const known = hashes.get(content);
  if (known) return known;
  const hash = createHash('sha256');
  for (const bytes of chunksOf(world, file, type, content)) hash.update(bytes);
  const digest = hash.digest('hex');
  hashes.set(content, digest);
  return digest;
}

/** The whole file in chunks of 1 MiB. */
export function* chunksOf(world: World, file: FileRow, type: string, content: FileContent): Generator<Buffer> {
  for (let offset = 0; offset < contentSize(content); offset += CHUNK_BYTES) {
    yield readContent(world, file, type, content, offset, CHUNK_BYTES);
  }
}

/** Stores bytes as a blob, as a file's content. */
export function storeBytes(world: World, fileId: number, type: string, bytes: Buffer): FileContent {
  world.blobs.write(blobName(fileId, type), bytes);
  return { form: 'blob', size: bytes.length };
}

const pictureKey = ({ seed, width, height }: Picture): string => `${seed}/${width}x${height}`;

function drawnPicture(content: Picture): Buffer {
  const key = pictureKey(content);
  const known = pictureCache.get(key);
  if (known) return known;
  const picture = identicon(content.seed, content.width, content.height);
  pictureCache.set(key, picture);
  pictureSizes.set(key, picture.length);
  const oldest = pictureCache.keys().next().value;
  if (pictureCache.size > maxCachedPictures && oldest !== undefined) pictureCache.delete(oldest);
  return picture;
}

function readSample(content: Extract<FileContent, { form: 'sample' }>, offset: number, length: number): Buffer {
  const { name, seed, size } = content;
  if (offset + length <= sampleSize(name)) return sampleBytes(name).subarray(offset, offset + length);
  return noise({ seed, head: paddedHead(name, size) }, offset, length);
}

/**
 * Pseudo-random bytes after `head`. Each word depends on the seed and its offset alone: any part can be made by itself.
 */
function noise(content: { seed: number; head?: Buffer }, offset: number, length: number): Buffer {
  const first = Math.floor(offset / 4);
  const words = new Int32Array(Math.ceil((offset + length) / 4) - first);
  for (let index = 0; index < words.length; index += 1) {
    const mixed = Math.imul(((first + index) ^ (content.seed << 9)) + 0x9e3779b9, 0x85ebca6b);
    words[index] = Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35) ^ (mixed >>> 13);
  }
  const bytes = Buffer.from(words.buffer).subarray(offset - 4 * first, offset - 4 * first + length);
  if (content.head && offset < content.head.length) content.head.copy(bytes, 0, offset);
  return bytes;
}
