import type { TlObject } from '../rpc.ts';
import { documentSize } from '../world/files/add-file.ts';
import { contentSize, sha256Of } from '../world/files/file-content.ts';
import { redactedJson } from '../world/redact.ts';
import type { FileRow, FileVariant, MediaRow } from '../world/state/file-rows.ts';
import type { World } from '../world/world.ts';

type MediaDescription = Record<string, unknown>;

/** Media as JSON. With `hashes` each file has its SHA-256, for which it has to be read. */
export function describeMedia(world: World, media: MediaRow, hashes: boolean): MediaDescription {
  if (media.kind === 'other') return describeOther(media.tl);
  if (media.kind === 'poll') return describePoll(world, media.poll);
  const file = world.tables.files.get(media.file);
  if (!file) return { kind: media.kind };
  return media.kind === 'photo' ? describePhoto(world, file, hashes) : describeDocument(world, file, media, hashes);
}

function describePhoto(world: World, file: FileRow, hashes: boolean): MediaDescription {
  const largest = file.sizes.at(-1) as FileVariant;
  const preview = file.sizes.findLast(({ type }) => type === 'm' || type === 's');
  return {
    kind: 'photo',
    mime: file.mime,
    ...describeVariant(world, file, largest, hashes),
    thumbnail: preview && preview !== largest ? describeVariant(world, file, preview, hashes) : null,
  };
}

function describeVariant(world: World, file: FileRow, { type, width, height, content }: FileVariant, hashes: boolean) {
  const size = contentSize(content);
  return { size, width, height, ...(hashes ? { sha256: sha256Of(world, file, type, content) } : {}) };
}

function describeDocument(
  world: World,
  file: FileRow,
  media: Extract<MediaRow, { kind: 'document' }>,
  hashes: boolean,
): MediaDescription {
  const attribute = (name: string): TlObject | undefined => file.attributes?.find(({ _: type }) => type === name);
  const video = attribute('documentAttributeVideo');
  const audio = attribute('documentAttributeAudio');
  const playable = video ?? audio;
  const thumbnail = file.sizes.at(-1);
  return {
    kind: documentKind(media, file, attribute),
    mime: file.mime,
    size: documentSize(file),
    name: attribute('documentAttributeFilename')?.['file_name'] ?? '',
    ...(playable ? { duration: playable['duration'] } : {}),
    ...(video ? { width: video['w'], height: video['h'], streamable: video['supports_streaming'] ?? false } : {}),
    ...(audio ? { title: audio['title'] ?? '', performer: audio['performer'] ?? '' } : {}),
    ...(audio?.['waveform'] ? { waveform: waveformValues(audio['waveform'] as Buffer) } : {}),
    thumbnail: thumbnail ? describeVariant(world, file, thumbnail, hashes) : null,
    ...(hashes && file.content ? { sha256: sha256Of(world, file, '', file.content) } : {}),
  };
}

/** The values of a voice note's waveform, of 5 bits each. */
function waveformValues(packed: Buffer): number[] {
  const bits = [...packed].map((byte) => byte.toString(2).padStart(8, '0').split('').toReversed().join('')).join('');
  const values = bits.match(/.{5}/g) ?? [];
  return values.map((value) => Number.parseInt(value.split('').toReversed().join(''), 2));
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

function describePoll(world: World, id: string): MediaDescription {
  const poll = world.tables.polls.get(id);
  if (!poll) return { kind: 'poll' };
  const votes = Object.values(poll.votes);
  return {
    kind: 'poll',
    question: poll.question['text'],
    options: poll.answers.map(({ text }) => text['text']),
    votes: poll.answers.map((_answer, index) => votes.filter(({ answers }) => answers.includes(index)).length),
    closed: poll.closed ?? false,
    multiple: poll.multipleChoice ?? false,
    publicVoters: poll.publicVoters ?? false,
    quiz: poll.correct ? { correct: poll.correct[0], explanation: poll.solution ?? '' } : null,
  };
}

function describeOther(tl: TlObject): MediaDescription {
  const { _: name, ...fields } = tl;
  const place = () => ({ latitude: tl['geo'].lat, longitude: tl['geo'].long });
  switch (name) {
    case 'messageMediaGeo':
      return { kind: 'location', ...place() };
    case 'messageMediaVenue':
      return { kind: 'venue', ...place(), title: tl['title'], address: tl['address'] };
    case 'messageMediaContact': {
      const { phone_number: phone, first_name: firstName, last_name: lastName, user_id: userId } = tl;
      return { kind: 'contact', phone, firstName, lastName, userId: userId ? String(userId) : null };
    }
    case 'messageMediaWebPage':
      return { kind: 'webpage', url: tl['webpage'].url, title: tl['webpage'].title ?? '' };
    case 'messageMediaDice':
      return { kind: 'dice', emoji: tl['emoticon'], value: tl['value'] };
    default:
      return { kind: name, ...(redactedJson(fields) as MediaDescription) };
  }
}
