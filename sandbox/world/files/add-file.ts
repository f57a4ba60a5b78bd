import type { TlObject } from '../../rpc.ts';
import type { FileContent, FileRow, FileVariant } from '../state/file-rows.ts';
import type { World } from '../world.ts';
import { contentSize, storeBytes } from './file-content.ts';
import { messageSizesFor, profileSizes } from './photo-sizes.ts';
import { sampleSize } from './sample-files.ts';

/** Adds a drawn profile photo in all its sizes. */
export function addProfilePhoto(world: World, dc: number, seed: number, date: number): FileRow {
  const sizes = profileSizes.map(([type, side]) => drawnVariant(type, seed, side, side));
  return world.tables.files.put({ id: nextFileId(world), kind: 'photo', date, dc, mime: 'image/jpeg', sizes });
}

/** Adds a drawn photo for a message in all its sizes. */
export function addDrawnPhoto(
  world: World,
  { dc, seed, width, height, date }: { dc: number; seed: number; width: number; height: number; date: number },
): FileRow {
  const longerSide = Math.max(width, height);
  const sizes = messageSizesFor(width, height).map(([type, side]) => {
    const scale = Math.min(1, side / longerSide);
    const scaled = (pixels: number): number => Math.max(1, Math.round(pixels * scale));
    return drawnVariant(type, seed, scaled(width), scaled(height));
  });
  return world.tables.files.put({ id: nextFileId(world), kind: 'photo', date, dc, mime: 'image/jpeg', sizes });
}

interface NewDocument {
  dc: number;
  mime: string;
  /** Seconds since 1970. */
  date: number;
  content: FileContent | Buffer;
  attributes: TlObject[];
  thumbnail?: Thumbnail;
}

/** Drawn from a seed, given as bytes, or the one of the sample stickers. */
type Thumbnail = { width: number; height: number } & ({ seed: number } | { bytes: Buffer } | { mime: 'image/webp' });

export function addDocument(world: World, document: NewDocument): FileRow {
  const id = nextFileId(world);
  const { dc, mime, date, attributes } = document;
  const content = Buffer.isBuffer(document.content) ? storeBytes(world, id, '', document.content) : document.content;
  const sizes = document.thumbnail ? [thumbnailVariant(world, id, document.thumbnail)] : [];
  return world.tables.files.put({ id, kind: 'document', date, dc, mime, content, sizes, attributes });
}

function thumbnailVariant(world: World, fileId: number, thumbnail: Thumbnail): FileVariant {
  const { width, height } = thumbnail;
  if ('seed' in thumbnail) return drawnVariant('m', thumbnail.seed, width, height);
  if ('mime' in thumbnail) {
    const name = 'sticker-small.webp';
    const content = { form: 'sample', name, seed: 0, size: sampleSize(name) } as const;
    return { type: 'm', width, height, mime: thumbnail.mime, content };
  }
  return { type: 'm', width, height, content: storeBytes(world, fileId, 'm', thumbnail.bytes) };
}

/** A document's size in bytes. */
export function documentSize(file: FileRow): number {
  return file.content ? contentSize(file.content) : 0;
}

function drawnVariant(type: string, seed: number, width: number, height: number): FileVariant {
  return { type, width, height, content: { form: 'mosaic', seed, width, height } };
}

const firstFileId = 5_000_000_001;

/** Uses the next file ID. */
export function nextFileId(world: World): number {
  const last = world.tables.meta.get('lastFileId')?.value ?? firstFileId - 1;
  world.tables.meta.put({ name: 'lastFileId', value: last + 1 });
  return last + 1;
}
