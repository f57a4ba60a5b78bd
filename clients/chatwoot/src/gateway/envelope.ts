/** What the bridge reads of the gateway's events (docs/webhooks). */
export interface Envelope {
  id: string;
  seq: number;
  /** `seq` of the event before it that this reader wants. */
  previous: number;
  type: string;
  data: MessageData | DeletedData;
}

export interface MessageData {
  id: string;
  chatId: string;
  /** Written by the account's owner, on another device. */
  fromMe: boolean;
  /** The other side of a private chat. */
  user: { id: string; name: string; username: string; phone: string; picture: string };
  type: string;
  text: string;
  /** ID of the message that it replies to; empty if none. */
  replyTo: string;
  image?: MediaLink;
  video?: MediaLink;
  sticker?: MediaLink;
  audio?: MediaLink;
  voice?: MediaLink;
  document?: MediaLink;
  location?: { latitude: number; longitude: number; name: string; address: string };
  contact?: { name: string; phone: string };
  polling?: { name: string; options: string[] };
}

export interface MediaLink {
  url: string;
  mimetype: string;
  name?: string;
}

export interface DeletedData {
  chatId: string;
  messageIds: string[];
}

export const wantedEvents = ['message', 'message.edited', 'message.deleted'] as const;
