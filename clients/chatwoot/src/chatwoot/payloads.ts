/** What the bridge reads of Chatwoot's API and webhooks. Both write a message alike, but for its type and its time. */
export interface ChatwootMessage {
  id: number;
  content: string | null;
  /** In the API a number: 0 incoming, 1 outgoing, 2 activity, 3 template. In webhooks its name. */
  message_type: number | string;
  content_type?: string | null;
  content_attributes?: { in_reply_to?: number | null; deleted?: boolean } | null;
  private: boolean;
  /** Of the bridge's own messages: `telegram:CHAT:MESSAGE`. */
  source_id: string | null;
  /** Seconds in the API, ISO 8601 in webhooks. */
  created_at: number | string;
  attachments?: ChatwootAttachment[];
}

export interface ChatwootAttachment {
  file_type: string;
  /** Where the file is; needs no token. */
  data_url: string;
}

export interface ChatwootConversation {
  id: number;
  inbox_id: number;
  /** Seconds. */
  last_activity_at?: number;
  meta?: { sender?: { id: number; identifier: string | null } | null };
}

export interface ChatwootContact {
  id: number;
  identifier: string | null;
  contact_inboxes?: { source_id: string; inbox: { id: number } }[];
}

/** The body of a webhook of an inbox. */
export interface ChatwootEvent extends ChatwootMessage {
  event: string;
  inbox?: { id: number };
  account?: { id: number };
  conversation?: ChatwootConversation;
}
