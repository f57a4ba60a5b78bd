import { RpcError, type TlObject } from '../../rpc.ts';
import { accessHash, minAccessHash } from '../../world/access-hash.ts';
import { readContent, variantOf } from '../../world/files/file-content.ts';
import { checkFileReference } from '../../world/files/file-reference.ts';
import type { FileContent, FileRow } from '../../world/state/file-rows.ts';
import { peerKey } from '../../world/state/peer.ts';
import { inputPeer } from '../input/input-peer.ts';
import type { Caller, Method } from '../method.ts';

/** https://core.telegram.org/api/files#downloading-files */
const maxChunkBytes = 1_048_576;
const stepBytes = 4_096;
/** With the flag `precise`. */
const preciseStepBytes = 1_024;

/** What an `InputFileLocation` names. */
interface LocatedContent {
  file: FileRow;
  /** The size letter; empty for a document itself. */
  type: string;
  content: FileContent;
}

const getFile: Method = (params, caller) => {
  const { world, call } = caller;
  const located = locate(caller, params['location'] as TlObject);
  if (located.file.dc !== call.dc) throw new RpcError(303, `FILE_MIGRATE_${located.file.dc}`);
  const offset = Number(params['offset']);
  const limit = Number(params['limit']);
  requireLimits(offset, limit, (params['precise'] as boolean | undefined) ?? false);
  const { file, type, content } = located;
  return {
    _: 'upload.file',
    type: { _: storageType(type === '' ? file.mime : (variantOf(file, type)?.mime ?? 'image/jpeg')) },
    mtime: file.date,
    bytes: readContent(world, file, type, content, offset, limit),
  };
};

/** @throws {RpcError} 400 OFFSET_INVALID, 400 LIMIT_INVALID */
function requireLimits(offset: number, limit: number, precise: boolean): void {
  const multiple = precise ? preciseStepBytes : stepBytes;
  if (offset < 0 || offset % multiple !== 0) throw new RpcError(400, 'OFFSET_INVALID');
  if (limit <= 0 || limit > maxChunkBytes || limit % multiple !== 0) throw new RpcError(400, 'LIMIT_INVALID');
  if (!precise && maxChunkBytes % limit !== 0) throw new RpcError(400, 'LIMIT_INVALID');
  const isInOneBlock = Math.floor(offset / maxChunkBytes) === Math.floor((offset + limit - 1) / maxChunkBytes);
  if (!isInOneBlock) throw new RpcError(400, 'LIMIT_INVALID');
}

/** The content that a location names. @throws {RpcError} 400 LOCATION_INVALID, FILE_ID_INVALID, FILE_REFERENCE_EXPIRED, … */
export function locate(caller: Caller, location: TlObject): LocatedContent {
  switch (location._) {
    case 'inputPeerPhotoFileLocation':
      return locatePeerPhoto(caller, location);
    case 'inputPhotoFileLocation':
      return locatePhoto(caller, location);
    case 'inputDocumentFileLocation':
      return locateDocument(caller, location);
    default:
      throw new RpcError(400, 'LOCATION_INVALID');
  }
}

/** Profile photos need no file reference. The access hash of a `min` user is enough. */
function locatePeerPhoto(caller: Caller, location: TlObject): LocatedContent {
  const { world, me } = caller;
  const input = location['peer'] as TlObject;
  const isMinUser =
    input._ === 'inputPeerUser' &&
    input['access_hash'] === minAccessHash(world, me.id, 'user', Number(input['user_id']));
  const photoId = isMinUser ? world.tables.users.get(String(input['user_id']))?.photo : currentPhoto(caller, input);
  if (photoId === undefined || BigInt(photoId) !== location['photo_id']) throw new RpcError(400, 'LOCATION_INVALID');
  return locateVariant(caller, photoId, location['big'] ? 'c' : 'a');
}

function currentPhoto(caller: Caller, input: TlObject): number | undefined {
  const peer = inputPeer(caller, input);
  return peer.kind === 'user'
    ? caller.world.tables.users.get(peer.id)?.photo
    : caller.world.tables.chats.get(peerKey(peer))?.photo;
}

function locateVariant({ world }: Caller, fileId: number, type: string): LocatedContent {
  const file = world.tables.files.get(fileId);
  const variant = file && variantOf(file, type);
  if (!file || !variant) throw new RpcError(400, 'LOCATION_INVALID');
  return { file, type, content: variant.content };
}

function locatePhoto(caller: Caller, location: TlObject): LocatedContent {
  const file = requireFile(caller, location, 'photo');
  return locateVariant(caller, file.id, location['thumb_size'] as string);
}

function locateDocument(caller: Caller, location: TlObject): LocatedContent {
  const file = requireFile(caller, location, 'document');
  if (location['thumb_size']) return locateVariant(caller, file.id, location['thumb_size'] as string);
  if (!file.content) throw new RpcError(400, 'LOCATION_INVALID');
  return { file, type: '', content: file.content };
}

/** @throws {RpcError} 400 LOCATION_INVALID, FILE_ID_INVALID, FILE_REFERENCE_INVALID, FILE_REFERENCE_EXPIRED */
function requireFile({ world, me }: Caller, location: TlObject, kind: FileRow['kind']): FileRow {
  const file = world.tables.files.get(String(location['id']));
  if (!file || file.kind !== kind) throw new RpcError(400, 'FILE_ID_INVALID');
  if (location['access_hash'] !== accessHash(world, me.id, 'file', file.id))
    throw new RpcError(400, 'LOCATION_INVALID');
  const reference = checkFileReference(world, file.id, location['file_reference'] as Buffer);
  if (reference !== 'valid') throw new RpcError(400, `FILE_REFERENCE_${reference.toUpperCase()}`);
  return file;
}

function storageType(mime: string): string {
  const types: Record<string, string> = {
    'image/jpeg': 'storage.fileJpeg',
    'image/png': 'storage.filePng',
    'image/webp': 'storage.fileWebp',
    'video/mp4': 'storage.fileMp4',
    'audio/mpeg': 'storage.fileMp3',
    'application/pdf': 'storage.filePdf',
  };
  return types[mime] ?? 'storage.filePartial';
}

const saveFilePart: Method = (params, { world, me }) => {
  world.uploads.savePart(me, { file: params['file_id'], part: params['file_part'], bytes: params['bytes'] });
  return true;
};

const saveBigFilePart: Method = (params, { world, me }) => {
  const total = params['file_total_parts'] as number;
  world.uploads.savePart(me, { file: params['file_id'], part: params['file_part'], total, bytes: params['bytes'] });
  return true;
};

export const uploadMethods: Record<string, Method> = {
  'upload.getFile': getFile,
  'upload.saveFilePart': saveFilePart,
  'upload.saveBigFilePart': saveBigFilePart,
};
