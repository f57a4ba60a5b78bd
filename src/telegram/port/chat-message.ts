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
  | { kind: 'poll'; question: string; options: string[] }
  | { kind: 'location'; latitude: number; longitude: number }
  | { kind: 'venue'; latitude: number; longitude: number; title: string; address: string }
  | { kind: 'contact'; phone: string; name: string; userId: string }
  | { kind: 'unsupported' };
