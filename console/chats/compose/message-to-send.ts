import { recipientOf } from '../../api/recipient-of.ts';
import type { ChatDoc, MessageDoc } from '../../api/types.ts';

export const fileKinds = ['image', 'video', 'document'] as const;
export type FileKind = (typeof fileKinds)[number];

/** A file that the gateway fetches. */
export interface FileToSend {
  kind: FileKind;
  url: string;
}

export interface MessageToSend {
  text: string;
  /** Empty: it is no reply. */
  replyTo: string;
  file: FileToSend | undefined;
}

const mimetypes: Record<string, string> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  mkv: 'video/x-matroska',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  pdf: 'application/pdf',
  txt: 'text/plain',
  zip: 'application/zip',
};
const defaultMimetypes: Record<FileKind, string> = {
  image: 'image/jpeg',
  video: 'video/mp4',
  document: 'application/octet-stream',
};

/** The kind of file that the end of a URL suggests; a document if it says nothing. */
export function suggestedKind(url: string): FileKind {
  const [kind] = (mimetypes[extensionIn(url)] ?? '').split('/');
  return kind === 'image' || kind === 'video' ? kind : 'document';
}

/** The body of `POST /message`. */
export function messageBody(chat: Pick<ChatDoc, 'id' | 'kind'>, { text, replyTo, file }: MessageToSend): object {
  const shared = { ...recipientOf(chat), text, ...(replyTo !== '' && { replyTo }) };
  return file === undefined ? { ...shared, type: 'text' } : { ...shared, type: file.kind, [file.kind]: mediaOf(file) };
}

/** The body of `PATCH /message`. */
export const editBody = (chat: Pick<ChatDoc, 'id' | 'kind'>, { id }: MessageDoc, text: string): object => ({
  ...recipientOf(chat),
  messageId: id,
  text,
});

/** The gateway measures the size and the duration itself; the interface still asks for positive numbers. */
function mediaOf({ kind, url }: FileToSend): object {
  const mimetype = mimetypes[extensionIn(url)] ?? defaultMimetypes[kind];
  if (kind === 'image') return { url, mimetype };
  if (kind === 'video') return { url, mimetype, duration: 1 };
  return { url, mimetype, name: nameIn(url) || 'file', size: 1 };
}

function nameIn(url: string): string {
  const last = pathOf(url).split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

const extensionIn = (url: string): string => /\.(\w+)$/.exec(pathOf(url))?.[1]?.toLowerCase() ?? '';
const pathOf = (url: string): string => (URL.canParse(url) ? new URL(url).pathname : '');

/** An attempt to send a body, and the key that its repetitions use. */
export interface SendAttempt {
  body: string;
  key: string;
}

/** A repetition of the last failed attempt has its key; another body has a new one. */
export function attemptWith(last: SendAttempt | undefined, body: object, newKey: () => string): SendAttempt {
  const text = JSON.stringify(body);
  return last?.body === text ? last : { body: text, key: newKey() };
}

/** 128 random bits. `crypto.randomUUID` is there on https and this machine only. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
