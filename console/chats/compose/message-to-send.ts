import { recipientOf } from '../../api/recipient-of.ts';
import type { ChatDoc, MessageDoc } from '../../api/types.ts';
import { mimetypeIn, nameIn } from '../../parts/file-url.ts';
import { textHtml } from '../text/text-html.ts';

export const fileKinds = ['image', 'video', 'document'] as const;
export type FileKind = (typeof fileKinds)[number];

/** A file that the gateway fetches from a URL, or one of this device. */
export interface FileToSend {
  kind: FileKind;
  url: string;
  chosen?: File | undefined;
}

/** A file of this device that the gateway has by now. */
export interface PostedFile {
  id: string;
  size: number;
}

export interface MessageToSend {
  text: string;
  /** Empty: it is no reply. */
  replyTo: string;
  file: FileToSend | undefined;
  /** Of a chosen file. */
  uploaded?: PostedFile | undefined;
  /** Of a forum; empty: none is named. */
  topic?: string;
}

const defaultMimetypes: Record<FileKind, string> = {
  image: 'image/jpeg',
  video: 'video/mp4',
  document: 'application/octet-stream',
};

/** The kind of file that the end of a URL suggests; a document if it says nothing. */
export const suggestedKind = (url: string): FileKind => kindOf(mimetypeIn(url));

/** What a file of this type is sent as. */
export function kindOf(mimetype: string): FileKind {
  const [kind] = mimetype.split('/');
  return kind === 'image' || kind === 'video' ? kind : 'document';
}

/** The body of `POST /message`. */
export function messageBody(chat: Pick<ChatDoc, 'id' | 'kind'>, message: MessageToSend): object {
  const { text, replyTo, file, uploaded, topic = '' } = message;
  const shared = { ...recipientOf(chat), text, ...(replyTo !== '' && { replyTo }), ...(topic !== '' && { topic }) };
  if (file === undefined) return { ...shared, type: 'text' };
  const { kind } = file;
  return {
    ...shared,
    type: kind,
    [kind]: file.chosen && uploaded ? chosenMedia(kind, file.chosen, uploaded) : mediaOf(file),
  };
}

/** The body of `PATCH /message`. */
export function editBody(
  chat: Pick<ChatDoc, 'id' | 'kind'>,
  { id }: MessageDoc,
  { text, entities }: Pick<MessageDoc, 'text' | 'entities'>,
): object {
  const where = { ...recipientOf(chat), messageId: id };
  return entities.length === 0 ? { ...where, text } : { ...where, text: textHtml(text, entities), parseMode: 'html' };
}

/** The gateway measures the size and the duration itself; the interface still asks for positive numbers. */
function mediaOf({ kind, url }: FileToSend): object {
  const mimetype = mimetypeIn(url) || defaultMimetypes[kind];
  if (kind === 'image') return { url, mimetype };
  if (kind === 'video') return { url, mimetype, duration: 1 };
  return { url, mimetype, name: nameIn(url) || 'file', size: 1 };
}

function chosenMedia(kind: FileKind, { name, type }: File, { id, size }: PostedFile): object {
  const mimetype = type || defaultMimetypes[kind];
  if (kind === 'image') return { file: id, mimetype };
  if (kind === 'video') return { file: id, mimetype, duration: 1 };
  return { file: id, mimetype, name, size };
}

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
