import { isOut } from '../api/tl-message.ts';
import type { TlObject } from '../rpc.ts';
import { documentSize } from '../world/add-file.ts';
import { describe } from '../world/call-log.ts';
import { contentSize, sha256Of } from '../world/files.ts';
import { markedPeerId } from '../world/peer.ts';
import type { FileRow, FileVariant, MediaRow, MessageRow } from '../world/rows.ts';
import type { World } from '../world/world.ts';
import { nameOf } from './lookup.ts';

/** A message as JSON. `hashes`: media with their SHA-256, which means reading them. */
export function describeMessage(world: World, viewer: number, row: MessageRow, hashes = true) {
  const from = row.from === undefined ? undefined : world.users.get(row.from);
  return {
    id: row.id,
    peer: markedPeerId(row.peer),
    from: from && !row.post ? { userId: String(from.id), name: nameOf(from) } : null,
    out: isOut(row, viewer),
    date: new Date(row.date * 1000).toISOString(),
    text: row.text,
    entities: (row.entities ?? []).map((entity) => describe(entity)),
    media: row.media ? { ...describeMedia(world, row.media, hashes), caption: row.text } : null,
    service: row.action ? row.action._ : null,
    replyTo: row.replyTo ?? null,
    silent: row.silent ?? false,
    edited: row.editDate === undefined ? null : new Date(row.editDate * 1000).toISOString(),
  };
}

function describeMedia(world: World, media: MediaRow, hashes: boolean): Record<string, unknown> {
  if (media.kind === 'other') return describeOther(media.tl);
  const file = world.files.get(media.file);
  if (!file) return { kind: media.kind };
  return media.kind === 'photo' ? describePhoto(world, file, hashes) : describeDocument(world, file, media, hashes);
}

function describePhoto(world: World, file: FileRow, hashes: boolean): Record<string, unknown> {
  const largest = file.sizes.at(-1) as FileVariant;
  return {
    kind: 'photo',
    mime: file.mime,
    size: contentSize(largest.content),
    width: largest.width,
    height: largest.height,
    ...(hashes ? { sha256: sha256Of(world, file, largest.type, largest.content) } : {}),
  };
}

function describeDocument(
  world: World,
  file: FileRow,
  media: Extract<MediaRow, { kind: 'document' }>,
  hashes: boolean,
): Record<string, unknown> {
  const attribute = (name: string): TlObject | undefined => file.attributes?.find(({ _: own }) => own === name);
  const video = attribute('documentAttributeVideo');
  const timed = video ?? attribute('documentAttributeAudio');
  return {
    kind: documentKind(media, file, attribute),
    mime: file.mime,
    size: documentSize(file),
    name: attribute('documentAttributeFilename')?.['file_name'] ?? '',
    ...(timed ? { duration: timed['duration'] } : {}),
    ...(video ? { width: video['w'], height: video['h'] } : {}),
    ...(hashes && file.content ? { sha256: sha256Of(world, file, '', file.content) } : {}),
  };
}

function documentKind(
  media: Extract<MediaRow, { kind: 'document' }>,
  file: FileRow,
  attribute: (name: string) => TlObject | undefined,
): string {
  if (media.round) return 'round';
  if (attribute('documentAttributeAnimated')) return 'gif';
  if (attribute('documentAttributeSticker')) return file.mime === 'image/webp' ? 'sticker' : 'animatedSticker';
  if (attribute('documentAttributeVideo')) return 'video';
  if (attribute('documentAttributeAudio')) return media.voice ? 'voice' : 'audio';
  return 'document';
}

const otherKinds: Record<string, string> = {
  messageMediaGeo: 'location',
  messageMediaVenue: 'venue',
  messageMediaContact: 'contact',
  messageMediaPoll: 'poll',
  messageMediaWebPage: 'webpage',
  messageMediaDice: 'dice',
};

function describeOther(tl: TlObject): Record<string, unknown> {
  const { _: name, ...fields } = tl;
  return { kind: otherKinds[name] ?? name, ...(describe(fields) as Record<string, unknown>) };
}
