import { Api } from 'telegram/tl/index.js';
import type { OutgoingFile, OutgoingMedia, OutgoingPoll, OutgoingVideo } from '../../port/outgoing.ts';
import { long } from '../peers/text-entities.ts';
import { packWaveform } from './pack-waveform.ts';

/** The media of a request. Files are uploaded on the way. */
export async function inputMedia(
  media: OutgoingMedia,
  upload: (file: OutgoingFile) => Promise<Api.TypeInputFile>,
): Promise<Api.TypeInputMedia> {
  switch (media.kind) {
    case 'photo':
      return new Api.InputMediaUploadedPhoto({ file: await upload(media.file) });
    case 'video':
      return uploadedDocument(media.file, upload, {
        attributes: [videoAttribute(media)],
        // Telegram would turn a silent video into an animation.
        nosoundVideo: true,
        ...(media.thumbnail && { thumb: await upload(media.thumbnail) }),
      });
    case 'audio':
      return uploadedDocument(media.file, upload, { attributes: [audioAttribute(media)] });
    case 'document':
      return uploadedDocument(media.file, upload, { forceFile: true });
    case 'location':
      return new Api.InputMediaGeoPoint({ geoPoint: geoPoint(media) });
    case 'venue': {
      const { title, address } = media;
      // The venue belongs to no directory of places.
      const nowhere = { provider: '', venueId: '', venueType: '' };
      return new Api.InputMediaVenue({ geoPoint: geoPoint(media), title, address, ...nowhere });
    }
    case 'contact': {
      const { phone: phoneNumber, firstName, lastName } = media;
      return new Api.InputMediaContact({ phoneNumber, firstName, lastName, vcard: '' });
    }
    case 'voice':
      return uploadedDocument(media.file, upload, { attributes: [voiceAttribute(media)] });
    case 'videoNote':
      return uploadedDocument(media.file, upload, {
        attributes: [videoAttribute(media, { roundMessage: true })],
        nosoundVideo: true,
        ...(media.thumbnail && { thumb: await upload(media.thumbnail) }),
      });
    case 'animation':
      return uploadedDocument(media.file, upload, {
        attributes: [videoAttribute(media), new Api.DocumentAttributeAnimated()],
        ...(media.thumbnail && { thumb: await upload(media.thumbnail) }),
      });
    case 'sticker':
      return uploadedDocument(media.file, upload, { attributes: stickerAttributes(media) });
    case 'poll':
      return inputPoll(media);
  }
}

type DocumentFields = ConstructorParameters<typeof Api.InputMediaUploadedDocument>[0];

async function uploadedDocument(
  file: OutgoingFile,
  upload: (file: OutgoingFile) => Promise<Api.TypeInputFile>,
  { attributes = [], ...fields }: Partial<DocumentFields>,
): Promise<Api.InputMediaUploadedDocument> {
  return new Api.InputMediaUploadedDocument({
    file: await upload(file),
    mimeType: file.mimetype,
    attributes: [...attributes, new Api.DocumentAttributeFilename({ fileName: file.name })],
    ...fields,
  });
}

function videoAttribute(
  { duration, width, height }: OutgoingVideo,
  more: { roundMessage?: boolean } = {},
): Api.DocumentAttributeVideo {
  return new Api.DocumentAttributeVideo({ supportsStreaming: true, duration, w: width, h: height, ...more });
}

function stickerAttributes({
  width,
  height,
  duration,
}: OutgoingMedia & { kind: 'sticker' }): Api.TypeDocumentAttribute[] {
  const sticker = new Api.DocumentAttributeSticker({ alt: '', stickerset: new Api.InputStickerSetEmpty() });
  const size = { w: width, h: height };
  return duration === undefined
    ? [new Api.DocumentAttributeImageSize(size), sticker]
    : [new Api.DocumentAttributeVideo({ ...size, duration }), sticker];
}

/** The options are named by their places. */
function inputPoll({ question, options, multiple, quiz }: OutgoingPoll): Api.InputMediaPoll {
  const plain = (text: string): Api.TextWithEntities => new Api.TextWithEntities({ text, entities: [] });
  const named = (place: number): Buffer => Buffer.from(String(place));
  const poll = new Api.Poll({
    id: long(0n),
    question: plain(question),
    answers: options.map((text, place) => new Api.PollAnswer({ text: plain(text), option: named(place) })),
    ...(multiple && { multipleChoice: true }),
    ...(quiz && { quiz: true }),
  });
  if (quiz === undefined) return new Api.InputMediaPoll({ poll });
  const { correct, explanation } = quiz;
  const solution = explanation === '' ? {} : { solution: explanation, solutionEntities: [] };
  return new Api.InputMediaPoll({ poll, correctAnswers: [named(correct)], ...solution });
}

/** The range of a signed 32-bit number. */
const maxDuration = 2 ** 31 - 1;

function audioAttribute({ duration, title, performer }: OutgoingMedia & { kind: 'audio' }): Api.DocumentAttributeAudio {
  return new Api.DocumentAttributeAudio({
    duration: wholeSeconds(duration),
    ...(title !== undefined && { title }),
    ...(performer !== undefined && { performer }),
  });
}

function voiceAttribute({ duration, waveform }: OutgoingMedia & { kind: 'voice' }): Api.DocumentAttributeAudio {
  return new Api.DocumentAttributeAudio({
    voice: true,
    duration: wholeSeconds(duration),
    waveform: packWaveform(waveform),
  });
}

/** Sound alone is counted in whole seconds; 0 would mean unknown. */
const wholeSeconds = (duration: number): number => Math.min(Math.max(Math.round(duration), 1), maxDuration);

function geoPoint({ latitude, longitude }: { latitude: number; longitude: number }): Api.InputGeoPoint {
  return new Api.InputGeoPoint({ lat: latitude, long: longitude });
}
