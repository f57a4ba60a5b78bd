import { extensionOf } from '../media/links/extension.ts';
import type { ChatMessage, MessageMedia } from '../telegram/port/chat-message.ts';
import type { MediaRef } from '../telegram/port/files.ts';

/** A media link to a file of the chat; `ext` without the dot. */
export type LinkTo = (ref: MediaRef, ext: string) => string;

/** The content of a channel message in the interface's form. */
export type MessageContent = { text: string } & (
  | { type: 'text' }
  | { type: 'image'; image: { url: string; thumbnail: string; mimetype: string } }
  | { type: 'video'; video: { url: string; thumbnail: string; duration: number; mimetype: string } }
  | { type: 'sticker'; sticker: { url: string; mimetype: string } }
  | { type: 'document'; document: { url: string; name: string; size: number; mimetype: string } }
  | { type: 'poll'; polling: { name: string; options: string[] } }
);

/** The text of unsupported media without a caption. */
const unsupportedText = 'UNSUPPORTED TYPE';
/** The format of Telegram's previews. */
const previewExtension = 'jpg';
/** Previews of stickers keep their transparency. */
const stickerExtension = 'webp';
const stickerMimetype = 'image/webp';

/** The kinds of CH3. Links and previews that do not exist are empty. */
export function messageContent({ id, chatId, text, media }: ChatMessage, linkTo: LinkTo): MessageContent {
  const link = (variant: MediaRef['variant'], ext: string): string =>
    linkTo({ chatId, messageId: String(id), variant }, ext);
  const thumbnail = (of: { hasThumbnail: boolean }): string => (of.hasThumbnail ? link('thumb', previewExtension) : '');
  switch (media?.kind) {
    case undefined:
      return { type: 'text', text };
    case 'photo': {
      const { mimetype } = media;
      const image = { url: link('photo', extensionOf(mimetype)), thumbnail: thumbnail(media), mimetype };
      return { type: 'image', text, image };
    }
    case 'video': {
      const { duration, mimetype } = media;
      const url = link('file', extensionOf(mimetype, media.name));
      return { type: 'video', text, video: { url, thumbnail: thumbnail(media), duration, mimetype } };
    }
    case 'sticker':
      return { type: 'sticker', text, sticker: stickerOf(media, link) };
    case 'audio':
    case 'voice':
    case 'document': {
      const { name, size, mimetype } = media;
      const ext = extensionOf(mimetype, name);
      const document = { url: link('file', ext), name: name === '' ? `${media.kind}.${ext}` : name, size, mimetype };
      return { type: 'document', text, document };
    }
    case 'poll':
      return { type: 'poll', text, polling: { name: media.question, options: media.options } };
    default:
      return { type: 'text', text: text === '' ? unsupportedText : text };
  }
}

/** An animated or video sticker is represented by its preview. */
function stickerOf(
  { mimetype, isAnimated, hasThumbnail }: MessageMedia & { kind: 'sticker' },
  link: (variant: MediaRef['variant'], ext: string) => string,
): { url: string; mimetype: string } {
  if (!isAnimated) return { url: link('file', extensionOf(mimetype)), mimetype };
  return { url: hasThumbnail ? link('file', stickerExtension) : '', mimetype: stickerMimetype };
}
