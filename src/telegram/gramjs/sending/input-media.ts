import { Api } from 'telegram/tl/index.js';
import type { OutgoingFile, OutgoingMedia } from '../../port/outgoing.ts';

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

function videoAttribute({ duration, width, height }: OutgoingMedia & { kind: 'video' }): Api.DocumentAttributeVideo {
  return new Api.DocumentAttributeVideo({ supportsStreaming: true, duration, w: width, h: height });
}

/** The range of a signed 32-bit number. */
const maxDuration = 2 ** 31 - 1;

function audioAttribute({ duration, title, performer }: OutgoingMedia & { kind: 'audio' }): Api.DocumentAttributeAudio {
  return new Api.DocumentAttributeAudio({
    // Whole seconds, only here; 0 would mean unknown.
    duration: Math.min(Math.max(Math.round(duration), 1), maxDuration),
    ...(title !== undefined && { title }),
    ...(performer !== undefined && { performer }),
  });
}

function geoPoint({ latitude, longitude }: { latitude: number; longitude: number }): Api.InputGeoPoint {
  return new Api.InputGeoPoint({ lat: latitude, long: longitude });
}
