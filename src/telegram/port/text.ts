export interface FormattedText {
  text: string;
  entities: readonly TextEntity[];
}

/** Offsets and lengths in UTF-16 code units, as Telegram counts them. */
export type TextEntity = { offset: number; length: number } & (
  | {
      type: 'bold' | 'italic' | 'underline' | 'strikethrough' | 'spoiler' | 'code' | 'blockquote';
    }
  /** A quote that is shown shortened until it is tapped. */
  | { type: 'expandableBlockquote' }
  /** `id`: of the emoji's document, decimal. */
  | { type: 'customEmoji'; id: string }
  | { type: 'pre'; language: string }
  | { type: 'link'; url: string }
  | { type: 'mention'; userId: string }
);

export interface OutgoingMessage extends FormattedText {
  /** Message ID in the same chat. */
  replyTo?: number | undefined;
  /** The topic of a forum that it goes to. */
  topic?: number | undefined;
  silent?: boolean | undefined;
}
