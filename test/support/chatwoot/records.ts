/** What the stand-in keeps; the names are those of Chatwoot's database. */
export interface FileRecord {
  id: number;
  name: string;
  type: string;
  bytes: Buffer;
}

export interface MessageRecord {
  id: number;
  conversation: number;
  content: string;
  /** 0 incoming, 1 outgoing, 3 template. */
  type: number;
  private: boolean;
  sourceId: string | null;
  inReplyTo: number | null;
  /** Seconds. */
  createdAt: number;
  status: 'sent' | 'delivered' | 'read' | 'failed';
  error: string | null;
  files: FileRecord[];
}

export interface ContactRecord {
  id: number;
  name: string;
  identifier: string | null;
  phone: string | null;
  /** By inbox. */
  sources: Map<number, string>;
}

export interface ConversationRecord {
  id: number;
  contact: number;
  inbox: number;
  lastActivityAt: number;
}

const typeNames: Record<number, string> = { 0: 'incoming', 1: 'outgoing', 3: 'template' };

/** Chatwoot knows four kinds of files. */
function fileTypeOf(mimetype: string): string {
  return /^(image|audio|video)\//.exec(mimetype)?.[1] ?? 'file';
}

function attachmentsOf(url: string, { id, files }: MessageRecord): object[] {
  return files.map((file) => ({
    id: file.id,
    message_id: id,
    file_type: fileTypeOf(file.type),
    account_id: 1,
    extension: null,
    data_url: `${url}/rails/active_storage/blobs/redirect/${file.id}/${encodeURIComponent(file.name)}`,
    thumb_url: '',
    file_size: file.bytes.length,
  }));
}

/** A message as the API writes it. */
export function messageJson(url: string, message: MessageRecord): object {
  return {
    id: message.id,
    content: message.content,
    inbox_id: 7,
    conversation_id: message.conversation,
    message_type: message.type,
    content_type: 'text',
    status: message.status,
    content_attributes: attributesOf(message),
    created_at: message.createdAt,
    private: message.private,
    source_id: message.sourceId,
    ...(message.files.length > 0 ? { attachments: attachmentsOf(url, message) } : {}),
  };
}

const attributesOf = ({ inReplyTo, error }: MessageRecord): object => ({
  ...(inReplyTo === null ? {} : { in_reply_to: inReplyTo }),
  ...(error === null ? {} : { external_error: error }),
});

export function contactJson({ id, name, identifier, phone, sources }: ContactRecord): object {
  return {
    id,
    name,
    identifier,
    phone_number: phone,
    email: null,
    thumbnail: '',
    contact_inboxes: [...sources].map(([inbox, source]) => ({
      source_id: source,
      inbox: { id: inbox, channel_type: 'Channel::Api' },
    })),
  };
}

export function conversationJson({ id, inbox, lastActivityAt }: ConversationRecord, contact: ContactRecord): object {
  return {
    id,
    inbox_id: inbox,
    status: 'open',
    last_activity_at: lastActivityAt,
    meta: { sender: { id: contact.id, name: contact.name, identifier: contact.identifier }, channel: 'Channel::Api' },
  };
}

/** The body of the webhook `message_created`. */
export function webhookJson(
  url: string,
  message: MessageRecord,
  conversation: ConversationRecord,
  contact: ContactRecord,
): object {
  return {
    ...messageJson(url, message),
    message_type: typeNames[message.type],
    created_at: new Date(message.createdAt * 1000).toISOString(),
    event: 'message_created',
    account: { id: 1, name: 'Desk' },
    inbox: { id: conversation.inbox, name: 'Telegram' },
    conversation: {
      ...conversationJson(conversation, contact),
      channel: 'Channel::Api',
      can_reply: true,
      contact_inbox: {
        id: contact.id,
        contact_id: contact.id,
        inbox_id: conversation.inbox,
        source_id: contact.sources.get(conversation.inbox),
      },
    },
    sender:
      message.type === 0
        ? { id: contact.id, name: contact.name, type: 'contact' }
        : { id: 1, name: 'Agent', type: 'user' },
  };
}
