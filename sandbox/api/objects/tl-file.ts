import type { TlObject } from '../../rpc.ts';
import { accessHash } from '../../world/access-hash.ts';
import { documentSize } from '../../world/files/add-file.ts';
import { contentSize } from '../../world/files/file-content.ts';
import { makeFileReference } from '../../world/files/file-reference.ts';
import type { FileRow } from '../../world/state/file-rows.ts';
import type { World } from '../../world/world.ts';

/** A photo with the access hash and file reference of one viewer. */
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

/** A document with the access hash and file reference of one viewer. */
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

/** At Telegram the largest size of a large photo is a progressive JPEG: it lists the size of each scan. */
const progressiveTypes: ReadonlySet<string> = new Set(['y', 'w']);

function tlSizes(file: FileRow): TlObject[] {
  return file.sizes.map((variant) => {
    const { type, width: w, height: h, content } = variant;
    const size = contentSize(content);
    const isLargest = file.kind === 'photo' && variant === file.sizes.at(-1);
    if (!isLargest || !progressiveTypes.has(type)) return { _: 'photoSize', type, w, h, size };
    const sizes = [0.1, 0.2, 0.4, 0.7, 1].map((share) => Math.ceil(size * share));
    return { _: 'photoSizeProgressive', type, w, h, sizes };
  });
}
