/** A message as features read it, of any kind of chat; access hashes and file references stay behind the port. */
export interface ChatMessage {
  id: number;
  /** As the interface spells it: `1001`, `-2001`, `-1004001`. */
  chatId: string;
  /** Milliseconds since 1970. */
  created: number;
  edited?: number;
  fromMe: boolean;
  /** User ID of who wrote it, where Telegram says so. */
  senderId?: string;
  /** The text, or the caption of media; empty where there is none. */
  text: string;
  replyTo?: number;
  media?: MessageMedia;
}

/**
 * What a message carries. `hasThumbnail` where Telegram keeps a preview of the file, a picture to be fetched; durations in
 * seconds, sizes in bytes, names empty where a file has none. A video may be round, or without sound (GIF); a sticker
 * that is not animated is an image. A web page's preview is no media: the message is a text.
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
