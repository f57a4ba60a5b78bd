import type { TlObject } from '../rpc.ts';
import { addDocument, addPhoto } from './add-file.ts';
import type { MediaRow } from './rows.ts';
import type { World } from './world.ts';

export const mediaKinds = [
  'photo',
  'video',
  'round',
  'gif',
  'audio',
  'voice',
  'document',
  'sticker',
  'animatedSticker',
  'poll',
  'location',
  'venue',
  'contact',
  'dice',
  'webpage',
] as const;
export type MediaKind = (typeof mediaKinds)[number];

export interface SampleOptions {
  dc: number;
  date: number;
  seed: number;
  /** Bytes of the file that is made; or the file itself. */
  size?: number | undefined;
  bytes?: Buffer | undefined;
  name?: string | undefined;
  mime?: string | undefined;
  width?: number | undefined;
  height?: number | undefined;
  /** Seconds. */
  duration?: number | undefined;
  latitude?: number | undefined;
  longitude?: number | undefined;
  title?: string | undefined;
  address?: string | undefined;
  phone?: string | undefined;
  url?: string | undefined;
  question?: string | undefined;
  options?: readonly string[] | undefined;
  emoji?: string | undefined;
  value?: number | undefined;
}

/** What a document of each kind is unless the caller says otherwise. `head`: the first bytes, which tell the type. */
const documents: Partial<
  Record<MediaKind, { mime: string; size: number; name?: string; head?: string; thumbnail?: boolean }>
> = {
  video: { mime: 'video/mp4', size: 240_000, head: '0000001c667479706d703432', thumbnail: true },
  round: { mime: 'video/mp4', size: 120_000, head: '0000001c667479706d703432', thumbnail: true },
  gif: { mime: 'video/mp4', size: 60_000, name: 'animation.mp4', head: '0000001c667479706d703432', thumbnail: true },
  audio: { mime: 'audio/mpeg', size: 180_000, name: 'song.mp3', head: '494433' },
  voice: { mime: 'audio/ogg', size: 20_000, head: '4f676753' },
  document: { mime: 'application/pdf', size: 48_000, name: 'paper.pdf', head: '255044462d312e34' },
  sticker: { mime: 'image/webp', size: 24_000, name: 'sticker.webp', head: '52494646', thumbnail: true },
  animatedSticker: {
    mime: 'application/x-tgsticker',
    size: 12_000,
    name: 'AnimatedSticker.tgs',
    head: '1f8b',
    thumbnail: true,
  },
};

/** Media of a kind, made by the sandbox itself or of given bytes. */
export function sampleMedia(world: World, kind: MediaKind, options: SampleOptions): MediaRow {
  const sample = documents[kind];
  if (sample) return document(world, kind, sample, options);
  if (kind === 'photo') {
    const { dc, seed, date, width = 1280, height = 960 } = options;
    return { kind: 'photo', file: addPhoto(world, { dc, seed, date, width, height }).id };
  }
  return { kind: 'other', tl: tlOther(kind, options) };
}

function document(
  world: World,
  kind: MediaKind,
  sample: NonNullable<(typeof documents)[MediaKind]>,
  options: SampleOptions,
): MediaRow {
  const head = sample.head ? { head: Buffer.from(sample.head, 'hex') } : {};
  const content =
    options.bytes ?? ({ form: 'noise', seed: options.seed, size: options.size ?? sample.size, ...head } as const);
  const file = addDocument(world, {
    dc: options.dc,
    date: options.date,
    mime: options.mime ?? sample.mime,
    content,
    attributes: attributes(kind, options, options.name ?? sample.name),
    ...(sample.thumbnail ? { thumbnail: { seed: options.seed, width: 320, height: 180 } } : {}),
  });
  const row: MediaRow = { kind: 'document', file: file.id };
  if (kind === 'video') row.video = true;
  if (kind === 'round') Object.assign(row, { video: true, round: true });
  if (kind === 'voice') row.voice = true;
  return row;
}

function attributes(kind: MediaKind, options: SampleOptions, name: string | undefined): TlObject[] {
  const { width = 1280, height = 720, duration = 12 } = options;
  const list: TlObject[] = [];
  if (kind === 'video')
    list.push({ _: 'documentAttributeVideo', supports_streaming: true, duration, w: width, h: height });
  if (kind === 'round') list.push({ _: 'documentAttributeVideo', round_message: true, duration, w: 384, h: 384 });
  if (kind === 'gif') {
    list.push(
      { _: 'documentAttributeVideo', nosound: true, duration: 3, w: 480, h: 270 },
      { _: 'documentAttributeAnimated' },
    );
  }
  if (kind === 'audio') {
    list.push({ _: 'documentAttributeAudio', duration, title: options.title ?? 'A song', performer: 'Nobody' });
  }
  if (kind === 'voice') list.push({ _: 'documentAttributeAudio', voice: true, duration, waveform: Buffer.alloc(63) });
  if (kind === 'sticker' || kind === 'animatedSticker') {
    list.push(
      { _: 'documentAttributeImageSize', w: 512, h: 512 },
      { _: 'documentAttributeSticker', alt: '🙂', stickerset: { _: 'inputStickerSetEmpty' } },
    );
  }
  if (name) list.push({ _: 'documentAttributeFilename', file_name: name });
  return list;
}

function tlOther(kind: MediaKind, options: SampleOptions): TlObject {
  const geo = {
    _: 'geoPoint',
    long: options.longitude ?? 13.377,
    lat: options.latitude ?? 52.516,
    access_hash: BigInt(options.seed),
  };
  switch (kind) {
    case 'location':
      return { _: 'messageMediaGeo', geo };
    case 'venue': {
      const place = { title: options.title ?? 'The workshop', address: options.address ?? '1 Bench Street' };
      return { _: 'messageMediaVenue', geo, ...place, provider: 'foursquare', venue_id: '', venue_type: '' };
    }
    case 'contact':
      return {
        _: 'messageMediaContact',
        phone_number: options.phone ?? '15550009999',
        first_name: options.name ?? 'Somebody',
        last_name: '',
        vcard: '',
        user_id: 0n,
      };
    case 'poll':
      return tlPoll(options);
    case 'webpage':
      return {
        _: 'messageMediaWebPage',
        webpage: {
          _: 'webPage',
          id: BigInt(options.seed),
          url: options.url ?? 'https://example.com/today',
          display_url: 'example.com/today',
          hash: 0,
          type: 'article',
          site_name: 'Example',
          title: options.title ?? 'Today',
          description: 'What happened today',
        },
      };
    default:
      return { _: 'messageMediaDice', value: options.value ?? 1 + (options.seed % 6), emoticon: options.emoji ?? '🎲' };
  }
}

function tlPoll(options: SampleOptions): TlObject {
  const plain = (text: string): TlObject => ({ _: 'textWithEntities', text, entities: [] });
  const answers = (options.options ?? ['Yes', 'No', 'Perhaps']).map((text, index) => ({
    _: 'pollAnswer',
    text: plain(text),
    option: Buffer.from([48 + index]),
  }));
  const question = plain(options.question ?? 'Shall we?');
  return {
    _: 'messageMediaPoll',
    poll: { _: 'poll', id: BigInt(options.seed), question, answers },
    results: { _: 'pollResults', total_voters: 0 },
  };
}
