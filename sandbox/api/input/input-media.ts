import { RpcError, type TlObject } from '../../rpc.ts';
import { accessHash } from '../../world/access-hash.ts';
import { addDocument } from '../../world/files/add-file.ts';
import { checkFileReference } from '../../world/files/file-reference.ts';
import { maxPhotoBytes, readImageHeader, storePhoto } from '../../world/files/store-photo.ts';
import { findByPhone } from '../../world/find-peer.ts';
import type { FileRow, MediaRow } from '../../world/state/file-rows.ts';
import type { Caller } from '../method.ts';
import { inputPoll } from './input-poll.ts';

const maxThumbnailSide = 320;
const maxThumbnailBytes = 204_800;

/**
 * Reads an `InputMedia`: stores new files, finds known ones.
 * @throws {RpcError} 400 MEDIA_EMPTY, MEDIA_INVALID, FILE_PARTS_INVALID, FILE_PART_N_MISSING, FILE_REFERENCE_EXPIRED, …
 */
export function inputMedia(caller: Caller, media: TlObject): MediaRow | Promise<MediaRow> {
  const { world, me } = caller;
  switch (media._) {
    case 'inputMediaEmpty':
      throw new RpcError(400, 'MEDIA_EMPTY');
    case 'inputMediaUploadedPhoto':
      return uploadedPhoto(caller, media);
    case 'inputMediaUploadedDocument':
      return uploadedDocument(caller, media);
    case 'inputMediaPhoto':
      return { kind: 'photo', file: requireKnownFile(caller, media['id'] as TlObject, 'photo').id };
    case 'inputMediaDocument':
      return documentRow(requireKnownFile(caller, media['id'] as TlObject, 'document'));
    case 'inputMediaGeoPoint':
      return { kind: 'other', tl: { _: 'messageMediaGeo', geo: geoPoint(media['geo_point'] as TlObject) } };
    case 'inputMediaVenue': {
      const { title, address, provider, venue_id, venue_type } = media;
      const geo = geoPoint(media['geo_point'] as TlObject);
      return { kind: 'other', tl: { _: 'messageMediaVenue', geo, title, address, provider, venue_id, venue_type } };
    }
    case 'inputMediaContact': {
      const { phone_number, first_name, last_name, vcard } = media;
      const user_id = BigInt(findByPhone(world, me.id, phone_number as string)?.id ?? 0);
      const tl = { _: 'messageMediaContact', phone_number, first_name, last_name, vcard, user_id };
      return { kind: 'other', tl };
    }
    case 'inputMediaPoll':
      return inputPoll(caller, media);
    case 'inputMediaDice': {
      const value = 1 + ((world.random(1)[0] as number) % 6);
      return { kind: 'other', tl: { _: 'messageMediaDice', value, emoticon: media['emoticon'] } };
    }
    default:
      throw new RpcError(400, 'MEDIA_INVALID');
  }
}

async function uploadedPhoto({ world, me }: Caller, media: TlObject): Promise<MediaRow> {
  const { blob, size } = world.uploads.take(me, media['file'] as TlObject);
  if (size > maxPhotoBytes) throw new RpcError(400, 'PHOTO_SAVE_FILE_INVALID');
  const bytes = world.blobs.read(blob, 0, size);
  return { kind: 'photo', file: (await storePhoto(world, { dc: me.dc, bytes, date: world.now() })).id };
}

/** Telegram does not inspect the file: type, name and durations are the sender's. */
async function uploadedDocument(caller: Caller, media: TlObject): Promise<MediaRow> {
  const { world, me } = caller;
  const { blob, size } = world.uploads.take(me, media['file'] as TlObject);
  const thumb = media['thumb'] ? await uploadedThumbnail(caller, media['thumb'] as TlObject) : undefined;
  const attributes = (media['attributes'] ?? []) as TlObject[];
  const mime = (media['mime_type'] as string) || 'application/octet-stream';
  const content = { form: 'blob', size, name: blob } as const;
  const document = { dc: me.dc, mime, date: world.now(), content, attributes };
  return documentRow(addDocument(world, { ...document, ...(thumb ? { thumbnail: thumb } : {}) }));
}

/** The media of a document; its attributes say what it is. */
function documentRow({ id, attributes = [] }: FileRow): MediaRow {
  const row: MediaRow = { kind: 'document', file: id };
  const isSilent = attributes.some(({ _: name }) => /Animated|Sticker/.test(name));
  const video = attributes.find(({ _: name }) => name === 'documentAttributeVideo');
  if (video && !isSilent) row.video = true;
  if (video?.['round_message']) row.round = true;
  if (attributes.some((attribute) => attribute._ === 'documentAttributeAudio' && attribute['voice'])) row.voice = true;
  return row;
}

/** A JPEG of up to 200 KB and 320 pixels; undefined for anything else, which Telegram ignores too. */
async function uploadedThumbnail({ world, me }: Caller, input: TlObject) {
  const { blob, size } = world.uploads.take(me, input);
  if (size > maxThumbnailBytes) return undefined;
  const bytes = world.blobs.read(blob, 0, size);
  const { width, height, format } = await readImageHeader(bytes).catch(() => ({ width: 0, height: 0, format: '' }));
  return format === 'jpeg' && Math.max(width, height) <= maxThumbnailSide ? { width, height, bytes } : undefined;
}

function requireKnownFile({ world, me }: Caller, input: TlObject, kind: FileRow['kind']): FileRow {
  const file = world.tables.files.get(String(input['id']));
  if (!file || file.kind !== kind || input['access_hash'] !== accessHash(world, me.id, 'file', file.id)) {
    throw new RpcError(400, 'MEDIA_EMPTY');
  }
  const reference = checkFileReference(world, file.id, input['file_reference'] as Buffer);
  if (reference !== 'valid') throw new RpcError(400, `FILE_REFERENCE_${reference.toUpperCase()}`);
  return file;
}

function geoPoint(input: TlObject): TlObject {
  const lat = Number(input['lat']);
  const long = Number(input['long']);
  if (Math.abs(lat) > 90 || Math.abs(long) > 180) throw new RpcError(400, 'GEO_POINT_INVALID');
  return { _: 'geoPoint', lat, long, access_hash: 0n };
}
