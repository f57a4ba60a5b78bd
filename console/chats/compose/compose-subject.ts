import type { MessageDoc } from '../../api/types.ts';

/** The message that the box to write in is about. */
export interface ComposeSubject {
  kind: 'reply' | 'edit';
  message: MessageDoc;
}

/** Telegram gives these no other text. */
const withoutText: ReadonlySet<string> = new Set(['sticker', 'poll', 'location', 'contact']);

/** Whether a message may have another text: one's own, of a type that has a text or a caption. */
export const isEditable = ({ fromMe, type }: MessageDoc): boolean => fromMe && !withoutText.has(type);
