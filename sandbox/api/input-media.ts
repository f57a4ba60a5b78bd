import { RpcError, type TlObject } from '../rpc.ts';
import { accessHash } from '../world/access-hash.ts';
import { addDocument, addGivenPhoto } from '../world/add-file.ts';
import { checkFileReference } from '../world/file-reference.ts';
import type { FileRow, MediaRow } from '../world/rows.ts';
import { takeUpload } from '../world/uploads.ts';
import type { Caller } from './caller.ts';

/** @throws {RpcError} 400 MEDIA_INVALID, FILE_PARTS_INVALID, FILE_PART_N_MISSING, FILE_REFERENCE_EXPIRED, … */
export function inputMedia(caller: Caller, media: TlObject): MediaRow {
  const { world, me } = caller;
  switch (media._) {
    case 'inputMediaUploadedPhoto': {
      const bytes = takeUpload(world, me.id, media['file'] as TlObject);
      const { width, height } = jpegSize(bytes);
      return { kind: 'photo', file: addGivenPhoto(world, { dc: me.dc, bytes, width, height, date: world.now() }).id };
    }
    case 'inputMediaUploadedDocument':
      return uploadedDocument(caller, media);
    case 'inputMediaPhoto':
      return { kind: 'photo', file: knownFile(caller, media['id'] as TlObject, 'photo').id };
    case 'inputMediaDocument':
      return { kind: 'document', file: knownFile(caller, media['id'] as TlObject, 'document').id };
    case 'inputMediaGeoPoint':
      return { kind: 'other', tl: { _: 'messageMediaGeo', geo: geoPoint(media['geo_point'] as TlObject) } };
    case 'inputMediaVenue': {
      const { title, address, provider, venue_id, venue_type } = media;
      const geo = geoPoint(media['geo_point'] as TlObject);
      return { kind: 'other', tl: { _: 'messageMediaVenue', geo, title, address, provider, venue_id, venue_type } };
    }
    case 'inputMediaContact': {
      const { phone_number, first_name, last_name, vcard } = media;
      const tl = { _: 'messageMediaContact', phone_number, first_name, last_name, vcard, user_id: 0n };
      return { kind: 'other', tl };
    }
    case 'inputMediaDice': {
      const value = 1 + ((world.random(1)[0] as number) % 6);
      return { kind: 'other', tl: { _: 'messageMediaDice', value, emoticon: media['emoticon'] } };
    }
    default:
      throw new RpcError(400, 'MEDIA_INVALID');
  }
}

function uploadedDocument({ world, me }: Caller, media: TlObject): MediaRow {
  const bytes = takeUpload(world, me.id, media['file'] as TlObject);
  const attributes = (media['attributes'] ?? []) as TlObject[];
  const of = { dc: me.dc, mime: media['mime_type'] as string, date: world.now(), content: bytes, attributes };
  const row: MediaRow = { kind: 'document', file: addDocument(world, of).id };
  const video = attributes.find(({ _: name }) => name === 'documentAttributeVideo');
  if (video) row.video = true;
  if (video?.['round_message']) row.round = true;
  if (attributes.some((attribute) => attribute._ === 'documentAttributeAudio' && attribute['voice'])) row.voice = true;
  return row;
}

function knownFile({ world, me }: Caller, input: TlObject, kind: FileRow['kind']): FileRow {
  const file = world.files.get(String(input['id']));
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

/** Reads the frame header. @throws {RpcError} 400 PHOTO_INVALID_DIMENSIONS */
export function jpegSize(bytes: Buffer): { width: number; height: number } {
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1] as number;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
  }
  throw new RpcError(400, 'PHOTO_INVALID_DIMENSIONS');
}
