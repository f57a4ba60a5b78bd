import type { ChatwootClient } from '../chatwoot/chatwoot-client.ts';
import type { ChatwootAttachment, ChatwootMessage } from '../chatwoot/payloads.ts';

/** A body of `POST /message` without its recipient. */
export type MessageBody = Record<string, unknown>;

/** The gateway takes files of up to 10 MB in the request; larger ones it fetches by their URL. */
const maxInlineBytes = 10 * 1024 * 1024;
/** Telegram's limit of a caption, in UTF-16 units. */
const maxCaption = 1024;
/** What Telegram shows as a picture; other pictures are documents. */
const pictures = new Set(['image/jpeg', 'image/png', 'image/webp']);

/**
 * The messages that one message of an agent becomes: each file is one, with the text below the first one, or before it
 * where it has no room. The same message always gives the same parts: the gateway compares them under their keys.
 */
export function partsOf({
  content,
  attachments = [],
}: ChatwootMessage): { text: string; attachment: ChatwootAttachment | undefined }[] {
  const text = telegramMarkdown(content ?? '');
  const [first, ...others] = attachments;
  if (first === undefined) return text === '' ? [] : [{ text, attachment: undefined }];
  const hasRoom = first.file_type !== 'audio' && text.length <= maxCaption;
  const start =
    hasRoom || text === ''
      ? [{ text, attachment: first }]
      : [
          { text, attachment: undefined },
          { text: '', attachment: first },
        ];
  return [...start, ...others.map((attachment) => ({ text: '', attachment }))];
}

/** @throws {Problem} if the file cannot be fetched from Chatwoot */
export async function bodyOf(
  chatwoot: ChatwootClient,
  { text, attachment }: { text: string; attachment: ChatwootAttachment | undefined },
): Promise<MessageBody> {
  const caption = text === '' ? {} : { text, parseMode: 'markdown' };
  if (attachment === undefined) return { type: 'text', ...caption };
  const { bytes, mimetype, name } = await chatwoot.download(attachment.data_url);
  const source = bytes.length <= maxInlineBytes ? { data: bytes.toString('base64') } : { url: attachment.data_url };
  if (attachment.file_type === 'audio') return { type: 'voice', voice: source };
  // The real duration is read from the file.
  if (attachment.file_type === 'video')
    return { type: 'video', ...caption, video: { ...source, mimetype, duration: 1 } };
  if (mimetype === 'image/gif') return { type: 'animation', ...caption, animation: source };
  if (pictures.has(mimetype)) return { type: 'image', ...caption, image: { ...source, mimetype } };
  const document = {
    ...source,
    name: name || 'file',
    size: bytes.length,
    mimetype: mimetype || 'application/octet-stream',
  };
  return { type: 'document', ...caption, document };
}

/** Chatwoot writes CommonMark; the gateway's Markdown has `__` for italic and no escapes. */
export function telegramMarkdown(content: string): string {
  return content
    .replaceAll(/(?<![*\w\\])\*(?![*\s])([^*\n]+?)(?<![\s\\])\*(?![*\w])/g, '__$1__')
    .replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
    .replaceAll(/(?: {2}|\\)\n/g, '\n')
    .trim();
}
