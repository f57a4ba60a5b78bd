import type { MessageRecipient, ParseMode } from '../../api/types.ts';
import { mimetypeIn, nameIn } from '../../parts/file-url.ts';

/** The types that the form sends, and their names. An album is several of these: the API has it. */
export const draftTypes = {
  text: 'Text',
  image: 'Photo',
  video: 'Video',
  audio: 'Music',
  document: 'File',
  voice: 'Voice note',
  videoNote: 'Round video',
  animation: 'Animation',
  sticker: 'Sticker',
  location: 'Location',
  contact: 'Contact',
  poll: 'Poll',
} as const;
export type DraftType = keyof typeof draftTypes;

const fileTypes = ['image', 'video', 'audio', 'document', 'voice', 'videoNote', 'animation', 'sticker'] as const;
export type DraftFileType = (typeof fileTypes)[number];
export const isFileType = (type: DraftType): type is DraftFileType => fileTypes.some((one) => one === type);
const textless: ReadonlySet<DraftType> = new Set(['sticker', 'videoNote', 'location', 'contact', 'poll']);
/** Whether a message of this type has a text, or a caption. */
export const hasText = (type: DraftType): boolean => !textless.has(type);

/** What the form holds: texts as they are typed; empty: left out. */
export interface Draft {
  recipient: MessageRecipient;
  type: DraftType;
  text: string;
  parseMode: ParseMode | '';
  /** Where the gateway fetches the file, unless one of this device is chosen. */
  url: string;
  latitude: string;
  longitude: string;
  /** Of a place or a contact. */
  name: string;
  /** Of a place. */
  address: string;
  phone: string;
  question: string;
  /** One a line. */
  options: string;
  replyTo: string;
  isSilent: boolean;
}

/** A file of this device that the gateway has by now. */
interface KeptFile {
  id: string;
  name: string;
  type: string;
  size: number;
}

const defaultMimetypes: Partial<Record<DraftFileType, string>> = {
  image: 'image/jpeg',
  video: 'video/mp4',
  audio: 'audio/mpeg',
  document: 'application/octet-stream',
};

/** The body of `POST /message`. @param file instead of the URL */
export function draftBody(draft: Draft, file?: KeptFile): object {
  const { recipient, type, text, parseMode, replyTo, isSilent } = draft;
  return {
    [recipient.kind]: recipient.value.trim(),
    type,
    ...(hasText(type) && text !== '' && { text, ...(parseMode !== '' && { parseMode }) }),
    ...contentOf(draft, file),
    ...(replyTo.trim() !== '' && { replyTo: replyTo.trim() }),
    ...(isSilent && { silent: true }),
  };
}

function contentOf(draft: Draft, file: KeptFile | undefined): object {
  const { type, latitude, longitude, name, address, phone, question, options } = draft;
  if (isFileType(type)) return { [type]: mediaOf(type, draft.url, file) };
  if (type === 'location') {
    const place = Object.entries({ name, address }).filter(([, value]) => value.trim() !== '');
    return {
      location: { latitude: Number(latitude), longitude: Number(longitude), ...Object.fromEntries(place) },
    };
  }
  if (type === 'contact') return { contact: { name, phone } };
  if (type === 'poll') return { poll: { question, options: options.split('\n').filter((line) => line.trim() !== '') } };
  return {};
}

/** The gateway measures size and duration itself; the interface still asks for positive numbers. */
function mediaOf(type: DraftFileType, url: string, file: KeptFile | undefined): object {
  const source = file === undefined ? { url } : { file: file.id };
  const byDefault = defaultMimetypes[type];
  // What is converted needs nothing but its bytes.
  if (byDefault === undefined) return source;
  const mimetype = (file === undefined ? mimetypeIn(url) : file.type) || byDefault;
  if (type === 'image') return { ...source, mimetype };
  if (type !== 'document') return { ...source, mimetype, duration: 1 };
  return { ...source, mimetype, name: file?.name ?? (nameIn(url) || 'file'), size: file?.size ?? 1 };
}
