import type { TlObject } from '../rpc.ts';
import { accessHash } from '../world/access-hash.ts';
import { documentSize } from '../world/add-file.ts';
import { makeFileReference } from '../world/file-reference.ts';
import { contentSize } from '../world/files.ts';
import type { FileRow } from '../world/rows.ts';
import type { World } from '../world/world.ts';

export function tlPhoto(world: World, viewer: number, file: FileRow): TlObject {
  return {
    _: 'photo',
    id: BigInt(file.id),
    access_hash: accessHash(world, viewer, 'file', file.id),
    file_reference: makeFileReference(world, file.id),
    date: file.date,
    sizes: tlSizes(file),
    dc_id: file.dc,
  };
}

export function tlDocument(world: World, viewer: number, file: FileRow): TlObject {
  return {
    _: 'document',
    id: BigInt(file.id),
    access_hash: accessHash(world, viewer, 'file', file.id),
    file_reference: makeFileReference(world, file.id),
    date: file.date,
    mime_type: file.mime,
    size: BigInt(documentSize(file)),
    thumbs: file.sizes.length > 0 ? tlSizes(file) : undefined,
    dc_id: file.dc,
    attributes: file.attributes ?? [],
  };
}

function tlSizes(file: FileRow): TlObject[] {
  return file.sizes.map(({ type, width, height, content }) => ({
    _: 'photoSize',
    type,
    w: width,
    h: height,
    size: contentSize(content),
  }));
}
