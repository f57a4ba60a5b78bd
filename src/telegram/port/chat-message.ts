import type { TextEntity } from './text.ts';

/** A message of any kind of chat, as features see it. Access hashes and file references stay behind the port. */
export interface ChatMessage {
  id: number;
  /** As the interface writes it: `1001`, `-2001`, `-1004001`. */
  chatId: string;
  /** Milliseconds since 1970. */
  created: number;
  edited?: number;
  fromMe: boolean;
  /** User ID of the sender, if Telegram says it. */
  senderId?: string;
  /** The text, or the caption of media; empty if there is none. */
  text: string;
  /** Formatting of the text, if there is any. What Telegram finds in it by itself (addresses, @names, #tags) is left out. */
  entities?: TextEntity[];
  replyTo?: number;
  media?: MessageMedia;
}

/**
 * The media of a message. `hasThumbnail`: Telegram keeps a preview image of the file. Durations are in seconds, sizes in
 * bytes; a file without a name has an empty one. A video may be round, or without sound (GIF). A sticker that is not
 * animated is an image. A web page preview is no media: the message is a text.
 */
export type MessageMedia =
  | { kind: 'photo'; mimetype: string; hasThumbnail: boolean }
  | { kind: 'video'; mimetype: string; duration: number; hasThumbnail: boolean; name: string; size: number }
  | { kind: 'sticker'; mimetype: string; isAnimated: boolean; hasThumbnail: boolean; name: string; size: number }
  | { kind: 'audio' | 'voice'; mimetype: string; duration: number; name: string; size: number }
  | { kind: 'document'; mimetype: string; name: string; size: number }
  /** `state` is missing in events that earlier versions recorded. */
  | { kind: 'poll'; question: string; options: string[]; state?: PollState }
  | { kind: 'location'; latitude: number; longitude: number }
  | { kind: 'venue'; latitude: number; longitude: number; title: string; address: string }
  | { kind: 'contact'; phone: string; name: string; userId: string }
  | { kind: 'unsupported' };

/** What a poll is, and what became of it, as the account sees it. */
export interface PollState {
  /** Telegram's, decimal. */
  id: string;
  isMultiple: boolean;
  isQuiz: boolean;
  isClosed: boolean;
  /** How many have voted. */
  total: number;
  /** In the order of the options. Before the account has voted, Telegram tells no votes and no right answer of an open poll. */
  options: { votes?: number; isChosen: boolean; isCorrect: boolean }[];
  /** Why the right answer of a quiz is right; empty if there is none, or it is not told yet. */
  explanation: string;
}
