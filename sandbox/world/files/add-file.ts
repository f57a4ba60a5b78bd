import type { TlObject } from '../../rpc.ts';
import type { FileContent, FileRow, FileVariant } from '../state/rows.ts';
import type { World } from '../world.ts';
import { contentSize, keepBytes } from './file-content.ts';
import { sampleSize } from './sample-files.ts';

/** Telegram's sizes of a photo in a message: letter and longer side. */
export const messageSizes: readonly (readonly [string, number])[] = [
  ['s', 100],
  ['m', 320],
  ['x', 800],
  ['y', 1280],
  ['w', 2560],
];
/** Of a profile photo: letter and side of the square. */
const profileSizes: readonly (readonly [string, number])[] = [
  ['a', 160],
  ['b', 320],
  ['c', 640],
];

export function addProfilePhoto(world: World, dc: number, seed: number, date: number): FileRow {
  const sizes = profileSizes.map(([type, side]): FileVariant => picture(type, seed, side, side));
  return world.files.put({ id: nextFileId(world), kind: 'photo', date, dc, mime: 'image/jpeg', sizes });
}

/** A photo in a message, in every size up to its own. */
export function addPhoto(
  world: World,
  of: { dc: number; seed: number; width: number; height: number; date: number },
): FileRow {
  const longer = Math.max(of.width, of.height);
  const fitting = messageSizes.filter((_size, index) => index === 0 || (messageSizes[index - 1]?.[1] ?? 0) < longer);
  const sizes = fitting.map(([type, side]) => {
    const scale = Math.min(1, side / longer);
    return picture(
      type,
      of.seed,
      Math.max(1, Math.round(of.width * scale)),
      Math.max(1, Math.round(of.height * scale)),
    );
  });
  return world.files.put({ id: nextFileId(world), kind: 'photo', date: of.date, dc: of.dc, mime: 'image/jpeg', sizes });
}

export function addDocument(
  world: World,
  of: {
    dc: number;
    mime: string;
    date: number;
    content: FileContent | Buffer;
    attributes: TlObject[];
    thumbnail?: Thumbnail;
  },
): FileRow {
  const id = nextFileId(world);
  const content = Buffer.isBuffer(of.content) ? keepBytes(world, id, '', of.content) : of.content;
  const sizes = of.thumbnail ? [thumbnail(world, id, of.thumbnail)] : [];
  return world.files.put({
    id,
    kind: 'document',
    date: of.date,
    dc: of.dc,
    mime: of.mime,
    content,
    sizes,
    attributes: of.attributes,
  });
}

/** One that the sandbox draws, one that was given, or a sticker's. */
type Thumbnail = { width: number; height: number } & ({ seed: number } | { bytes: Buffer } | { mime: 'image/webp' });

function thumbnail(world: World, fileId: number, of: Thumbnail): FileVariant {
  const { width, height } = of;
  if ('seed' in of) return picture('m', of.seed, width, height);
  if ('mime' in of) {
    const name = 'sticker-small.webp';
    const content = { form: 'sample', name, seed: 0, size: sampleSize(name) } as const;
    return { type: 'm', width, height, mime: of.mime, content };
  }
  return { type: 'm', width, height, content: keepBytes(world, fileId, 'm', of.bytes) };
}

/** A document's size in bytes. */
export function documentSize(file: FileRow): number {
  return file.content ? contentSize(file.content) : 0;
}

function picture(type: string, seed: number, width: number, height: number): FileVariant {
  return { type, width, height, content: { form: 'mosaic', seed, width, height } };
}

const firstFileId = 5_000_000_001;

export function nextFileId(world: World): number {
  const last = world.meta.get('lastFileId')?.value ?? firstFileId - 1;
  world.meta.put({ name: 'lastFileId', value: last + 1 });
  return last + 1;
}
