// Made of docs/openapi.json and docs/webhooks: npm run openapi. Not to be edited.
import type { CallOptions, FileContent, KeyedCallOptions, SocketOptions } from '../calls/call-options.ts';
import type { Pages } from '../calls/pages.ts';
import type { SessionChange } from '../streams/session-change.ts';

/** The kind of an error, as the gateway names it: `docs/errors.md`. */
export type ErrorCode = "invalid_header" | "invalid_recipient" | "chat_not_found" | "phone_not_found" | "message_not_found" | "file_not_found" | "file_too_large" | "idempotency_key_reused" | "external_id_taken" | "webhook_off" | "login_refused" | "login_not_expected" | "invalid_code" | "code_expired" | "invalid_password" | "method_refused" | "invalid_request" | "invalid_api_key" | "host_not_allowed" | "origin_not_allowed" | "scope_required" | "chat_not_allowed" | "account_not_allowed" | "chat_required" | "forbidden" | "session_not_found" | "not_found" | "method_not_allowed" | "request_timeout" | "body_too_large" | "wrong_content_type" | "range_not_satisfiable" | "expectation_failed" | "upgrade_required" | "headers_too_large" | "too_many_files" | "telegram_wait" | "pace_reached" | "limit_reached" | "too_many_requests" | "session_not_active" | "session_not_connected" | "telegram_error" | "telegram_timeout" | "telegram_unreachable" | "node_lost" | "outcome_unknown" | "file_not_downloaded" | "file_not_usable" | "internal_error" | "store_unavailable" | "starting" | "shutting_down" | "overloaded" | "unavailable";

export interface ErrorBody {
  statusCode: number;
  /** Several validation messages are joined by a line feed. */
  message: string;
}

export interface Session {
  /** Main ID of the session. */
  id: string;
  /** User ID of the logged-in account. Empty if it has never connected. */
  generatedId: string;
  /** Account name. Falls back to username, phone or ID when empty. */
  name: string;
  /** Account username without @. Empty if none. */
  username: string;
  /** Account phone number. */
  phone: string;
  /** The secret of the session, as the caller sent it. */
  sessionId: string;
  /** True when logged in and connected. */
  isConnected: boolean;
  /** QR image as base64 PNG, without a data: prefix. Changes about every 30 seconds. Empty in every other state. */
  qrcode: string;
  /** True when the QR was scanned and the two-step password is awaited. */
  isPasswordRequired: boolean;
  /** Password hint set on Telegram. May be empty. */
  passwordHint: string;
  /** True when a login code was sent and is awaited. */
  isCodeRequired: boolean;
  /** How the code was sent: to the app, as a text message, by a call, to an e-mail address, or by Fragment. */
  codeSentTo: "" | "app" | "sms" | "call" | "email" | "fragment";
  /** Small profile photo as a data URI. May be empty. */
  picture: string;
  /** Both empty while the webhook is off. */
  webhook: {
    url: string;
    token: string;
  };
  /** As given by the caller. */
  metadata?: Record<string, string>;
  /** The caller’s own ID of the session. Left out if it has none. */
  externalId?: string;
  /** The caller’s own name for the session. Left out if it has none. */
  label?: string;
  /** The proxy, without its user name, password or secret. */
  proxy?: {
    /** `socks5://host:port`, `http://host:port` or `tg://proxy?server=…`. Empty while there is no proxy. */
    url: string;
  };
}

export interface CreatedSession {
  /** Main ID of the session. */
  id: string;
  /** User ID of the logged-in account. Empty if it has never connected. */
  generatedId: string;
  /** Account name. Falls back to username, phone or ID when empty. */
  name: string;
  /** Account username without @. Empty if none. */
  username: string;
  /** Account phone number. */
  phone: string;
  /** The secret of the session, as the caller sent it. */
  sessionId: string;
  /** True when logged in and connected. */
  isConnected: boolean;
  /** QR image as base64 PNG, without a data: prefix. Changes about every 30 seconds. Empty in every other state. */
  qrcode: string;
  /** True when the QR was scanned and the two-step password is awaited. */
  isPasswordRequired: boolean;
  /** Password hint set on Telegram. May be empty. */
  passwordHint: string;
  /** True when a login code was sent and is awaited. */
  isCodeRequired: boolean;
  /** How the code was sent: to the app, as a text message, by a call, to an e-mail address, or by Fragment. */
  codeSentTo: "" | "app" | "sms" | "call" | "email" | "fragment";
  /** Small profile photo as a data URI. May be empty. */
  picture: string;
  /** Both empty while the webhook is off. */
  webhook: {
    url: string;
    token: string;
  };
  /** As given by the caller. */
  metadata?: Record<string, string>;
  /** The caller’s own ID of the session. Left out if it has none. */
  externalId?: string;
  /** The caller’s own name for the session. Left out if it has none. */
  label?: string;
  /** The proxy, without its user name, password or secret. */
  proxy?: {
    /** `socks5://host:port`, `http://host:port` or `tg://proxy?server=…`. Empty while there is no proxy. */
    url: string;
  };
  /** When the session was created. ISO 8601. */
  created: string;
  /** When its state ends by itself. ISO 8601, or empty. */
  expires: string;
}

export interface SessionSummary {
  id: string;
  state: "qrPending" | "codeRequired" | "passwordRequired" | "connected" | "disconnected" | "deleted";
  /** Start of the state. ISO 8601. */
  since: string;
  /** Reason of the state: `logged-in`, `qr-timeout`, `SESSION_REVOKED`, … */
  reason: string;
  /** When the state ends by itself. ISO 8601, or empty. */
  deadline: string;
  /** When the session was created. ISO 8601. */
  created: string;
  /** The caller’s own ID of the session. Empty if it has none. */
  externalId: string;
  /** The caller’s own name for the session. Empty if it has none. */
  label: string;
  hasWebhook: boolean;
  /** The tenant of the key that created it; empty without one. */
  tenant: string;
  /** An event of the session cannot be read: requests of its owner get `session not found` (500), and no deadline ends it. It is active again after a start that can read the event. */
  held: boolean;
}

export interface Key {
  /** ID of the key. */
  id: string;
  /** Recorded with all that the key does. */
  name: string;
  scopes: Array<"sessions:create" | "sessions:read" | "sessions:control" | "accounts" | "raw" | "strings" | "metrics" | "keys">;
  /** The only tenant whose sessions the key sees; empty without one. */
  tenant: string;
  /** When it was issued. ISO 8601. */
  created: string;
  /** Who issued it: `owner`, or the name of a key. */
  by: string;
  /** When it ends by itself. ISO 8601, or empty. */
  expires: string;
  /** When it was revoked. ISO 8601, or empty. */
  revoked: string;
  /** How much it may use; what is left out has no limit. */
  limits: {
    /** Live sessions that the key has created. */
    sessions?: number;
    /** Messages in a day, in UTC. */
    sendsPerDay?: number;
  };
  /** IDs of the only chats in which it uses accounts; empty: all of them. */
  chats: string[];
  state: "active" | "expired" | "revoked";
}

export interface OperatorWebhook {
  /** ID of the webhook. */
  id: string;
  url: string;
  events: Array<"session.qr" | "session.password" | "session.code" | "session.connected" | "session.disconnected" | "session.login-lost" | "session.reset" | "session.deleted">;
  /** The tenant whose sessions it is told of; empty: all sessions. */
  tenant: string;
  /** When it was added. ISO 8601. */
  created: string;
  /** Who set it last: `owner`, or the name of a key. */
  by: string;
  /** Whether it gets nothing, because that key is revoked or has expired. */
  paused: boolean;
  /** Events that have not been delivered yet. */
  pending: number;
  /** When an event was delivered last. ISO 8601, or empty. */
  lastDelivered: string;
  /** Why the last failed attempt failed. Empty if none has failed. */
  lastError: string;
  /** When it failed. ISO 8601, or empty. */
  lastFailed: string;
  /** When the next attempt of a failed delivery is due. Empty if none is waiting. ISO 8601, or empty. */
  nextAttempt: string;
  /** Events that were given up after 24 hours. */
  parked: number;
}

export interface SessionUsage {
  /** In UTC: `2026-11-25`. */
  day: string;
  /** Of the session; empty if it has none. */
  tenant: string;
  /** ID of the key; empty without one. */
  key: string;
  /** Its name; empty without one. */
  keyName: string;
  /** Session ID. */
  session: string;
  sends: {
    /** Messages and stories that Telegram has. */
    ok: number;
    /** Those that could not be sent. */
    failed: number;
  };
  deliveries: {
    /** Events that webhooks took. */
    ok: number;
    /** Attempts that failed. */
    failed: number;
    /** Deliveries that were given up. */
    parked: number;
  };
  /** Bytes of files that were sent, and of files that viewers of media links got. */
  mediaBytes: number;
  /** How long the session lived on that day, in the row of the key that created it. */
  sessionHours: number;
}

export interface Link {
  /** ID of the link. */
  id: string;
  /** `used`: the account of its session was connected. */
  state: "open" | "used" | "withdrawn" | "expired";
  /** The caller’s own ID of its session. Empty if it has none. */
  externalId: string;
  /** The caller’s own name for its session. Empty if it has none. */
  label: string;
  /** The tenant of the key that made it; empty without one. */
  tenant: string;
  /** When it was made. ISO 8601. */
  created: string;
  /** Who made it: `owner`, or the name of a key. */
  by: string;
  /** When it ends by itself. ISO 8601. */
  expires: string;
  /** When it was used up or withdrawn. ISO 8601, or empty. */
  ended: string;
  /** ID of the session that it has shown last; empty before the customer has pressed the button. */
  session: string;
  /** How many sessions it has made, up to 10. */
  sessionsMade: number;
}

export interface CustomerView {
  /** `waiting`: there is no session; `used`: the account is connected, and the link is used up. */
  state: "waiting" | "qrPending" | "codeRequired" | "passwordRequired" | "connected" | "disconnected" | "used";
  /** When the state ends by itself. ISO 8601, or empty. */
  deadline: string;
  /** QR image as base64 PNG; empty in every state but `qrPending`. */
  qrcode: string;
  codeSentTo: "" | "app" | "sms" | "call" | "email" | "fragment";
  /** How many more sessions the link can make. */
  sessionsLeft: number;
}

export interface AuditEntry {
  /** Place in the session's log, from 1. */
  seq: number;
  /** The fact: `LoggedIn`, `ConnectionLost`, … */
  type: string;
  /** When it was recorded. ISO 8601. */
  created: string;
  state: "qrPending" | "codeRequired" | "passwordRequired" | "connected" | "disconnected" | "deleted";
  /** Why the session was in that state. */
  reason: string;
  /** With further details, which depend on the type of the event. */
  data: {
    from: "qrPending" | "codeRequired" | "passwordRequired" | "connected" | "disconnected" | "deleted" | null;
    /** Since when the session was in that state. ISO 8601. */
    since: string;
    deadlines: Array<{
      type: string;
      /** When it fires. ISO 8601. */
      due: string;
    }>;
    /** Who caused it: `owner`, the name of a key, `session`, `telegram` or `gateway`. Older events lack it. */
    by?: string;
    /** Which node of the gateway caused it. Only with `by: gateway`. */
    node?: string;
  };
}

export interface SendEntry {
  /** Place in the log of the session's sends, from 1. */
  seq: number;
  /** It began: Telegram is called next. Or its response was recorded: it was sent. */
  type: "SendBegun" | "SendAnswered";
  /** When it was recorded. ISO 8601. */
  created: string;
  /** The same for all that is recorded of one send. Made from the `Idempotency-Key`, which it does not tell. */
  send: string;
  /** Who sent: `owner`, the name of a key, or `session`. Only as it begins. */
  by?: string;
  /** The request: `POST /message`. Only as it begins. */
  operation?: string;
}

export interface PastSession {
  seq: number;
  /** When the last event before that moment was recorded. ISO 8601. */
  created: string;
  state: "qrPending" | "codeRequired" | "passwordRequired" | "connected" | "disconnected" | "deleted";
  /** Start of the state. ISO 8601. */
  since: string;
  reason: string;
  deadlines: Array<{
    type: string;
    /** When it fires. ISO 8601. */
    due: string;
  }>;
  /** The Session object of a moment, without QR and token. */
  session: {
    /** Main ID of the session. */
    id: string;
    /** User ID of the logged-in account. Empty if it has never connected. */
    generatedId: string;
    /** Account name. Falls back to username, phone or ID when empty. */
    name: string;
    /** Account username without @. Empty if none. */
    username: string;
    /** Account phone number. */
    phone: string;
    /** True when logged in and connected. */
    isConnected: boolean;
    /** QR image as base64 PNG, without a data: prefix. Changes about every 30 seconds. Empty in every other state. */
    qrcode: string;
    /** True when the QR was scanned and the two-step password is awaited. */
    isPasswordRequired: boolean;
    /** Password hint set on Telegram. May be empty. */
    passwordHint: string;
    /** True when a login code was sent and is awaited. */
    isCodeRequired: boolean;
    /** How the code was sent: to the app, as a text message, by a call, to an e-mail address, or by Fragment. */
    codeSentTo: "" | "app" | "sms" | "call" | "email" | "fragment";
    /** Small profile photo as a data URI. May be empty. */
    picture: string;
    /** Both empty while the webhook is off. */
    webhook: {
      url: string;
      token: string;
    };
    /** As given by the caller. */
    metadata?: Record<string, string>;
    /** The caller’s own ID of the session. Left out if it has none. */
    externalId?: string;
    /** The caller’s own name for the session. Left out if it has none. */
    label?: string;
    /** The proxy, without its user name, password or secret. */
    proxy?: {
      /** `socks5://host:port`, `http://host:port` or `tg://proxy?server=…`. Empty while there is no proxy. */
      url: string;
    };
  };
}

export interface Account {
  /** User ID. Usable as `user` in Send Message. */
  id: string;
  name: string;
  /** Without @. Empty if none. */
  username: string;
  /** Empty unless shared with the account. */
  phone: string;
  /** Media link: the small profile photo, until there is another one; empty if none. */
  picture: string;
  /** What the account says about itself. */
  about: string;
  isPremium: boolean;
}

export interface Device {
  /** `0` for this session. */
  id: string;
  /** It is this session. */
  isCurrent: boolean;
  model: string;
  platform: string;
  app: string;
  /** When it logged in. ISO 8601. */
  created: string;
  /** When it was last active. ISO 8601. */
  active: string;
  ip: string;
  country: string;
}

export interface User {
  /** User ID. Usable as `user` in Send Message. */
  id: string;
  name: string;
  /** Without @. Empty if none. */
  username: string;
  /** Empty unless shared with the account. */
  phone: string;
  /** Media link: the small profile photo, until there is another one; empty if none. */
  picture: string;
}

export interface Person {
  /** User ID. Usable as `user` in Send Message. */
  id: string;
  name: string;
  /** Without @. Empty if none. */
  username: string;
  /** Empty unless shared with the account. */
  phone: string;
  /** Media link: the small profile photo, until there is another one; empty if none. */
  picture: string;
  /** What they say about themselves. */
  about: string;
  isBot: boolean;
  isContact: boolean;
  /** The account has blocked them. */
  isBlocked: boolean;
  isPremium: boolean;
}

export interface Chat {
  /** Chat ID. Usable as `user`, `group` or `channel` in Send Message. */
  id: string;
  kind: "user" | "bot" | "group" | "channel";
  name: string;
  /** Without @. Empty if none. */
  username: string;
  /** Media link: the small photo, until there is another one; empty if none. */
  picture: string;
  /** Messages that were not read yet. */
  unread: number;
  muted: boolean;
  pinned: boolean;
  archived: boolean;
  /** The newest message; null if there is none, or it only says what happened in the chat. */
  last: Message | null;
}

export interface Message {
  /** Message ID. */
  id: string;
  /** The chat. */
  chatId: string;
  /** The account wrote it, here or elsewhere. */
  fromMe: boolean;
  /** The other side of a private chat, whichever side wrote; else who wrote. */
  user: {
    /** User ID, or the ID of the chat that wrote. */
    id: string;
    name: string;
    /** Without @. Empty if none. */
    username: string;
    /** Empty unless shared with the account. */
    phone: string;
    /** Media link: the small profile photo, until there is another one; empty if none. */
    picture: string;
  };
  type: "text" | "image" | "video" | "sticker" | "audio" | "voice" | "document" | "poll" | "location" | "contact";
  /** Message text, or the caption of media. */
  text: string;
  /** Formatting of `text`, by offset. What Telegram finds in it by itself (addresses, @names, #tags) is left out. */
  entities: Array<{
    type: "bold" | "italic" | "underline" | "strikethrough" | "spoiler" | "code" | "pre" | "blockquote" | "expandable_blockquote" | "text_link" | "text_mention" | "custom_emoji";
    /** In UTF-16 code units, as `length`. */
    offset: number;
    length: number;
    /** Of a `text_link`. */
    url?: string;
    /** Of a `text_mention`. */
    userId?: string;
    /** Of a `pre`; empty if it names none. */
    language?: string;
    /** Of a `custom_emoji`. */
    customEmojiId?: string;
  }>;
  image?: {
    /** Media link: the largest size. */
    url: string;
    /** Media link: about 800 pixels; empty when none is kept. */
    thumbnail: string;
    mimetype: string;
  };
  video?: {
    /** Media link: the video. */
    url: string;
    /** Media link: 320 pixels; empty when none is kept. */
    thumbnail: string;
    /** Seconds. */
    duration: number;
    mimetype: string;
  };
  sticker?: {
    /** Media link: the sticker. */
    url: string;
    mimetype: string;
  };
  audio?: {
    /** Media link: the music. */
    url: string;
    name: string;
    /** Seconds. */
    duration: number;
    /** Bytes. */
    size: number;
    mimetype: string;
  };
  voice?: {
    /** Media link: the voice note. */
    url: string;
    /** Seconds. */
    duration: number;
    /** Bytes. */
    size: number;
    mimetype: string;
  };
  document?: {
    /** Media link: the file. */
    url: string;
    name: string;
    /** Bytes. */
    size: number;
    mimetype: string;
  };
  polling?: {
    /** The question. */
    name: string;
    options: string[];
  };
  poll?: {
    /** Poll ID. */
    id: string;
    question: string;
    options: Array<{
      text: string;
      /** null: Telegram does not tell before the account has voted, or the poll is closed. */
      votes: number | null;
      /** The account voted for it. */
      chosen: boolean;
      /** The right answer of a quiz, as soon as Telegram tells it. */
      correct: boolean;
    }>;
    /** How many have voted. */
    total: number;
    /** A voter may choose several options. */
    multiple: boolean;
    quiz: boolean;
    closed: boolean;
    /** Of a quiz, as soon as Telegram tells it; else empty. */
    explanation: string;
  };
  location?: {
    latitude: number;
    longitude: number;
    /** Of a venue; empty for a plain pin. */
    name: string;
    /** Of a venue; empty for a plain pin. */
    address: string;
  };
  contact?: {
    name: string;
    phone: string;
    /** Empty if they are not on Telegram. */
    userId: string;
  };
  /** ID of the message that it replies to; empty if none. */
  replyTo: string;
  /** When it was sent. ISO 8601. */
  created: string;
  /** The forum's topic; empty outside of forums. */
  topic: string;
  reactions: Array<{
    /** Empty for a custom emoji. */
    emoji: string;
    count: number;
    /** The account reacted so. */
    fromMe: boolean;
  }>;
  /** Rows of inline buttons. */
  buttons: Array<Array<{
    text: string;
    /** Empty unless it opens one. */
    url: string;
  }>>;
  /** When it was edited. ISO 8601, or empty. */
  edited: string;
}

export interface Invite {
  link: string;
  /** Only administrators see it. */
  name: string;
  /** When it was made. ISO 8601. */
  created: string;
  /** Until when it can be used. ISO 8601, or empty. */
  expires: string;
  /** How many may join with it; 0: any number. */
  limit: number;
  /** How many have joined with it. */
  uses: number;
  /** An administrator lets each of them in. */
  approval: boolean;
}

export interface Group {
  /** -123… for basic groups, -100… for supergroups. */
  id: string;
  name: string;
  /** Public username without @. Empty for private groups and basic groups. */
  username: string;
  /** Cached for 5 minutes. */
  description: string;
  /** Small group photo as a data URI. May be empty. */
  picture: string;
  /** When the account joined. ISO 8601. */
  created: string;
}

export interface GroupMember {
  /** User ID. Usable as `user` in Send Message and Send Typing. */
  id: string;
  /** If empty, filled with username, phone or ID. */
  name: string;
  username: string;
  /** Empty unless the member shared it with the account. */
  phone: string;
}

export interface Channel {
  /** -100… */
  id: string;
  name: string;
  /** Public username without @. Empty for private channels. */
  username: string;
  /** Small photo as a data URI. May be empty. */
  picture: string;
  /** True when the account created or administers the channel. */
  isOwner: boolean;
  /** When the account joined. ISO 8601. */
  created: string;
}

export interface ChannelMessage {
  /** Message ID. */
  id: string;
  /** Message ID as a number. Higher is newer. */
  serverId: number;
  /** Link to the message; of private channels for members only. */
  url: string;
  type: "text" | "image" | "video" | "sticker" | "document" | "poll";
  /** Message text, or the caption of media. */
  text: string;
  image?: {
    /** Media link: the largest size, up to 2560 pixels. */
    url: string;
    /** Media link: about 800 pixels. */
    thumbnail: string;
    mimetype: string;
  };
  video?: {
    /** Media link: the video. */
    url: string;
    /** Media link: 320 pixels; empty when none is kept. */
    thumbnail: string;
    /** Seconds. */
    duration: number;
    mimetype: string;
  };
  sticker?: {
    /** Media link: the sticker. */
    url: string;
    mimetype: string;
  };
  document?: {
    /** Media link: the file. */
    url: string;
    name: string;
    /** Bytes. */
    size: number;
    mimetype: string;
  };
  polling?: {
    /** The question. */
    name: string;
    options: string[];
  };
  /** When it was sent. ISO 8601. */
  created: string;
}

export type Recipient = {
  /** A group, by ID or username. */
  group: string;
} | {
  /** A channel, by ID or username. */
  channel: string;
} | {
  /** A user ID. */
  user: string;
} | {
  /** A username. */
  username: string;
} | {
  /** A phone number, with the country code. */
  phone: string;
};

export type TextOutgoingMessage = Recipient & {
  type: "text";
  /** Must not be blank. */
  text: string;
  parseMode?: "markdown" | "html";
  replyTo?: string;
  /** Of a forum: the ID of a topic. 1 is General. */
  topic?: string;
  silent?: boolean;
  /** When Telegram sends it: up to a year ahead, with a zone. Left out: now. */
  sendAt?: string;
};

export type ImageOutgoingMessage = Recipient & {
  type: "image";
  /** Must not be blank. */
  text?: string;
  parseMode?: "markdown" | "html";
  /** Exactly one of url, data, file. */
  image: {
    /** An http or https URL. */
    url?: string;
    /** Base64 of at most 10485760 bytes. */
    data?: string;
    file?: string;
    mimetype: string;
    thumbnail?: string;
  };
  replyTo?: string;
  /** Of a forum: the ID of a topic. 1 is General. */
  topic?: string;
  silent?: boolean;
  /** When Telegram sends it: up to a year ahead, with a zone. Left out: now. */
  sendAt?: string;
};

export type VideoOutgoingMessage = Recipient & {
  type: "video";
  /** Must not be blank. */
  text?: string;
  parseMode?: "markdown" | "html";
  /** Exactly one of url, data, file. */
  video: {
    /** An http or https URL. */
    url?: string;
    /** Base64 of at most 10485760 bytes. */
    data?: string;
    file?: string;
    mimetype: string;
    duration: number;
    /** An http or https URL. */
    thumbnail?: string;
  };
  replyTo?: string;
  /** Of a forum: the ID of a topic. 1 is General. */
  topic?: string;
  silent?: boolean;
  /** When Telegram sends it: up to a year ahead, with a zone. Left out: now. */
  sendAt?: string;
};

export type AudioOutgoingMessage = Recipient & {
  type: "audio";
  /** Must not be blank. */
  text?: string;
  parseMode?: "markdown" | "html";
  /** Exactly one of url, data, file. */
  audio: {
    /** An http or https URL. */
    url?: string;
    /** Base64 of at most 10485760 bytes. */
    data?: string;
    file?: string;
    mimetype: string;
    duration: number;
  };
  replyTo?: string;
  /** Of a forum: the ID of a topic. 1 is General. */
  topic?: string;
  silent?: boolean;
  /** When Telegram sends it: up to a year ahead, with a zone. Left out: now. */
  sendAt?: string;
};

export type DocumentOutgoingMessage = Recipient & {
  type: "document";
  /** Must not be blank. */
  text?: string;
  parseMode?: "markdown" | "html";
  /** Exactly one of url, data, file. */
  document: {
    /** An http or https URL. */
    url?: string;
    /** Base64 of at most 10485760 bytes. */
    data?: string;
    file?: string;
    /** Must not be blank. */
    name: string;
    size: number;
    mimetype: string;
  };
  replyTo?: string;
  /** Of a forum: the ID of a topic. 1 is General. */
  topic?: string;
  silent?: boolean;
  /** When Telegram sends it: up to a year ahead, with a zone. Left out: now. */
  sendAt?: string;
};

export type LocationOutgoingMessage = Recipient & {
  type: "location";
  /** Must not be blank. */
  text?: string;
  parseMode?: "markdown" | "html";
  location: {
    /** Must not be 0. */
    latitude: number;
    /** Must not be 0. */
    longitude: number;
    name?: string;
    address?: string;
  };
  replyTo?: string;
  /** Of a forum: the ID of a topic. 1 is General. */
  topic?: string;
  silent?: boolean;
  /** When Telegram sends it: up to a year ahead, with a zone. Left out: now. */
  sendAt?: string;
};

export type ContactOutgoingMessage = Recipient & {
  type: "contact";
  /** Must not be blank. */
  text?: string;
  parseMode?: "markdown" | "html";
  contact: {
    /** Must not be blank. */
    name: string;
    phone: string;
  };
  replyTo?: string;
  /** Of a forum: the ID of a topic. 1 is General. */
  topic?: string;
  silent?: boolean;
  /** When Telegram sends it: up to a year ahead, with a zone. Left out: now. */
  sendAt?: string;
};

export type VoiceOutgoingMessage = Recipient & {
  type: "voice";
  /** Must not be blank. */
  text?: string;
  parseMode?: "markdown" | "html";
  /** Exactly one of url, data, file. */
  voice: {
    /** An http or https URL. */
    url?: string;
    /** Base64 of at most 10485760 bytes. */
    data?: string;
    file?: string;
  };
  replyTo?: string;
  /** Of a forum: the ID of a topic. 1 is General. */
  topic?: string;
  silent?: boolean;
  /** When Telegram sends it: up to a year ahead, with a zone. Left out: now. */
  sendAt?: string;
};

export type VideoNoteOutgoingMessage = Recipient & {
  type: "videoNote";
  /** Must not be blank. */
  text?: string;
  parseMode?: "markdown" | "html";
  /** Exactly one of url, data, file. */
  videoNote: {
    /** An http or https URL. */
    url?: string;
    /** Base64 of at most 10485760 bytes. */
    data?: string;
    file?: string;
  };
  replyTo?: string;
  /** Of a forum: the ID of a topic. 1 is General. */
  topic?: string;
  silent?: boolean;
  /** When Telegram sends it: up to a year ahead, with a zone. Left out: now. */
  sendAt?: string;
};

export type AnimationOutgoingMessage = Recipient & {
  type: "animation";
  /** Must not be blank. */
  text?: string;
  parseMode?: "markdown" | "html";
  /** Exactly one of url, data, file. */
  animation: {
    /** An http or https URL. */
    url?: string;
    /** Base64 of at most 10485760 bytes. */
    data?: string;
    file?: string;
  };
  replyTo?: string;
  /** Of a forum: the ID of a topic. 1 is General. */
  topic?: string;
  silent?: boolean;
  /** When Telegram sends it: up to a year ahead, with a zone. Left out: now. */
  sendAt?: string;
};

export type StickerOutgoingMessage = Recipient & {
  type: "sticker";
  /** Must not be blank. */
  text?: string;
  parseMode?: "markdown" | "html";
  /** Exactly one of url, data, file. */
  sticker: {
    /** An http or https URL. */
    url?: string;
    /** Base64 of at most 10485760 bytes. */
    data?: string;
    file?: string;
  };
  replyTo?: string;
  /** Of a forum: the ID of a topic. 1 is General. */
  topic?: string;
  silent?: boolean;
  /** When Telegram sends it: up to a year ahead, with a zone. Left out: now. */
  sendAt?: string;
};

export type PollOutgoingMessage = Recipient & {
  type: "poll";
  /** Must not be blank. */
  text?: string;
  parseMode?: "markdown" | "html";
  poll: {
    /** Must not be blank. */
    question: string;
    options: string[];
    /** A voter may choose several options. */
    multiple?: boolean;
    quiz?: {
      /** Place of the right option, counted from 0. */
      correct: number;
      explanation?: string;
    };
  };
  replyTo?: string;
  /** Of a forum: the ID of a topic. 1 is General. */
  topic?: string;
  silent?: boolean;
  /** When Telegram sends it: up to a year ahead, with a zone. Left out: now. */
  sendAt?: string;
};

export interface ImageAlbumItem {
  type: "image";
  /** Exactly one of url, data, file. */
  image: {
    /** An http or https URL. */
    url?: string;
    /** Base64 of at most 10485760 bytes. */
    data?: string;
    file?: string;
    mimetype: string;
    thumbnail?: string;
  };
}

export interface VideoAlbumItem {
  type: "video";
  /** Exactly one of url, data, file. */
  video: {
    /** An http or https URL. */
    url?: string;
    /** Base64 of at most 10485760 bytes. */
    data?: string;
    file?: string;
    mimetype: string;
    duration: number;
    /** An http or https URL. */
    thumbnail?: string;
  };
}

export interface AudioAlbumItem {
  type: "audio";
  /** Exactly one of url, data, file. */
  audio: {
    /** An http or https URL. */
    url?: string;
    /** Base64 of at most 10485760 bytes. */
    data?: string;
    file?: string;
    mimetype: string;
    duration: number;
  };
}

export interface DocumentAlbumItem {
  type: "document";
  /** Exactly one of url, data, file. */
  document: {
    /** An http or https URL. */
    url?: string;
    /** Base64 of at most 10485760 bytes. */
    data?: string;
    file?: string;
    /** Must not be blank. */
    name: string;
    size: number;
    mimetype: string;
  };
}

export type AlbumItem = ImageAlbumItem | VideoAlbumItem | AudioAlbumItem | DocumentAlbumItem;

export type AlbumOutgoingMessage = Recipient & {
  type: "album";
  /** Must not be blank. */
  text?: string;
  parseMode?: "markdown" | "html";
  album: {
    items: AlbumItem[];
  };
  replyTo?: string;
  /** Of a forum: the ID of a topic. 1 is General. */
  topic?: string;
  silent?: boolean;
  /** When Telegram sends it: up to a year ahead, with a zone. Left out: now. */
  sendAt?: string;
};

export type OutgoingMessage = TextOutgoingMessage | ImageOutgoingMessage | VideoOutgoingMessage | AudioOutgoingMessage | DocumentOutgoingMessage | LocationOutgoingMessage | ContactOutgoingMessage | VoiceOutgoingMessage | VideoNoteOutgoingMessage | AnimationOutgoingMessage | StickerOutgoingMessage | PollOutgoingMessage | AlbumOutgoingMessage;

export type RecipientButChannel = {
  /** A group, by ID or username. */
  group: string;
} | {
  /** A user ID. */
  user: string;
} | {
  /** A username. */
  username: string;
} | {
  /** A phone number, with the country code. */
  phone: string;
};

export interface ImageStory {
  type: "image";
  text?: string;
  parseMode?: "markdown" | "html";
  /** Exactly one of url, data, file. */
  image: {
    /** An http or https URL. */
    url?: string;
    /** Base64 of at most 10485760 bytes. */
    data?: string;
    file?: string;
    mimetype: string;
    thumbnail?: string;
  };
  privacy?: "contacts" | "everyone" | "close_friends";
  period?: 6 | 12 | 24 | 48;
}

export interface VideoStory {
  type: "video";
  text?: string;
  parseMode?: "markdown" | "html";
  /** Exactly one of url, data, file. */
  video: {
    /** An http or https URL. */
    url?: string;
    /** Base64 of at most 10485760 bytes. */
    data?: string;
    file?: string;
    mimetype: string;
    duration: number;
    /** An http or https URL. */
    thumbnail?: string;
  };
  privacy?: "contacts" | "everyone" | "close_friends";
  period?: 6 | 12 | 24 | 48;
}

export type Story = ImageStory | VideoStory;

/** Each event, by its type. */
export interface Events {
  /** The account has entered a group or channel. */
  'chat.joined': {
    /** Of the event: the same whenever it is sent again, and in the header `webhook-id`. */
    id: string;
    /** Number of the session's event, from 1 and without a gap; 0 of a test. */
    seq: number;
    /** The `seq` of the event before it for the same receiver; 0 if there is none. Another one is missing. */
    previous: number;
    type: "chat.joined";
    /** When it was recorded. ISO 8601. */
    created: string;
    session: {
      /** Main ID of the session. */
      id: string;
      /** User ID of the account in which it happened. */
      generatedId: string;
      /** The caller's own ID of the session. Left out if it has none. */
      externalId?: string;
    };
    data: {
      /** ID of the chat, as `user`, `group` or `channel` takes it. */
      chatId: string;
      kind: "user" | "bot" | "group" | "channel";
      /** Of the group or channel. */
      name: string;
      /** Who did it. All empty if Telegram does not say. */
      by: {
        id: string;
        name: string;
        /** Without @. Empty if none. */
        username: string;
        /** Empty unless shared with the account. */
        phone: string;
        /** Media link: the small profile photo, until there is another one; empty if none. */
        picture: string;
      };
    };
  };
  /** The account has left a group or channel, or was removed. */
  'chat.left': {
    /** Of the event: the same whenever it is sent again, and in the header `webhook-id`. */
    id: string;
    /** Number of the session's event, from 1 and without a gap; 0 of a test. */
    seq: number;
    /** The `seq` of the event before it for the same receiver; 0 if there is none. Another one is missing. */
    previous: number;
    type: "chat.left";
    /** When it was recorded. ISO 8601. */
    created: string;
    session: {
      /** Main ID of the session. */
      id: string;
      /** User ID of the account in which it happened. */
      generatedId: string;
      /** The caller's own ID of the session. Left out if it has none. */
      externalId?: string;
    };
    data: {
      /** ID of the chat, as `user`, `group` or `channel` takes it. */
      chatId: string;
      kind: "user" | "bot" | "group" | "channel";
      /** Of the group or channel. */
      name: string;
      /** Who did it. All empty if Telegram does not say. */
      by: {
        id: string;
        name: string;
        /** Without @. Empty if none. */
        username: string;
        /** Empty unless shared with the account. */
        phone: string;
        /** Media link: the small profile photo, until there is another one; empty if none. */
        picture: string;
      };
    };
  };
  /** A member of a group or channel has changed. */
  'chat.member': {
    /** Of the event: the same whenever it is sent again, and in the header `webhook-id`. */
    id: string;
    /** Number of the session's event, from 1 and without a gap; 0 of a test. */
    seq: number;
    /** The `seq` of the event before it for the same receiver; 0 if there is none. Another one is missing. */
    previous: number;
    type: "chat.member";
    /** When it was recorded. ISO 8601. */
    created: string;
    session: {
      /** Main ID of the session. */
      id: string;
      /** User ID of the account in which it happened. */
      generatedId: string;
      /** The caller's own ID of the session. Left out if it has none. */
      externalId?: string;
    };
    data: {
      /** ID of the chat, as `user`, `group` or `channel` takes it. */
      chatId: string;
      /** The member. All empty if Telegram does not say. */
      user: {
        id: string;
        name: string;
        /** Without @. Empty if none. */
        username: string;
        /** Empty unless shared with the account. */
        phone: string;
        /** Media link: the small profile photo, until there is another one; empty if none. */
        picture: string;
      };
      action: "joined" | "added" | "left" | "removed" | "promoted" | "demoted" | "restricted" | "unrestricted";
      /** Who did it. All empty if Telegram does not say. */
      by: {
        id: string;
        name: string;
        /** Without @. Empty if none. */
        username: string;
        /** Empty unless shared with the account. */
        phone: string;
        /** Media link: the small profile photo, until there is another one; empty if none. */
        picture: string;
      };
    };
  };
  /** Messages of a group or channel were read. */
  'chat.read': {
    /** Of the event: the same whenever it is sent again, and in the header `webhook-id`. */
    id: string;
    /** Number of the session's event, from 1 and without a gap; 0 of a test. */
    seq: number;
    /** The `seq` of the event before it for the same receiver; 0 if there is none. Another one is missing. */
    previous: number;
    type: "chat.read";
    /** When it was recorded. ISO 8601. */
    created: string;
    session: {
      /** Main ID of the session. */
      id: string;
      /** User ID of the account in which it happened. */
      generatedId: string;
      /** The caller's own ID of the session. Left out if it has none. */
      externalId?: string;
    };
    data: {
      /** ID of the chat, as `user`, `group` or `channel` takes it. */
      chatId: string;
      /** Every message up to this ID has been read. */
      upTo: string;
      /** True when the account's owner read, on another device; else someone read the account's messages. */
      fromMe: boolean;
    };
  };
  /** Someone writes in a chat, or does something else there. */
  'chat.typing': {
    /** Of the event: the same whenever it is sent again, and in the header `webhook-id`. */
    id: string;
    /** When it was recorded. ISO 8601. */
    created: string;
    session: {
      /** Main ID of the session. */
      id: string;
      /** User ID of the account in which it happened. */
      generatedId: string;
      /** The caller's own ID of the session. Left out if it has none. */
      externalId?: string;
    };
    type: "chat.typing";
    data: {
      /** ID of the chat, as `user`, `group` or `channel` takes it. */
      chatId: string;
      /** The other side of a private chat, whichever side wrote; in other chats who wrote. */
      user: {
        /** User ID. Usable as `user` in Send Message. */
        id: string;
        name: string;
        /** Without @. Empty if none. */
        username: string;
        /** Empty unless shared with the account. */
        phone: string;
        /** Media link: the small profile photo, until there is another one; empty if none. */
        picture: string;
      };
      /** What they do, as Telegram names it: `typing`, `recordAudio`; `cancel`: no longer. */
      action: string;
    };
  };
  /** A button of a message of the bot was pressed. */
  'message.button': {
    /** Of the event: the same whenever it is sent again, and in the header `webhook-id`. */
    id: string;
    /** Number of the session's event, from 1 and without a gap; 0 of a test. */
    seq: number;
    /** The `seq` of the event before it for the same receiver; 0 if there is none. Another one is missing. */
    previous: number;
    type: "message.button";
    /** When it was recorded. ISO 8601. */
    created: string;
    session: {
      /** Main ID of the session. */
      id: string;
      /** User ID of the account in which it happened. */
      generatedId: string;
      /** The caller's own ID of the session. Left out if it has none. */
      externalId?: string;
    };
    data: {
      /** ID of the chat, as `user`, `group` or `channel` takes it. */
      chatId: string;
      /** Message ID. */
      messageId: string;
      /** Who pressed it. All empty if Telegram does not say. */
      user: {
        id: string;
        name: string;
        /** Without @. Empty if none. */
        username: string;
        /** Empty unless shared with the account. */
        phone: string;
        /** Media link: the small profile photo, until there is another one; empty if none. */
        picture: string;
      };
      /** Of the button, base64. */
      data: string;
      /** What the answer to it names. */
      queryId: string;
    };
  };
  /** Messages were deleted. */
  'message.deleted': {
    /** Of the event: the same whenever it is sent again, and in the header `webhook-id`. */
    id: string;
    /** Number of the session's event, from 1 and without a gap; 0 of a test. */
    seq: number;
    /** The `seq` of the event before it for the same receiver; 0 if there is none. Another one is missing. */
    previous: number;
    type: "message.deleted";
    /** When it was recorded. ISO 8601. */
    created: string;
    session: {
      /** Main ID of the session. */
      id: string;
      /** User ID of the account in which it happened. */
      generatedId: string;
      /** The caller's own ID of the session. Left out if it has none. */
      externalId?: string;
    };
    data: {
      /** ID of the chat, as `user`, `group` or `channel` takes it. */
      chatId: string;
      messageIds: string[];
      /** The other side of a private chat. All empty if Telegram does not say. */
      user: {
        id: string;
        name: string;
        /** Without @. Empty if none. */
        username: string;
        /** Empty unless shared with the account. */
        phone: string;
        /** Media link: the small profile photo, until there is another one; empty if none. */
        picture: string;
      };
    };
  };
  /** A message was edited: as it is now. */
  'message.edited': {
    /** Of the event: the same whenever it is sent again, and in the header `webhook-id`. */
    id: string;
    /** Number of the session's event, from 1 and without a gap; 0 of a test. */
    seq: number;
    /** The `seq` of the event before it for the same receiver; 0 if there is none. Another one is missing. */
    previous: number;
    type: "message.edited";
    /** When it was recorded. ISO 8601. */
    created: string;
    session: {
      /** Main ID of the session. */
      id: string;
      /** User ID of the account in which it happened. */
      generatedId: string;
      /** The caller's own ID of the session. Left out if it has none. */
      externalId?: string;
    };
    data: {
      /** Message ID. */
      id: string;
      /** ID of the chat, as `user`, `group` or `channel` takes it. */
      chatId: string;
      /** True when the account's owner wrote it, on another device. */
      fromMe: boolean;
      /** The other side of a private chat, whichever side wrote; in other chats who wrote. */
      user: {
        /** User ID. Usable as `user` in Send Message. */
        id: string;
        name: string;
        /** Without @. Empty if none. */
        username: string;
        /** Empty unless shared with the account. */
        phone: string;
        /** Media link: the small profile photo, until there is another one; empty if none. */
        picture: string;
      };
      type: "text" | "image" | "video" | "sticker" | "audio" | "voice" | "document" | "poll" | "location" | "contact";
      /** Message text, or the caption of media. */
      text: string;
      /** Formatting of `text`, by offset. What Telegram finds in it by itself (addresses, @names, #tags) is left out. */
      entities: Array<{
        type: "bold" | "italic" | "underline" | "strikethrough" | "spoiler" | "code" | "pre" | "blockquote" | "expandable_blockquote" | "text_link" | "text_mention" | "custom_emoji";
        /** In UTF-16 code units, as `length`. */
        offset: number;
        length: number;
        /** Of a `text_link`. */
        url?: string;
        /** Of a `text_mention`. */
        userId?: string;
        /** Of a `pre`; empty if it names none. */
        language?: string;
        /** Of a `custom_emoji`. */
        customEmojiId?: string;
      }>;
      image?: {
        /** Media link: the largest size. */
        url: string;
        /** Media link: about 800 pixels; empty when none is kept. */
        thumbnail: string;
        mimetype: string;
      };
      video?: {
        /** Media link: the video. */
        url: string;
        /** Media link: 320 pixels; empty when none is kept. */
        thumbnail: string;
        /** Seconds. */
        duration: number;
        mimetype: string;
      };
      sticker?: {
        /** Media link: the sticker. */
        url: string;
        mimetype: string;
      };
      audio?: {
        /** Media link: the music. */
        url: string;
        name: string;
        /** Seconds. */
        duration: number;
        /** Bytes. */
        size: number;
        mimetype: string;
      };
      voice?: {
        /** Media link: the voice note. */
        url: string;
        /** Seconds. */
        duration: number;
        /** Bytes. */
        size: number;
        mimetype: string;
      };
      document?: {
        /** Media link: the file. */
        url: string;
        name: string;
        /** Bytes. */
        size: number;
        mimetype: string;
      };
      polling?: {
        /** The question. */
        name: string;
        options: string[];
      };
      poll?: {
        /** Poll ID. */
        id: string;
        question: string;
        options: Array<{
          text: string;
          /** null: Telegram does not tell before the account has voted, or the poll is closed. */
          votes: number | null;
          /** The account voted for it. */
          chosen: boolean;
          /** The right answer of a quiz, as soon as Telegram tells it. */
          correct: boolean;
        }>;
        /** How many have voted. */
        total: number;
        /** A voter may choose several options. */
        multiple: boolean;
        quiz: boolean;
        closed: boolean;
        /** Of a quiz, as soon as Telegram tells it; else empty. */
        explanation: string;
      };
      location?: {
        latitude: number;
        longitude: number;
        /** Of a venue; empty for a plain pin. */
        name: string;
        /** Of a venue; empty for a plain pin. */
        address: string;
      };
      contact?: {
        name: string;
        phone: string;
        /** Empty if they are not on Telegram. */
        userId: string;
      };
      /** ID of the message that it replies to; empty if none. */
      replyTo: string;
      /** Of a forum: ID of the topic, that of its first message. 1 is General. */
      topic?: string;
      /** When the message was sent. ISO 8601. */
      created: string;
      /** When it was edited. ISO 8601. */
      edited: string;
    };
  };
  /** A new message. */
  'message': {
    /** Of the event: the same whenever it is sent again, and in the header `webhook-id`. */
    id: string;
    /** Number of the session's event, from 1 and without a gap; 0 of a test. */
    seq: number;
    /** The `seq` of the event before it for the same receiver; 0 if there is none. Another one is missing. */
    previous: number;
    type: "message";
    /** When it was recorded. ISO 8601. */
    created: string;
    session: {
      /** Main ID of the session. */
      id: string;
      /** User ID of the account in which it happened. */
      generatedId: string;
      /** The caller's own ID of the session. Left out if it has none. */
      externalId?: string;
    };
    data: {
      /** Message ID. */
      id: string;
      /** ID of the chat, as `user`, `group` or `channel` takes it. */
      chatId: string;
      /** True when the account's owner wrote it, on another device. */
      fromMe: boolean;
      /** The other side of a private chat, whichever side wrote; in other chats who wrote. */
      user: {
        /** User ID. Usable as `user` in Send Message. */
        id: string;
        name: string;
        /** Without @. Empty if none. */
        username: string;
        /** Empty unless shared with the account. */
        phone: string;
        /** Media link: the small profile photo, until there is another one; empty if none. */
        picture: string;
      };
      type: "text" | "image" | "video" | "sticker" | "audio" | "voice" | "document" | "poll" | "location" | "contact";
      /** Message text, or the caption of media. */
      text: string;
      /** Formatting of `text`, by offset. What Telegram finds in it by itself (addresses, @names, #tags) is left out. */
      entities: Array<{
        type: "bold" | "italic" | "underline" | "strikethrough" | "spoiler" | "code" | "pre" | "blockquote" | "expandable_blockquote" | "text_link" | "text_mention" | "custom_emoji";
        /** In UTF-16 code units, as `length`. */
        offset: number;
        length: number;
        /** Of a `text_link`. */
        url?: string;
        /** Of a `text_mention`. */
        userId?: string;
        /** Of a `pre`; empty if it names none. */
        language?: string;
        /** Of a `custom_emoji`. */
        customEmojiId?: string;
      }>;
      image?: {
        /** Media link: the largest size. */
        url: string;
        /** Media link: about 800 pixels; empty when none is kept. */
        thumbnail: string;
        mimetype: string;
      };
      video?: {
        /** Media link: the video. */
        url: string;
        /** Media link: 320 pixels; empty when none is kept. */
        thumbnail: string;
        /** Seconds. */
        duration: number;
        mimetype: string;
      };
      sticker?: {
        /** Media link: the sticker. */
        url: string;
        mimetype: string;
      };
      audio?: {
        /** Media link: the music. */
        url: string;
        name: string;
        /** Seconds. */
        duration: number;
        /** Bytes. */
        size: number;
        mimetype: string;
      };
      voice?: {
        /** Media link: the voice note. */
        url: string;
        /** Seconds. */
        duration: number;
        /** Bytes. */
        size: number;
        mimetype: string;
      };
      document?: {
        /** Media link: the file. */
        url: string;
        name: string;
        /** Bytes. */
        size: number;
        mimetype: string;
      };
      polling?: {
        /** The question. */
        name: string;
        options: string[];
      };
      poll?: {
        /** Poll ID. */
        id: string;
        question: string;
        options: Array<{
          text: string;
          /** null: Telegram does not tell before the account has voted, or the poll is closed. */
          votes: number | null;
          /** The account voted for it. */
          chosen: boolean;
          /** The right answer of a quiz, as soon as Telegram tells it. */
          correct: boolean;
        }>;
        /** How many have voted. */
        total: number;
        /** A voter may choose several options. */
        multiple: boolean;
        quiz: boolean;
        closed: boolean;
        /** Of a quiz, as soon as Telegram tells it; else empty. */
        explanation: string;
      };
      location?: {
        latitude: number;
        longitude: number;
        /** Of a venue; empty for a plain pin. */
        name: string;
        /** Of a venue; empty for a plain pin. */
        address: string;
      };
      contact?: {
        name: string;
        phone: string;
        /** Empty if they are not on Telegram. */
        userId: string;
      };
      /** ID of the message that it replies to; empty if none. */
      replyTo: string;
      /** Of a forum: ID of the topic, that of its first message. 1 is General. */
      topic?: string;
      /** When the message was sent. ISO 8601. */
      created: string;
    };
  };
  /** Messages were pinned or unpinned. */
  'message.pinned': {
    /** Of the event: the same whenever it is sent again, and in the header `webhook-id`. */
    id: string;
    /** Number of the session's event, from 1 and without a gap; 0 of a test. */
    seq: number;
    /** The `seq` of the event before it for the same receiver; 0 if there is none. Another one is missing. */
    previous: number;
    type: "message.pinned";
    /** When it was recorded. ISO 8601. */
    created: string;
    session: {
      /** Main ID of the session. */
      id: string;
      /** User ID of the account in which it happened. */
      generatedId: string;
      /** The caller's own ID of the session. Left out if it has none. */
      externalId?: string;
    };
    data: {
      /** ID of the chat, as `user`, `group` or `channel` takes it. */
      chatId: string;
      messageIds: string[];
      /** False when they were unpinned. */
      pinned: boolean;
    };
  };
  /** The reactions to a message have changed. */
  'message.reaction': {
    /** Of the event: the same whenever it is sent again, and in the header `webhook-id`. */
    id: string;
    /** Number of the session's event, from 1 and without a gap; 0 of a test. */
    seq: number;
    /** The `seq` of the event before it for the same receiver; 0 if there is none. Another one is missing. */
    previous: number;
    type: "message.reaction";
    /** When it was recorded. ISO 8601. */
    created: string;
    session: {
      /** Main ID of the session. */
      id: string;
      /** User ID of the account in which it happened. */
      generatedId: string;
      /** The caller's own ID of the session. Left out if it has none. */
      externalId?: string;
    };
    data: {
      /** ID of the chat, as `user`, `group` or `channel` takes it. */
      chatId: string;
      /** Message ID. */
      messageId: string;
      /** Reactions as they are now, by emoji; custom ones under an empty text. A bot is told them or `user`. */
      counts: Record<string, unknown>;
      /** Who has changed their reactions. All empty if Telegram does not say. */
      user: {
        id: string;
        name: string;
        /** Without @. Empty if none. */
        username: string;
        /** Empty unless shared with the account. */
        phone: string;
        /** Media link: the small profile photo, until there is another one; empty if none. */
        picture: string;
      };
      /** Their reactions as they are now. */
      emojis: string[];
    };
  };
  /** Messages of a private chat were read. */
  'message.read': {
    /** Of the event: the same whenever it is sent again, and in the header `webhook-id`. */
    id: string;
    /** Number of the session's event, from 1 and without a gap; 0 of a test. */
    seq: number;
    /** The `seq` of the event before it for the same receiver; 0 if there is none. Another one is missing. */
    previous: number;
    type: "message.read";
    /** When it was recorded. ISO 8601. */
    created: string;
    session: {
      /** Main ID of the session. */
      id: string;
      /** User ID of the account in which it happened. */
      generatedId: string;
      /** The caller's own ID of the session. Left out if it has none. */
      externalId?: string;
    };
    data: {
      /** ID of the chat, as `user`, `group` or `channel` takes it. */
      chatId: string;
      /** Every message up to this ID has been read. */
      upTo: string;
      /** True when the account's owner read, on another device; else the other side. */
      fromMe: boolean;
      /** The other side of a private chat, whichever side wrote; in other chats who wrote. */
      user: {
        /** User ID. Usable as `user` in Send Message. */
        id: string;
        name: string;
        /** Without @. Empty if none. */
        username: string;
        /** Empty unless shared with the account. */
        phone: string;
        /** Media link: the small profile photo, until there is another one; empty if none. */
        picture: string;
      };
    };
  };
  /** The votes of a poll have changed. */
  'message.vote': {
    /** Of the event: the same whenever it is sent again, and in the header `webhook-id`. */
    id: string;
    /** Number of the session's event, from 1 and without a gap; 0 of a test. */
    seq: number;
    /** The `seq` of the event before it for the same receiver; 0 if there is none. Another one is missing. */
    previous: number;
    type: "message.vote";
    /** When it was recorded. ISO 8601. */
    created: string;
    session: {
      /** Main ID of the session. */
      id: string;
      /** User ID of the account in which it happened. */
      generatedId: string;
      /** The caller's own ID of the session. Left out if it has none. */
      externalId?: string;
    };
    data: {
      /** ID of the poll. */
      pollId: string;
      /** Votes as they are now. Empty for a bot that is told a vote. */
      results: Array<{
        /** The option; empty if Telegram does not say. */
        text: string;
        /** Telegram's bytes for the option, base64. */
        option: string;
        voters: number;
      }>;
      /** Who has voted, for a bot. All empty if Telegram does not say. */
      user: {
        id: string;
        name: string;
        /** Without @. Empty if none. */
        username: string;
        /** Empty unless shared with the account. */
        phone: string;
        /** Media link: the small profile photo, until there is another one; empty if none. */
        picture: string;
      };
      /** What they have chosen, for a bot. Telegram's bytes for the option, base64. */
      options: string[];
    };
  };
  /** Telegram has sent a login code. */
  'session.code': {
    /** Of the event: the same whenever it is sent again, and in the header `webhook-id`. */
    id: string;
    /** Number of the session's event, from 1 and without a gap; 0 of a test. */
    seq: number;
    /** The `seq` of the event before it for the same receiver; 0 if there is none. Another one is missing. */
    previous: number;
    type: "session.code";
    /** When it was recorded. ISO 8601. */
    created: string;
    session: {
      /** Main ID of the session. */
      id: string;
      /** User ID of the account in which it happened. */
      generatedId: string;
      /** The caller's own ID of the session. Left out if it has none. */
      externalId?: string;
    };
    data: {
      /** Of the session, as in `GET /session/events`. */
      state: "qrPending" | "codeRequired" | "passwordRequired" | "connected" | "disconnected" | "deleted";
      /** Why it is in this state. */
      reason: string;
      /** When the state ends by itself, ISO 8601; empty if it does not. */
      deadline: string;
    };
  };
  /** The account is connected. */
  'session.connected': {
    /** Of the event: the same whenever it is sent again, and in the header `webhook-id`. */
    id: string;
    /** Number of the session's event, from 1 and without a gap; 0 of a test. */
    seq: number;
    /** The `seq` of the event before it for the same receiver; 0 if there is none. Another one is missing. */
    previous: number;
    type: "session.connected";
    /** When it was recorded. ISO 8601. */
    created: string;
    session: {
      /** Main ID of the session. */
      id: string;
      /** User ID of the account in which it happened. */
      generatedId: string;
      /** The caller's own ID of the session. Left out if it has none. */
      externalId?: string;
    };
    data: {
      /** Of the session, as in `GET /session/events`. */
      state: "qrPending" | "codeRequired" | "passwordRequired" | "connected" | "disconnected" | "deleted";
      /** Why it is in this state. */
      reason: string;
      /** When the state ends by itself, ISO 8601; empty if it does not. */
      deadline: string;
    };
  };
  /** The session is deleted. Told to operators’ webhooks alone. */
  'session.deleted': {
    /** Of the event: the same whenever it is sent again, and in the header `webhook-id`. */
    id: string;
    /** Number of the session's event, from 1 and without a gap; 0 of a test. */
    seq: number;
    /** The `seq` of the event before it for the same receiver; 0 if there is none. Another one is missing. */
    previous: number;
    type: "session.deleted";
    /** When it was recorded. ISO 8601. */
    created: string;
    session: {
      /** Main ID of the session. */
      id: string;
      /** User ID of the account in which it happened. */
      generatedId: string;
      /** The caller's own ID of the session. Left out if it has none. */
      externalId?: string;
    };
    data: {
      /** Why it is in this state. */
      reason: string;
    };
  };
  /** The connection is lost, or its reason is another one. */
  'session.disconnected': {
    /** Of the event: the same whenever it is sent again, and in the header `webhook-id`. */
    id: string;
    /** Number of the session's event, from 1 and without a gap; 0 of a test. */
    seq: number;
    /** The `seq` of the event before it for the same receiver; 0 if there is none. Another one is missing. */
    previous: number;
    type: "session.disconnected";
    /** When it was recorded. ISO 8601. */
    created: string;
    session: {
      /** Main ID of the session. */
      id: string;
      /** User ID of the account in which it happened. */
      generatedId: string;
      /** The caller's own ID of the session. Left out if it has none. */
      externalId?: string;
    };
    data: {
      /** Of the session, as in `GET /session/events`. */
      state: "qrPending" | "codeRequired" | "passwordRequired" | "connected" | "disconnected" | "deleted";
      /** Why it is in this state. */
      reason: string;
      /** When the state ends by itself, ISO 8601; empty if it does not. */
      deadline: string;
    };
  };
  /** The login is lost: the account has to log in again. */
  'session.login-lost': {
    /** Of the event: the same whenever it is sent again, and in the header `webhook-id`. */
    id: string;
    /** Number of the session's event, from 1 and without a gap; 0 of a test. */
    seq: number;
    /** The `seq` of the event before it for the same receiver; 0 if there is none. Another one is missing. */
    previous: number;
    type: "session.login-lost";
    /** When it was recorded. ISO 8601. */
    created: string;
    session: {
      /** Main ID of the session. */
      id: string;
      /** User ID of the account in which it happened. */
      generatedId: string;
      /** The caller's own ID of the session. Left out if it has none. */
      externalId?: string;
    };
    data: {
      /** Of the session, as in `GET /session/events`. */
      state: "qrPending" | "codeRequired" | "passwordRequired" | "connected" | "disconnected" | "deleted";
      /** Why it is in this state. */
      reason: string;
      /** When the state ends by itself, ISO 8601; empty if it does not. */
      deadline: string;
    };
  };
  /** The login needs the password of the account. */
  'session.password': {
    /** Of the event: the same whenever it is sent again, and in the header `webhook-id`. */
    id: string;
    /** Number of the session's event, from 1 and without a gap; 0 of a test. */
    seq: number;
    /** The `seq` of the event before it for the same receiver; 0 if there is none. Another one is missing. */
    previous: number;
    type: "session.password";
    /** When it was recorded. ISO 8601. */
    created: string;
    session: {
      /** Main ID of the session. */
      id: string;
      /** User ID of the account in which it happened. */
      generatedId: string;
      /** The caller's own ID of the session. Left out if it has none. */
      externalId?: string;
    };
    data: {
      /** Of the session, as in `GET /session/events`. */
      state: "qrPending" | "codeRequired" | "passwordRequired" | "connected" | "disconnected" | "deleted";
      /** Why it is in this state. */
      reason: string;
      /** When the state ends by itself, ISO 8601; empty if it does not. */
      deadline: string;
    };
  };
  /** There is another QR code to log in with: `GET /session` has it. */
  'session.qr': {
    /** Of the event: the same whenever it is sent again, and in the header `webhook-id`. */
    id: string;
    /** Number of the session's event, from 1 and without a gap; 0 of a test. */
    seq: number;
    /** The `seq` of the event before it for the same receiver; 0 if there is none. Another one is missing. */
    previous: number;
    type: "session.qr";
    /** When it was recorded. ISO 8601. */
    created: string;
    session: {
      /** Main ID of the session. */
      id: string;
      /** User ID of the account in which it happened. */
      generatedId: string;
      /** The caller's own ID of the session. Left out if it has none. */
      externalId?: string;
    };
    data: {
      /** Of the session, as in `GET /session/events`. */
      state: "qrPending" | "codeRequired" | "passwordRequired" | "connected" | "disconnected" | "deleted";
      /** Why it is in this state. */
      reason: string;
      /** When the state ends by itself, ISO 8601; empty if it does not. */
      deadline: string;
    };
  };
  /** The session was reset: the account has to log in again. */
  'session.reset': {
    /** Of the event: the same whenever it is sent again, and in the header `webhook-id`. */
    id: string;
    /** Number of the session's event, from 1 and without a gap; 0 of a test. */
    seq: number;
    /** The `seq` of the event before it for the same receiver; 0 if there is none. Another one is missing. */
    previous: number;
    type: "session.reset";
    /** When it was recorded. ISO 8601. */
    created: string;
    session: {
      /** Main ID of the session. */
      id: string;
      /** User ID of the account in which it happened. */
      generatedId: string;
      /** The caller's own ID of the session. Left out if it has none. */
      externalId?: string;
    };
    data: {
      /** Of the session, as in `GET /session/events`. */
      state: "qrPending" | "codeRequired" | "passwordRequired" | "connected" | "disconnected" | "deleted";
      /** Why it is in this state. */
      reason: string;
      /** When the state ends by itself, ISO 8601; empty if it does not. */
      deadline: string;
    };
  };
  /** A person or a channel has posted a story. */
  'story': {
    /** Of the event: the same whenever it is sent again, and in the header `webhook-id`. */
    id: string;
    /** Number of the session's event, from 1 and without a gap; 0 of a test. */
    seq: number;
    /** The `seq` of the event before it for the same receiver; 0 if there is none. Another one is missing. */
    previous: number;
    type: "story";
    /** When it was recorded. ISO 8601. */
    created: string;
    session: {
      /** Main ID of the session. */
      id: string;
      /** User ID of the account in which it happened. */
      generatedId: string;
      /** The caller's own ID of the session. Left out if it has none. */
      externalId?: string;
    };
    data: {
      /** Whose story it is. */
      user: {
        /** ID of the person or channel. */
        id: string;
        name: string;
        /** Without @. Empty if none. */
        username: string;
        /** Empty unless shared with the account. */
        phone: string;
        /** Media link: the small profile photo, until there is another one; empty if none. */
        picture: string;
      };
      /** ID of the story. */
      storyId: string;
      /** `text` if it shows neither an image nor a video. */
      type: "image" | "video" | "text";
      /** The caption. */
      text: string;
      /** Formatting of `text`, by offset. What Telegram finds in it by itself (addresses, @names, #tags) is left out. */
      entities: Array<{
        type: "bold" | "italic" | "underline" | "strikethrough" | "spoiler" | "code" | "pre" | "blockquote" | "expandable_blockquote" | "text_link" | "text_mention" | "custom_emoji";
        /** In UTF-16 code units, as `length`. */
        offset: number;
        length: number;
        /** Of a `text_link`. */
        url?: string;
        /** Of a `text_mention`. */
        userId?: string;
        /** Of a `pre`; empty if it names none. */
        language?: string;
        /** Of a `custom_emoji`. */
        customEmojiId?: string;
      }>;
      image?: {
        /** Media link: the largest size. */
        url: string;
        /** Media link: about 800 pixels; empty when none is kept. */
        thumbnail: string;
        mimetype: string;
      };
      video?: {
        /** Media link: the video. */
        url: string;
        /** Media link: 320 pixels; empty when none is kept. */
        thumbnail: string;
        /** Seconds. */
        duration: number;
        mimetype: string;
      };
      /** When it ends, unless its owner keeps it. ISO 8601. */
      expires: string;
    };
  };
  /** What `POST /session/webhook/test` sends. */
  'test': {
    /** Of the event: the same whenever it is sent again, and in the header `webhook-id`. */
    id: string;
    /** Number of the session's event, from 1 and without a gap; 0 of a test. */
    seq: number;
    /** The `seq` of the event before it for the same receiver; 0 if there is none. Another one is missing. */
    previous: number;
    type: "test";
    /** When it was recorded. ISO 8601. */
    created: string;
    session: {
      /** Main ID of the session. */
      id: string;
      /** User ID of the account in which it happened. */
      generatedId: string;
      /** The caller's own ID of the session. Left out if it has none. */
      externalId?: string;
    };
    data: Record<string, unknown>;
  };
  /** A person is online, or no longer. */
  'user.status': {
    /** Of the event: the same whenever it is sent again, and in the header `webhook-id`. */
    id: string;
    /** When it was recorded. ISO 8601. */
    created: string;
    session: {
      /** Main ID of the session. */
      id: string;
      /** User ID of the account in which it happened. */
      generatedId: string;
      /** The caller's own ID of the session. Left out if it has none. */
      externalId?: string;
    };
    type: "user.status";
    data: {
      /** The other side of a private chat, whichever side wrote; in other chats who wrote. */
      user: {
        /** User ID. Usable as `user` in Send Message. */
        id: string;
        name: string;
        /** Without @. Empty if none. */
        username: string;
        /** Empty unless shared with the account. */
        phone: string;
        /** Media link: the small profile photo, until there is another one; empty if none. */
        picture: string;
      };
      online: boolean;
      /** When they were online last, ISO 8601; empty if Telegram does not say. */
      lastSeen: string;
    };
  };
}

/** The type of an event. */
export type EventType = keyof Events;
/** What is not recorded has no number: `chat.typing` and `user.status`. */
interface Numbers {
  seq?: number;
  previous?: number;
}
/** An event, of any type or of those that are named: `GatewayEvent<'message'>`. */
export type GatewayEvent<Type extends EventType = EventType> = Events[Type] & Numbers;

export interface LiveResponse {
  status: string;
}

export interface ReadyResponse {
  status: string;
  /** What an operator has to mend although requests are served. */
  warnings?: string[];
}

export interface CreateSessionRequest {
  name?: string;
  /** At most 16384 bytes. */
  metadata?: Record<string, string>;
  /** url and token both filled, or both empty to turn the webhook off. */
  webhook?: {
    /** An http or https URL. */
    url?: string;
    token?: string;
    events?: Array<"message" | "message.edited" | "message.deleted" | "message.read" | "message.reaction" | "message.pinned" | "message.vote" | "message.button" | "chat.joined" | "chat.left" | "chat.member" | "chat.read" | "story" | "session.qr" | "session.password" | "session.code" | "session.connected" | "session.disconnected" | "session.login-lost" | "session.reset">;
    chats?: "private" | "groups" | "channels" | "all" | string[];
  };
  externalId?: string;
  label?: string;
  proxy?: {
    /** `socks5://user:password@host:port`, `http://user:password@host:port` (CONNECT), or the `tg://proxy` link of an MTProto proxy. May be empty. */
    url: string;
  };
  /** Exactly one of phone, botToken, string. */
  login?: {
    phone?: string;
    botToken?: string;
    string?: string;
  };
}

export interface DeleteSessionResponse {
  /** Session ID. */
  id: string;
}

export interface ChangeSessionRequest {
  externalId?: string;
  label?: string;
  /** What is left out has no limit; null: none has. */
  pace?: unknown;
}
export interface ChangeSessionResponse {
  /** Session ID. */
  id: string;
  /** The caller’s own ID of the session. Empty if it has none. */
  externalId: string;
  /** The caller’s own name for the session. Empty if it has none. */
  label: string;
  /** Null if the account has none. */
  pace: unknown | null;
}

export interface IssueKeyRequest {
  name: string;
  scopes: Array<"sessions:create" | "sessions:read" | "sessions:control" | "accounts" | "raw" | "strings" | "metrics" | "keys">;
  tenant?: string;
  /** ISO 8601. */
  expires?: string;
  /** How much the key may use; what is left out has no limit. */
  limits?: {
    /** Live sessions that the key has created. */
    sessions?: number;
    /** Messages in a day, in UTC. */
    sendsPerDay?: number;
  };
  /** IDs of the only chats in which the key uses accounts; left out: all of them. */
  chats?: string[];
}
export interface IssueKeyResponse {
  /** ID of the key. */
  id: string;
  /** Recorded with all that the key does. */
  name: string;
  scopes: Array<"sessions:create" | "sessions:read" | "sessions:control" | "accounts" | "raw" | "strings" | "metrics" | "keys">;
  /** The only tenant whose sessions the key sees; empty without one. */
  tenant: string;
  /** When it was issued. ISO 8601. */
  created: string;
  /** Who issued it: `owner`, or the name of a key. */
  by: string;
  /** When it ends by itself. ISO 8601, or empty. */
  expires: string;
  /** When it was revoked. ISO 8601, or empty. */
  revoked: string;
  /** How much it may use; what is left out has no limit. */
  limits: {
    /** Live sessions that the key has created. */
    sessions?: number;
    /** Messages in a day, in UTC. */
    sendsPerDay?: number;
  };
  /** IDs of the only chats in which it uses accounts; empty: all of them. */
  chats: string[];
  state: "active" | "expired" | "revoked";
  /** The key itself, as `x-api-key` takes it. It is not stored, and never shown again. */
  key: string;
}

export interface ListKeysRequest {
  /** The `after` of the previous page. */
  after?: string;
  /** Up to this many, 1 to 100; default 50. */
  limit?: number;
  /** Only keys in this state; `any`: all. Default: active. */
  state?: "active" | "expired" | "revoked" | "any";
}
export interface ListKeysResponse {
  docs: Key[];
  /** The `after` of the next page; empty when there is none. */
  after: string;
}

export interface RevokeKeyRequest {
  /** ID of the key. */
  id: string;
}
export interface RevokeKeyResponse {
  /** ID of the key. */
  id: string;
}

export interface CreateLinkRequest {
  session?: {
    name?: string;
    /** At most 16384 bytes. */
    metadata?: Record<string, string>;
    /** url and token both filled, or both empty to turn the webhook off. */
    webhook?: {
      /** An http or https URL. */
      url?: string;
      token?: string;
      events?: Array<"message" | "message.edited" | "message.deleted" | "message.read" | "message.reaction" | "message.pinned" | "message.vote" | "message.button" | "chat.joined" | "chat.left" | "chat.member" | "chat.read" | "story" | "session.qr" | "session.password" | "session.code" | "session.connected" | "session.disconnected" | "session.login-lost" | "session.reset">;
      chats?: "private" | "groups" | "channels" | "all" | string[];
    };
    externalId?: string;
    label?: string;
    proxy?: {
      /** `socks5://user:password@host:port`, `http://user:password@host:port` (CONNECT), or the `tg://proxy` link of an MTProto proxy. May be empty. */
      url: string;
    };
  };
  /** ISO 8601, up to 7 days ahead; 24 hours if it is left out. */
  expires?: string;
}
export interface CreateLinkResponse {
  /** ID of the link. */
  id: string;
  /** What the customer opens. It holds the token, which is not stored and never shown again. */
  url: string;
  /** When it ends by itself. ISO 8601. */
  expires: string;
}

export interface ListLinksRequest {
  /** The `after` of the previous page. */
  after?: string;
  /** Up to this many, 1 to 100; default 50. */
  limit?: number;
  /** Only links in this state; `any`: all. Default: open. */
  state?: "open" | "used" | "withdrawn" | "expired" | "any";
}
export interface ListLinksResponse {
  docs: Link[];
  /** The `after` of the next page; empty when there is none. */
  after: string;
}

export interface WithdrawLinkRequest {
  /** ID of the link. */
  id: string;
}
export interface WithdrawLinkResponse {
  /** ID of the link. */
  id: string;
}

export interface AddOperatorWebhookRequest {
  /** An http or https URL. */
  url: string;
  token?: string;
  events?: Array<"session.qr" | "session.password" | "session.code" | "session.connected" | "session.disconnected" | "session.login-lost" | "session.reset" | "session.deleted">;
}
export interface AddOperatorWebhookResponse {
  /** ID of the webhook. */
  id: string;
  url: string;
  events: Array<"session.qr" | "session.password" | "session.code" | "session.connected" | "session.disconnected" | "session.login-lost" | "session.reset" | "session.deleted">;
  /** The tenant whose sessions it is told of; empty: all sessions. */
  tenant: string;
  /** When it was added. ISO 8601. */
  created: string;
  /** Who set it last: `owner`, or the name of a key. */
  by: string;
  /** Whether it gets nothing, because that key is revoked or has expired. */
  paused: boolean;
  /** Events that have not been delivered yet. */
  pending: number;
  /** When an event was delivered last. ISO 8601, or empty. */
  lastDelivered: string;
  /** Why the last failed attempt failed. Empty if none has failed. */
  lastError: string;
  /** When it failed. ISO 8601, or empty. */
  lastFailed: string;
  /** When the next attempt of a failed delivery is due. Empty if none is waiting. ISO 8601, or empty. */
  nextAttempt: string;
  /** Events that were given up after 24 hours. */
  parked: number;
  /** The token that its requests have and that signs them. It is never shown again. */
  token: string;
}

export interface ListOperatorWebhooksResponse {
  docs: OperatorWebhook[];
}

export interface GetOperatorWebhookRequest {
  /** The webhook's `id`. */
  webhookId: string;
}
export interface GetOperatorWebhookResponse {
  /** ID of the webhook. */
  id: string;
  url: string;
  events: Array<"session.qr" | "session.password" | "session.code" | "session.connected" | "session.disconnected" | "session.login-lost" | "session.reset" | "session.deleted">;
  /** The tenant whose sessions it is told of; empty: all sessions. */
  tenant: string;
  /** When it was added. ISO 8601. */
  created: string;
  /** Who set it last: `owner`, or the name of a key. */
  by: string;
  /** Whether it gets nothing, because that key is revoked or has expired. */
  paused: boolean;
  /** Events that have not been delivered yet. */
  pending: number;
  /** When an event was delivered last. ISO 8601, or empty. */
  lastDelivered: string;
  /** Why the last failed attempt failed. Empty if none has failed. */
  lastError: string;
  /** When it failed. ISO 8601, or empty. */
  lastFailed: string;
  /** When the next attempt of a failed delivery is due. Empty if none is waiting. ISO 8601, or empty. */
  nextAttempt: string;
  /** Events that were given up after 24 hours. */
  parked: number;
}

export interface ChangeOperatorWebhookRequest {
  /** The webhook's `id`. */
  webhookId: string;
  /** An http or https URL. */
  url: string;
  token?: string;
  events?: Array<"session.qr" | "session.password" | "session.code" | "session.connected" | "session.disconnected" | "session.login-lost" | "session.reset" | "session.deleted">;
}
export interface ChangeOperatorWebhookResponse {
  /** ID of the webhook. */
  id: string;
  url: string;
  events: Array<"session.qr" | "session.password" | "session.code" | "session.connected" | "session.disconnected" | "session.login-lost" | "session.reset" | "session.deleted">;
  /** The tenant whose sessions it is told of; empty: all sessions. */
  tenant: string;
  /** When it was added. ISO 8601. */
  created: string;
  /** Who set it last: `owner`, or the name of a key. */
  by: string;
  /** Whether it gets nothing, because that key is revoked or has expired. */
  paused: boolean;
  /** Events that have not been delivered yet. */
  pending: number;
  /** When an event was delivered last. ISO 8601, or empty. */
  lastDelivered: string;
  /** Why the last failed attempt failed. Empty if none has failed. */
  lastError: string;
  /** When it failed. ISO 8601, or empty. */
  lastFailed: string;
  /** When the next attempt of a failed delivery is due. Empty if none is waiting. ISO 8601, or empty. */
  nextAttempt: string;
  /** Events that were given up after 24 hours. */
  parked: number;
}

export interface RemoveOperatorWebhookRequest {
  /** The webhook's `id`. */
  webhookId: string;
}
export interface RemoveOperatorWebhookResponse {
  /** The `webhookId`. */
  id: string;
}

export interface ListParkedOfOperatorWebhookRequest {
  /** The webhook's `id`. */
  webhookId: string;
}
export interface ListParkedOfOperatorWebhookResponse {
  docs: Array<{
    /** ID of the session. */
    session: string;
    /** Number of the event in the log of the session. */
    seq: number;
    /** When it was given up. ISO 8601, or empty. */
    parked: string;
    /** Why it was given up. */
    error: string;
  }>;
}

export interface ReplayOperatorWebhookRequest {
  /** The webhook's `id`. */
  webhookId: string;
  /** With `seqs` or `from`: ID of the session. */
  session?: string;
  /** The `seq` to begin with. */
  from?: number;
  /** With `from`: the last `seq`. Left out: all that come after. */
  to?: number;
  seqs?: number[];
  /** `true`: all that are parked. */
  parked?: boolean;
}
export interface ReplayOperatorWebhookResponse {
  /** Session ID; of an operators’ webhook, its own. */
  id: string;
  /** Events that are to be delivered. */
  pending: number;
}

export interface TestOperatorWebhookRequest {
  /** The webhook's `id`. */
  webhookId: string;
}
export interface TestOperatorWebhookResponse {
  /** ID of the test event. */
  id: string;
  delivered: boolean;
  /** Status of the response; 0 without a response. */
  status: number;
  /** Why the test failed. Empty if it was delivered. */
  error: string;
}

export interface ListSessionsRequest {
  /** The `after` of the previous page. */
  after?: string;
  /** Up to this many, 1 to 1000; default 100. */
  limit?: number;
  /** Only sessions in this state; `any`: deleted ones too. Default: all that are not deleted. */
  state?: "qrPending" | "codeRequired" | "passwordRequired" | "connected" | "disconnected" | "deleted" | "any";
  /** By creation (`created`, the default) or by the start of the state (`since`); with `-` the newest first. */
  sort?: "created" | "-created" | "since" | "-since";
  /** Only the sessions with exactly this `externalId`. */
  externalId?: string;
  /** Only the sessions with exactly this `label`. */
  label?: string;
  /** Only the sessions of this tenant. */
  tenant?: string;
  /** Only sessions that have these characters in their `id`, `externalId` or `label`, large or small. */
  q?: string;
}
export interface ListSessionsResponse {
  docs: SessionSummary[];
  /** The `after` of the next page; empty when there is none. */
  after: string;
}

export interface GetSessionSummaryRequest {
  /** ID of the session. */
  id: string;
}

export interface ChangeNamedSessionRequest {
  /** ID of the session. */
  id: string;
  externalId?: string;
  label?: string;
  /** What is left out has no limit; null: none has. */
  pace?: unknown;
}
export interface ChangeNamedSessionResponse {
  /** Session ID. */
  id: string;
  /** The caller’s own ID of the session. Empty if it has none. */
  externalId: string;
  /** The caller’s own name for the session. Empty if it has none. */
  label: string;
  /** Null if the account has none. */
  pace: unknown | null;
}

export interface DeleteSessionByIdRequest {
  /** ID of the session. */
  id: string;
}
export interface DeleteSessionByIdResponse {
  /** Session ID. */
  id: string;
}

export interface GetSessionStatsRequest {
  /** `1h`, `24h` or `7d`; default `1h`. */
  window?: "1h" | "24h" | "7d";
  /** `true`: also how many sessions were connected over the window, and the logins and losses of each part of it. */
  history?: boolean;
}
export interface GetSessionStatsResponse {
  window: "1h" | "24h" | "7d";
  /** From when on events are counted: whole minutes for an hour, 10 minutes for a day, hours for a week. ISO 8601. */
  since: string;
  /** Version of the gateway. */
  version: string;
  /** When this gateway started. ISO 8601. */
  startedAt: string;
  /** Where the events are. */
  store: "sqlite" | "kurrentdb";
  /** How many sessions are in each state now; deleted ones until their log is removed. */
  states: {
    qrPending: number;
    codeRequired: number;
    passwordRequired: number;
    connected: number;
    disconnected: number;
    deleted: number;
  };
  /** Logins, and logins that were imported. */
  logins: number;
  /** Logins that ended without their callers’ wish, by reason, the most frequent first. */
  losses: Array<{
    reason: string;
    count: number;
  }>;
  /** The last of them, the newest first; up to 20. */
  lastLosses: Array<{
    /** Session ID. */
    id: string;
    /** The caller’s own ID of the session. Empty if it has none. */
    externalId: string;
    /** The caller’s own name for the session. Empty if it has none. */
    label: string;
    /** Why the login ended: `SESSION_REVOKED`, `disconnected-timeout`, … */
    reason: string;
    /** When. ISO 8601. */
    at: string;
  }>;
  sends: {
    /** Messages and stories that Telegram has. */
    ok: number;
    /** Those that could not be sent. */
    failed: number;
  };
  deliveries: {
    /** Events that webhooks took. */
    ok: number;
    /** Attempts that failed. */
    failed: number;
    /** Deliveries that were given up. */
    parked: number;
  };
  backlog: {
    /** Deliveries that are not made yet. */
    pending: number;
    /** When the oldest of them was recorded. ISO 8601, or empty. */
    oldest: string;
  };
  /** How often Telegram asked to wait. */
  waits: number;
  /** With `history=true`: the parts of the window, the oldest first. */
  history?: Array<{
    /** Begin of a part of the window: a minute, 10 minutes or an hour. ISO 8601. */
    at: string;
    /** Sessions that were connected at its end; of the last part, now. */
    connected: number;
    /** Logins in it. */
    logins: number;
    /** Logins that ended in it without their callers’ wish. */
    lost: number;
  }>;
}

export interface GetSessionConnectionRequest {
  /** ID of the session. */
  id: string;
}
export interface GetSessionConnectionResponse {
  /** Session ID. */
  id: string;
  state: "qrPending" | "codeRequired" | "passwordRequired" | "connected" | "disconnected" | "deleted";
  /** Failed attempts to connect since it was connected last. */
  attempts: number;
  /** Why the last one failed: `unreachable`, `proxy-refused`. Empty if none has failed. */
  cause: string;
  /** When the next one begins. Empty while one is under way, or none is made. ISO 8601, or empty. */
  nextAttempt: string;
}

export interface ReconnectSessionRequest {
  /** ID of the session. */
  id: string;
}
export interface ReconnectSessionResponse {
  /** Session ID. */
  id: string;
  state: "qrPending" | "codeRequired" | "passwordRequired" | "connected" | "disconnected" | "deleted";
  /** Failed attempts to connect since it was connected last. */
  attempts: number;
  /** Why the last one failed: `unreachable`, `proxy-refused`. Empty if none has failed. */
  cause: string;
  /** When the next one begins. Empty while one is under way, or none is made. ISO 8601, or empty. */
  nextAttempt: string;
}

export interface StreamSessionsRequest {
  /** The `id` of the last event that was seen. */
  after?: string;
  /** `all`: every event, also those that change nothing of this. Default `changes`. */
  events?: "changes" | "all";
  /** `true`: also `UsageRecorded`, at most once a second, for the sessions that have sent or delivered something, or failed to: `{ sessions, count, created }`, with up to 100 of their IDs. */
  usage?: boolean;
}

export interface ListEventsOfRequest {
  /** Only events after this number: the `after` of the previous page. */
  after?: number;
  /** Up to this many, 1 to 1000; default 100. */
  limit?: number;
  /** ID of the session. */
  id: string;
}
export interface ListEventsOfResponse {
  docs: AuditEntry[];
  /** The `after` of the next page. */
  after: number;
}

export interface ListSendsOfRequest {
  /** Only events after this number: the `after` of the previous page. */
  after?: number;
  /** Up to this many, 1 to 1000; default 100. */
  limit?: number;
  /** ID of the session. */
  id: string;
}
export interface ListSendsOfResponse {
  docs: SendEntry[];
  /** The `after` of the next page. */
  after: number;
}

export interface ReplaySessionOfRequest {
  /** The moment after this event. */
  seq?: number;
  /** The moment at this time (ISO 8601). */
  at?: string;
  /** ID of the session. */
  id: string;
}

export interface StreamEventsOfRequest {
  /** Only events after this number: the `after` of the previous page. */
  after?: number;
  /** ID of the session. */
  id: string;
}

export interface ListUsageRequest {
  /** Only the sessions of this tenant. */
  tenant?: string;
  /** The first day; default: 29 days before the last one, at most 399. */
  from?: string;
  /** The last day; default: today. */
  to?: string;
  /** The `after` of the previous page. */
  after?: string;
  /** Up to this many, 1 to 1000; default 100. */
  limit?: number;
}
export interface ListUsageResponse {
  docs: SessionUsage[];
  /** The `after` of the next page; empty when there is none. */
  after: string;
}

export interface ListNodesResponse {
  docs: Array<{
    /** Name of the node; another one after each start. */
    name: string;
    /** Whether it is the node that answers. */
    self: boolean;
    /** Where the other nodes reach it. Empty if the gateway is alone, and for keys of a tenant. */
    url: string;
    /** Version of the gateway. */
    version: string;
    /** When it started. ISO 8601. */
    started: string;
    /** When the node that answers heard of it last. ISO 8601. */
    heard: string;
    /** Whether it is there. A node that was killed stays in the list for a moment; what it owns then has no owner yet. */
    live: boolean;
    /** The live sessions that it acts for. null if it does not say, and for keys of a tenant. */
    sessions: number | null;
    /** The partitions that it owns, of 64. Each session is in one of them. */
    partitions: number[];
  }>;
}

export interface ResetSessionByIdRequest {
  /** ID of the session. */
  id: string;
}
export interface ResetSessionByIdResponse {
  /** Session ID. */
  id: string;
  state: "qrPending" | "codeRequired" | "passwordRequired" | "connected" | "disconnected" | "deleted";
  /** When the state ends by itself. ISO 8601, or empty. */
  deadline: string;
}

export interface SwitchWebhookRequest {
  /** ID of the session. */
  id: string;
  /** An http or https URL. */
  url?: string;
  token?: string;
  events?: Array<"message" | "message.edited" | "message.deleted" | "message.read" | "message.reaction" | "message.pinned" | "message.vote" | "message.button" | "chat.joined" | "chat.left" | "chat.member" | "chat.read" | "story" | "session.qr" | "session.password" | "session.code" | "session.connected" | "session.disconnected" | "session.login-lost" | "session.reset">;
  chats?: "private" | "groups" | "channels" | "all" | string[];
}
export interface SwitchWebhookResponse {
  /** Session ID. */
  id: string;
  hasWebhook: boolean;
}

export interface RotateSecretRequest {
  /** ID of the session. */
  id: string;
}
export interface RotateSecretResponse {
  /** Session ID. */
  id: string;
  /** The new secret of the session. */
  sessionId: string;
}

export interface CallMethodRequest {
  /** `messages.getHistory` */
  method: string;
  params?: Record<string, unknown>;
}

export interface ExportLoginRequest {
  format: "telethon" | "pyrogram" | "gramjs" | "mtcute";
}
export interface ExportLoginResponse {
  /** Session ID. */
  id: string;
  format: "telethon" | "pyrogram" | "gramjs" | "mtcute";
  /** The session string. It is a secret: it gives access to the whole account. */
  string: string;
}

export interface SetProxyRequest {
  /** `socks5://user:password@host:port`, `http://user:password@host:port` (CONNECT), or the `tg://proxy` link of an MTProto proxy. May be empty. */
  url: string;
}
export interface SetProxyResponse {
  /** Session ID. */
  id: string;
  /** The proxy, without its user name, password or secret. */
  proxy: {
    /** `socks5://host:port`, `http://host:port` or `tg://proxy?server=…`. Empty while there is no proxy. */
    url: string;
  };
}

export interface RequestLoginCodeRequest {
  phone: string;
}
export interface RequestLoginCodeResponse {
  /** Session ID. */
  id: string;
  /** True when logged in and connected. */
  isConnected: boolean;
  /** How the code was sent: to the app, as a text message, by a call, to an e-mail address, or by Fragment. */
  codeSentTo: "" | "app" | "sms" | "call" | "email" | "fragment";
}

export interface SubmitLoginCodeRequest {
  /** Must not be blank. */
  code: string;
}
export interface SubmitLoginCodeResponse {
  /** Session ID. */
  id: string;
  /** True when logged in and connected. */
  isConnected: boolean;
  /** True when the QR was scanned and the two-step password is awaited. */
  isPasswordRequired: boolean;
}

export interface SubmitPasswordRequest {
  password: string;
}
export interface SubmitPasswordResponse {
  /** Session ID. */
  id: string;
}

export interface ResetSessionRequest {
  name?: string;
  /** At most 16384 bytes. */
  metadata?: Record<string, string>;
  /** url and token both filled, or both empty to turn the webhook off. */
  webhook?: {
    /** An http or https URL. */
    url?: string;
    token?: string;
    events?: Array<"message" | "message.edited" | "message.deleted" | "message.read" | "message.reaction" | "message.pinned" | "message.vote" | "message.button" | "chat.joined" | "chat.left" | "chat.member" | "chat.read" | "story" | "session.qr" | "session.password" | "session.code" | "session.connected" | "session.disconnected" | "session.login-lost" | "session.reset">;
    chats?: "private" | "groups" | "channels" | "all" | string[];
  };
}

export interface GetPaceResponse {
  /** Session ID. */
  id: string;
  /** Null if the account has none. */
  pace: unknown | null;
  /** Sends that wait for their turn. */
  waiting: number;
  /** When one more message would have its turn; empty without a pace. ISO 8601, or empty. */
  nextTurn: string;
  /** Messages of the last minute. */
  lastMinute: number;
  /** Chats of the last 24 hours that had no messages before. */
  newChats: number;
}

export interface ListWebhooksResponse {
  docs: Array<{
    /** Of the webhook: its `webhookId`, as long as it is on. */
    id: string;
    url: string;
    token: string;
    /** Empty while the webhook is off. */
    events: Array<"message" | "message.edited" | "message.deleted" | "message.read" | "message.reaction" | "message.pinned" | "message.vote" | "message.button" | "chat.joined" | "chat.left" | "chat.member" | "chat.read" | "story" | "session.qr" | "session.password" | "session.code" | "session.connected" | "session.disconnected" | "session.login-lost" | "session.reset">;
    /** A word for kinds of chats, or the IDs of chats. */
    chats: "private" | "groups" | "channels" | "all" | string[];
    /** Events that have not been delivered yet. */
    pending: number;
    /** When an event was delivered last. ISO 8601, or empty. */
    lastDelivered: string;
    /** Why the last failed attempt failed. Empty if none has failed. */
    lastError: string;
    /** When it failed. ISO 8601, or empty. */
    lastFailed: string;
    /** When the next attempt of a failed delivery is due. Empty if none is waiting. ISO 8601, or empty. */
    nextAttempt: string;
    /** Events that were given up after 24 hours. */
    parked: number;
  }>;
}

export interface AddWebhookRequest {
  /** An http or https URL. */
  url: string;
  token: string;
  events?: Array<"message" | "message.edited" | "message.deleted" | "message.read" | "message.reaction" | "message.pinned" | "message.vote" | "message.button" | "chat.joined" | "chat.left" | "chat.member" | "chat.read" | "story" | "session.qr" | "session.password" | "session.code" | "session.connected" | "session.disconnected" | "session.login-lost" | "session.reset">;
  chats?: "private" | "groups" | "channels" | "all" | string[];
}
export interface AddWebhookResponse {
  /** Of the webhook: its `webhookId`, as long as it is on. */
  id: string;
  url: string;
  token: string;
  /** Empty while the webhook is off. */
  events: Array<"message" | "message.edited" | "message.deleted" | "message.read" | "message.reaction" | "message.pinned" | "message.vote" | "message.button" | "chat.joined" | "chat.left" | "chat.member" | "chat.read" | "story" | "session.qr" | "session.password" | "session.code" | "session.connected" | "session.disconnected" | "session.login-lost" | "session.reset">;
  /** A word for kinds of chats, or the IDs of chats. */
  chats: "private" | "groups" | "channels" | "all" | string[];
  /** Events that have not been delivered yet. */
  pending: number;
  /** When an event was delivered last. ISO 8601, or empty. */
  lastDelivered: string;
  /** Why the last failed attempt failed. Empty if none has failed. */
  lastError: string;
  /** When it failed. ISO 8601, or empty. */
  lastFailed: string;
  /** When the next attempt of a failed delivery is due. Empty if none is waiting. ISO 8601, or empty. */
  nextAttempt: string;
  /** Events that were given up after 24 hours. */
  parked: number;
}

export interface GetOneWebhookRequest {
  /** The webhook's `id`. */
  webhookId: string;
}
export interface GetOneWebhookResponse {
  /** Of the webhook: its `webhookId`, as long as it is on. */
  id: string;
  url: string;
  token: string;
  /** Empty while the webhook is off. */
  events: Array<"message" | "message.edited" | "message.deleted" | "message.read" | "message.reaction" | "message.pinned" | "message.vote" | "message.button" | "chat.joined" | "chat.left" | "chat.member" | "chat.read" | "story" | "session.qr" | "session.password" | "session.code" | "session.connected" | "session.disconnected" | "session.login-lost" | "session.reset">;
  /** A word for kinds of chats, or the IDs of chats. */
  chats: "private" | "groups" | "channels" | "all" | string[];
  /** Events that have not been delivered yet. */
  pending: number;
  /** When an event was delivered last. ISO 8601, or empty. */
  lastDelivered: string;
  /** Why the last failed attempt failed. Empty if none has failed. */
  lastError: string;
  /** When it failed. ISO 8601, or empty. */
  lastFailed: string;
  /** When the next attempt of a failed delivery is due. Empty if none is waiting. ISO 8601, or empty. */
  nextAttempt: string;
  /** Events that were given up after 24 hours. */
  parked: number;
}

export interface ChangeWebhookRequest {
  /** The webhook's `id`. */
  webhookId: string;
  /** An http or https URL. */
  url: string;
  token: string;
  events?: Array<"message" | "message.edited" | "message.deleted" | "message.read" | "message.reaction" | "message.pinned" | "message.vote" | "message.button" | "chat.joined" | "chat.left" | "chat.member" | "chat.read" | "story" | "session.qr" | "session.password" | "session.code" | "session.connected" | "session.disconnected" | "session.login-lost" | "session.reset">;
  chats?: "private" | "groups" | "channels" | "all" | string[];
}
export interface ChangeWebhookResponse {
  /** Of the webhook: its `webhookId`, as long as it is on. */
  id: string;
  url: string;
  token: string;
  /** Empty while the webhook is off. */
  events: Array<"message" | "message.edited" | "message.deleted" | "message.read" | "message.reaction" | "message.pinned" | "message.vote" | "message.button" | "chat.joined" | "chat.left" | "chat.member" | "chat.read" | "story" | "session.qr" | "session.password" | "session.code" | "session.connected" | "session.disconnected" | "session.login-lost" | "session.reset">;
  /** A word for kinds of chats, or the IDs of chats. */
  chats: "private" | "groups" | "channels" | "all" | string[];
  /** Events that have not been delivered yet. */
  pending: number;
  /** When an event was delivered last. ISO 8601, or empty. */
  lastDelivered: string;
  /** Why the last failed attempt failed. Empty if none has failed. */
  lastError: string;
  /** When it failed. ISO 8601, or empty. */
  lastFailed: string;
  /** When the next attempt of a failed delivery is due. Empty if none is waiting. ISO 8601, or empty. */
  nextAttempt: string;
  /** Events that were given up after 24 hours. */
  parked: number;
}

export interface RemoveWebhookRequest {
  /** The webhook's `id`. */
  webhookId: string;
}
export interface RemoveWebhookResponse {
  /** The `webhookId`. */
  id: string;
}

export interface ListParkedOfRequest {
  /** Only events after this number: the `after` of the previous page. */
  after?: number;
  /** Up to this many, 1 to 1000; default 100. */
  limit?: number;
  /** The webhook's `id`. */
  webhookId: string;
}
export interface ListParkedOfResponse {
  docs: Array<{
    seq: number;
    /** ID of the event. */
    id: string;
    type: string;
    /** When the event was recorded. ISO 8601. */
    created: string;
    /** Why the event was given up. */
    error: string;
  }>;
  /** The `after` of the next page. */
  after: number;
}

export interface ListDeliveriesOfRequest {
  /** Only these; left out: all. */
  status?: "pending" | "parked" | "delivered";
  /** Only of this chat. */
  chatId?: string;
  /** Of the page before. */
  after?: string;
  /** Up to this many, 1 to 100; default 50. */
  limit?: number;
  /** The webhook's `id`. */
  webhookId: string;
}
export interface ListDeliveriesOfResponse {
  docs: Array<{
    /** Number of the event. */
    seq: number;
    /** ID of the event. */
    id: string;
    /** Type of the event. Empty if it cannot be read. */
    type: string;
    /** When the event was recorded. ISO 8601. */
    created: string;
    status: "pending" | "parked" | "delivered";
    /** Attempts so far; 0 while it waits behind an earlier one of its chat. Of one that is finished: 1, or more if it is among the last 500 that took several. */
    attempts: number;
    /** Status of the response to its last attempt, if that failed; else 0. */
    lastStatus: number;
    /** Why its last attempt failed. Empty if none has failed, or once it is delivered. */
    lastError: string;
    /** When its chat is tried next, if that has failed. ISO 8601, or empty. */
    nextAttempt: string;
    /** The envelope, as its endpoint gets it. Left out if it cannot be opened. */
    event?: Record<string, unknown>;
  }>;
  /** The `after` of the next page; empty at the end. A page may end before its limit. */
  after: string;
}

export interface ReplayWebhookOfRequest {
  /** The webhook's `id`. */
  webhookId: string;
  /** The `seq` to begin with. */
  from?: number;
  /** With `from`: the last `seq`. Left out: all that come after. */
  to?: number;
  seqs?: number[];
  /** `true`: all that are parked. */
  parked?: boolean;
}
export interface ReplayWebhookOfResponse {
  /** Session ID; of an operators’ webhook, its own. */
  id: string;
  /** Events that are to be delivered. */
  pending: number;
}

export interface TestWebhookOfRequest {
  /** The webhook's `id`. */
  webhookId: string;
}
export interface TestWebhookOfResponse {
  /** ID of the test event. */
  id: string;
  delivered: boolean;
  /** Status of the response; 0 without a response. */
  status: number;
  /** Why the test failed. Empty if it was delivered. */
  error: string;
}

export interface SetWebhookRequest {
  /** An http or https URL. */
  url?: string;
  token?: string;
  events?: Array<"message" | "message.edited" | "message.deleted" | "message.read" | "message.reaction" | "message.pinned" | "message.vote" | "message.button" | "chat.joined" | "chat.left" | "chat.member" | "chat.read" | "story" | "session.qr" | "session.password" | "session.code" | "session.connected" | "session.disconnected" | "session.login-lost" | "session.reset">;
  chats?: "private" | "groups" | "channels" | "all" | string[];
}
export interface SetWebhookResponse {
  /** Session ID. */
  id: string;
  /** Both empty while the webhook is off. */
  webhook: {
    url: string;
    token: string;
  };
}

export interface GetWebhookResponse {
  /** Session ID. */
  id: string;
  /** Both empty while the webhook is off. */
  webhook: {
    url: string;
    token: string;
  };
  /** Empty while the webhook is off. */
  events: Array<"message" | "message.edited" | "message.deleted" | "message.read" | "message.reaction" | "message.pinned" | "message.vote" | "message.button" | "chat.joined" | "chat.left" | "chat.member" | "chat.read" | "story" | "session.qr" | "session.password" | "session.code" | "session.connected" | "session.disconnected" | "session.login-lost" | "session.reset">;
  /** A word for kinds of chats, or the IDs of chats. */
  chats: "private" | "groups" | "channels" | "all" | string[];
  /** Events that have not been delivered yet. */
  pending: number;
  /** When an event was delivered last. ISO 8601, or empty. */
  lastDelivered: string;
  /** Why the last failed attempt failed. Empty if none has failed. */
  lastError: string;
  /** When it failed. ISO 8601, or empty. */
  lastFailed: string;
  /** When the next attempt of a failed delivery is due. Empty if none is waiting. ISO 8601, or empty. */
  nextAttempt: string;
  /** Events that were given up after 24 hours. */
  parked: number;
}

export interface ListParkedRequest {
  /** Only events after this number: the `after` of the previous page. */
  after?: number;
  /** Up to this many, 1 to 1000; default 100. */
  limit?: number;
}
export interface ListParkedResponse {
  docs: Array<{
    seq: number;
    /** ID of the event. */
    id: string;
    type: string;
    /** When the event was recorded. ISO 8601. */
    created: string;
    /** Why the event was given up. */
    error: string;
  }>;
  /** The `after` of the next page. */
  after: number;
}

export interface ListDeliveriesRequest {
  /** Only these; left out: all. */
  status?: "pending" | "parked" | "delivered";
  /** Only of this chat. */
  chatId?: string;
  /** Of the page before. */
  after?: string;
  /** Up to this many, 1 to 100; default 50. */
  limit?: number;
}
export interface ListDeliveriesResponse {
  docs: Array<{
    /** Number of the event. */
    seq: number;
    /** ID of the event. */
    id: string;
    /** Type of the event. Empty if it cannot be read. */
    type: string;
    /** When the event was recorded. ISO 8601. */
    created: string;
    status: "pending" | "parked" | "delivered";
    /** Attempts so far; 0 while it waits behind an earlier one of its chat. Of one that is finished: 1, or more if it is among the last 500 that took several. */
    attempts: number;
    /** Status of the response to its last attempt, if that failed; else 0. */
    lastStatus: number;
    /** Why its last attempt failed. Empty if none has failed, or once it is delivered. */
    lastError: string;
    /** When its chat is tried next, if that has failed. ISO 8601, or empty. */
    nextAttempt: string;
    /** The envelope, as its endpoint gets it. Left out if it cannot be opened. */
    event?: Record<string, unknown>;
  }>;
  /** The `after` of the next page; empty at the end. A page may end before its limit. */
  after: string;
}

export interface ReplayWebhookRequest {
  /** The `seq` to begin with. */
  from?: number;
  /** With `from`: the last `seq`. Left out: all that come after. */
  to?: number;
  seqs?: number[];
  /** `true`: all that are parked. */
  parked?: boolean;
}
export interface ReplayWebhookResponse {
  /** Session ID; of an operators’ webhook, its own. */
  id: string;
  /** Events that are to be delivered. */
  pending: number;
}

export interface TestWebhookResponse {
  /** ID of the test event. */
  id: string;
  delivered: boolean;
  /** Status of the response; 0 without a response. */
  status: number;
  /** Why the test failed. Empty if it was delivered. */
  error: string;
}

export interface ListEventsRequest {
  /** Only events after this number: the `after` of the previous page. */
  after?: number;
  /** Up to this many, 1 to 1000; default 100. */
  limit?: number;
}
export interface ListEventsResponse {
  docs: AuditEntry[];
  /** The `after` of the next page. */
  after: number;
}

export interface ListSendsRequest {
  /** Only events after this number: the `after` of the previous page. */
  after?: number;
  /** Up to this many, 1 to 1000; default 100. */
  limit?: number;
}
export interface ListSendsResponse {
  docs: SendEntry[];
  /** The `after` of the next page. */
  after: number;
}

export interface ReplaySessionRequest {
  /** The moment after this event. */
  seq?: number;
  /** The moment at this time (ISO 8601). */
  at?: string;
}

export interface StreamEventsRequest {
  /** Only events after this number: the `after` of the previous page. */
  after?: number;
}

export interface ReadMessagesRequest {
  /** Name of the reader: its place is kept under it. */
  reader: string;
  /** Types of events, with commas. Left out: as before, at first those of messages. */
  events?: Array<"message" | "message.edited" | "message.deleted" | "message.read" | "message.reaction" | "message.pinned" | "message.vote" | "message.button" | "chat.joined" | "chat.left" | "chat.member" | "chat.read" | "story" | "chat.typing" | "user.status" | "session.qr" | "session.password" | "session.code" | "session.connected" | "session.disconnected" | "session.login-lost" | "session.reset">;
  /** `private`, `groups`, `channels`, `all`, or up to 100 chat IDs, with commas. Left out: as before, at first `private`; of a key with `chats`, at first all of these. */
  chats?: "private" | "groups" | "channels" | "all" | string[];
  /** Number of the last event that the reader has. Of the stream, `Last-Event-ID` counts more. */
  after?: number;
}

export interface StreamMessagesRequest {
  /** Name of the reader: its place is kept under it. */
  reader: string;
  /** Types of events, with commas. Left out: as before, at first those of messages. */
  events?: Array<"message" | "message.edited" | "message.deleted" | "message.read" | "message.reaction" | "message.pinned" | "message.vote" | "message.button" | "chat.joined" | "chat.left" | "chat.member" | "chat.read" | "story" | "chat.typing" | "user.status" | "session.qr" | "session.password" | "session.code" | "session.connected" | "session.disconnected" | "session.login-lost" | "session.reset">;
  /** `private`, `groups`, `channels`, `all`, or up to 100 chat IDs, with commas. Left out: as before, at first `private`; of a key with `chats`, at first all of these. */
  chats?: "private" | "groups" | "channels" | "all" | string[];
  /** Number of the last event that the reader has. Of the stream, `Last-Event-ID` counts more. */
  after?: number;
}

export interface UploadFileRequest {
  /** What the recipient sees; left out, the name in the form, or `file`. */
  name?: string;
}
export interface UploadFileResponse {
  /** What `file` of a media object takes. */
  id: string;
  /** Bytes. */
  size: number;
  name: string;
  mimetype: string;
  /** Until when it can be sent. ISO 8601. */
  expires: string;
}

export interface SendMessageResponse {
  /** ID in the receiving chat; of an album the first one. */
  messageId?: string;
  /** Of an album: of all its messages. */
  messageIds?: string[];
  /** Instead of `messageId`, with `sendAt`: ID in the queue of the chat; of an album the first one. */
  scheduledId?: string;
  /** Of an album that is sent later. */
  scheduledIds?: string[];
}

export type EditMessageRequest = Recipient & {
  messageId: string;
  /** May be empty. */
  text: string;
  parseMode?: "markdown" | "html";
};
export interface EditMessageResponse {
  /** Session ID. */
  id: string;
}

export interface DeleteMessagesRequest {
  /** The chat: a group, by ID or username. */
  group?: string;
  /** The chat: a channel, by ID or username. */
  channel?: string;
  /** The chat: a user ID. */
  user?: string;
  /** The chat: a username. */
  username?: string;
  /** The chat: a phone number. */
  phone?: string;
  /** Up to 100, separated by commas, or the parameter is repeated. */
  messageIds: string[];
  /** `true`: for the other members of the chat too; else for this account alone. */
  forEveryone?: boolean;
}
export interface DeleteMessagesResponse {
  /** Session ID. */
  id: string;
}

export type ForwardMessagesRequest = Recipient & {
  from: Recipient;
  /** Of a forum: the ID of a topic. 1 is General. */
  topic?: string;
  messageIds: string[];
  dropAuthor?: boolean;
};
export interface ForwardMessagesResponse {
  /** IDs in the receiving chat, in the order of the messages. */
  messageIds: string[];
}

export type PressButtonRequest = Recipient & {
  messageId: string;
  row: number;
  column: number;
};
export interface PressButtonResponse {
  /** What the bot says; empty if it says nothing. */
  text: string;
  /** What the bot, or the button, wants to be opened; empty if nothing. */
  url: string;
  /** The text is shown until it is confirmed. */
  alert: boolean;
}

export type VoteInPollRequest = Recipient & {
  messageId: string;
  options: number[];
};
export interface VoteInPollResponse {
  /** Session ID. */
  id: string;
}

export type ReactToMessageRequest = Recipient & {
  messageId: string;
  /** May be empty. */
  emoji: string;
};
export interface ReactToMessageResponse {
  /** Session ID. */
  id: string;
}

export type PinMessageRequest = Recipient & {
  messageId: string;
};
export interface PinMessageResponse {
  /** Session ID. */
  id: string;
}

export interface UnpinMessageRequest {
  /** The chat: a group, by ID or username. */
  group?: string;
  /** The chat: a channel, by ID or username. */
  channel?: string;
  /** The chat: a user ID. */
  user?: string;
  /** The chat: a username. */
  username?: string;
  /** The chat: a phone number. */
  phone?: string;
  /** Message ID. */
  messageId: string;
}
export interface UnpinMessageResponse {
  /** Session ID. */
  id: string;
}

export interface ListScheduledMessagesRequest {
  /** The chat: a user ID, `-…` of a group or `-100…` of a supergroup or channel. */
  chatId: string;
}
export interface ListScheduledMessagesResponse {
  docs: Array<{
    /** Message ID. */
    id: string;
    /** The chat. */
    chatId: string;
    /** The account wrote it, here or elsewhere. */
    fromMe: boolean;
    /** The other side of a private chat, whichever side wrote; else who wrote. */
    user: {
      /** User ID, or the ID of the chat that wrote. */
      id: string;
      name: string;
      /** Without @. Empty if none. */
      username: string;
      /** Empty unless shared with the account. */
      phone: string;
      /** Media link: the small profile photo, until there is another one; empty if none. */
      picture: string;
    };
    type: "text" | "image" | "video" | "sticker" | "audio" | "voice" | "document" | "poll" | "location" | "contact";
    /** Message text, or the caption of media. */
    text: string;
    /** Formatting of `text`, by offset. What Telegram finds in it by itself (addresses, @names, #tags) is left out. */
    entities: Array<{
      type: "bold" | "italic" | "underline" | "strikethrough" | "spoiler" | "code" | "pre" | "blockquote" | "expandable_blockquote" | "text_link" | "text_mention" | "custom_emoji";
      /** In UTF-16 code units, as `length`. */
      offset: number;
      length: number;
      /** Of a `text_link`. */
      url?: string;
      /** Of a `text_mention`. */
      userId?: string;
      /** Of a `pre`; empty if it names none. */
      language?: string;
      /** Of a `custom_emoji`. */
      customEmojiId?: string;
    }>;
    image?: {
      /** Media link: the largest size. */
      url: string;
      /** Media link: about 800 pixels; empty when none is kept. */
      thumbnail: string;
      mimetype: string;
    };
    video?: {
      /** Media link: the video. */
      url: string;
      /** Media link: 320 pixels; empty when none is kept. */
      thumbnail: string;
      /** Seconds. */
      duration: number;
      mimetype: string;
    };
    sticker?: {
      /** Media link: the sticker. */
      url: string;
      mimetype: string;
    };
    audio?: {
      /** Media link: the music. */
      url: string;
      name: string;
      /** Seconds. */
      duration: number;
      /** Bytes. */
      size: number;
      mimetype: string;
    };
    voice?: {
      /** Media link: the voice note. */
      url: string;
      /** Seconds. */
      duration: number;
      /** Bytes. */
      size: number;
      mimetype: string;
    };
    document?: {
      /** Media link: the file. */
      url: string;
      name: string;
      /** Bytes. */
      size: number;
      mimetype: string;
    };
    polling?: {
      /** The question. */
      name: string;
      options: string[];
    };
    poll?: {
      /** Poll ID. */
      id: string;
      question: string;
      options: Array<{
        text: string;
        /** null: Telegram does not tell before the account has voted, or the poll is closed. */
        votes: number | null;
        /** The account voted for it. */
        chosen: boolean;
        /** The right answer of a quiz, as soon as Telegram tells it. */
        correct: boolean;
      }>;
      /** How many have voted. */
      total: number;
      /** A voter may choose several options. */
      multiple: boolean;
      quiz: boolean;
      closed: boolean;
      /** Of a quiz, as soon as Telegram tells it; else empty. */
      explanation: string;
    };
    location?: {
      latitude: number;
      longitude: number;
      /** Of a venue; empty for a plain pin. */
      name: string;
      /** Of a venue; empty for a plain pin. */
      address: string;
    };
    contact?: {
      name: string;
      phone: string;
      /** Empty if they are not on Telegram. */
      userId: string;
    };
    /** ID of the message that it replies to; empty if none. */
    replyTo: string;
    /** When it was sent. ISO 8601. */
    created: string;
    /** The forum's topic; empty outside of forums. */
    topic: string;
    reactions: Array<{
      /** Empty for a custom emoji. */
      emoji: string;
      count: number;
      /** The account reacted so. */
      fromMe: boolean;
    }>;
    /** Rows of inline buttons. */
    buttons: Array<Array<{
      text: string;
      /** Empty unless it opens one. */
      url: string;
    }>>;
    /** When it was edited. ISO 8601, or empty. */
    edited: string;
    /** When Telegram sends it. Empty: when the other side is online. ISO 8601, or empty. */
    sendAt: string;
  }>;
}

export interface DeleteScheduledMessageRequest {
  /** The chat: a user ID, `-…` of a group or `-100…` of a supergroup or channel. */
  chatId: string;
  /** The message's `scheduledId`. */
  scheduledId: string;
}
export interface DeleteScheduledMessageResponse {
  /** Session ID. */
  id: string;
}

export type ShowTypingRequest = RecipientButChannel & {
  /** Of a forum: the ID of a topic. 1 is General. */
  topic?: string;
  type?: string;
};
export interface ShowTypingResponse {
  /** Session ID. */
  id: string;
}

export interface PostStatusResponse {
  statusId: string;
  /** When it was posted. ISO 8601. */
  created: string;
  /** Until when it is shown. ISO 8601. */
  expires: string;
}

export interface ListChatsRequest {
  /** `true`: those of the archive; else those outside of it. */
  archived?: boolean;
  /** The `after` of the previous page; empty for the first one. */
  after?: string;
  /** 1 to 100; 50 if it is left out. */
  limit?: number;
}
export interface ListChatsResponse {
  docs: Chat[];
  /** The `after` of the next page; empty at the end. */
  after: string;
}

export interface ListMessagesRequest {
  /** The chat: a user ID, `-…` of a group or `-100…` of a supergroup or channel. */
  chatId: string;
  /** Of a forum: the messages of one topic; 1 is General. */
  topic?: string;
  /** The `before` of the previous page; empty for the newest messages. */
  before?: string;
  /** 1 to 100; 50 if it is left out. */
  limit?: number;
}
export interface ListMessagesResponse {
  docs: Message[];
  /** The `before` of the next page; empty at the end. */
  before: string;
}

export interface GetMessageRequest {
  /** The chat: a user ID, `-…` of a group or `-100…` of a supergroup or channel. */
  chatId: string;
  /** Message ID. */
  messageId: string;
}

export interface SearchMessagesRequest {
  /** The chat: a user ID, `-…` of a group or `-100…` of a supergroup or channel. Without one, all chats are searched. */
  chatId?: string;
  /** The words. */
  q: string;
  /** Of a forum: the messages of one topic; 1 is General. */
  topic?: string;
  /** The `before` of the previous page; empty for the newest messages. */
  before?: string;
  /** 1 to 100; 50 if it is left out. */
  limit?: number;
}
export interface SearchMessagesResponse {
  docs: Message[];
  /** The `before` of the next page; empty at the end. */
  before: string;
}

export interface ListTopicsRequest {
  /** The `after` of the previous page; empty for the first one. */
  after?: string;
  /** 1 to 100; 50 if it is left out. */
  limit?: number;
  /** Group ID or public group username. */
  groupId: string;
}
export interface ListTopicsResponse {
  docs: Array<{
    /** Topic ID: that of its first message; 1 is General. */
    id: string;
    name: string;
    /** Messages that were not read yet. */
    unread: number;
    pinned: boolean;
    /** Only administrators write in it. */
    closed: boolean;
    /** The newest message; null if there is none, or it only says what happened in the topic. */
    last: Message | null;
  }>;
  /** The `after` of the next page; empty at the end. */
  after: string;
}

export interface GetChatRequest {
  /** The chat: a user ID, `-…` of a group or `-100…` of a supergroup or channel. */
  chatId: string;
}

export type ReadChatRequest = Recipient & {
  /** Of a forum: the ID of a topic. 1 is General. */
  topic?: string;
  messageId?: string;
};
export interface ReadChatResponse {
  /** Session ID. */
  id: string;
}

export type ArchiveChatRequest = Recipient & {
  on: boolean;
};
export interface ArchiveChatResponse {
  /** Session ID. */
  id: string;
}

export type MuteChatRequest = Recipient & {
  /** Of a forum: the ID of a topic. 1 is General. */
  topic?: string;
  on: boolean;
};
export interface MuteChatResponse {
  /** Session ID. */
  id: string;
}

export type PinChatRequest = Recipient & {
  /** Of a forum: the ID of a topic. 1 is General. */
  topic?: string;
  on: boolean;
};
export interface PinChatResponse {
  /** Session ID. */
  id: string;
}

export interface ListGroupsResponse {
  docs: Group[];
}

export interface CreateGroupRequest {
  /** Must not be blank. */
  name: string;
  users?: string[];
  kind?: "group" | "supergroup";
  description?: string;
}
export interface CreateGroupResponse {
  /** Of the new chat. */
  groupId: string;
  /** User IDs of those whom their own settings keep out. */
  missing: string[];
}

export interface ListMembersRequest {
  /** Group ID or public group username. */
  groupId: string;
}
export interface ListMembersResponse {
  docs: GroupMember[];
}

export interface GetGroupRequest {
  /** Group ID or public group username. */
  groupId: string;
}

export interface ChangeGroupRequest {
  /** Group ID or public group username. */
  groupId: string;
  name?: string;
  description?: string;
  /** Exactly one of url, data, file. */
  picture?: {
    /** An http or https URL. */
    url?: string;
    /** Base64 of at most 10485760 bytes. */
    data?: string;
    file?: string;
  };
  permissions?: {
    messages?: boolean;
    media?: boolean;
    stickers?: boolean;
    polls?: boolean;
    links?: boolean;
    invite?: boolean;
    pin?: boolean;
    info?: boolean;
  };
  slowmode?: number;
}
export interface ChangeGroupResponse {
  /** Session ID. */
  id: string;
}

export interface ListChannelsResponse {
  docs: Channel[];
}

export interface CreateChannelRequest {
  /** Must not be blank. */
  name: string;
  users?: string[];
  description?: string;
}
export interface CreateChannelResponse {
  /** Of the new chat. */
  channelId: string;
  /** User IDs of those whom their own settings keep out. */
  missing: string[];
}

export interface ListChannelMessagesRequest {
  /** Channel ID or public channel username. */
  channelId: string;
  /** The `before` of the previous page; empty for the newest messages. */
  before?: string;
}
export interface ListChannelMessagesResponse {
  docs: ChannelMessage[];
  /** The `before` of the next page; 0 when there is none. */
  before: number;
}

export interface GetChannelRequest {
  /** Channel ID or public channel username. */
  channelId: string;
}

export interface ChangeChannelRequest {
  /** Channel ID or public channel username. */
  channelId: string;
  name?: string;
  description?: string;
  /** Exactly one of url, data, file. */
  picture?: {
    /** An http or https URL. */
    url?: string;
    /** Base64 of at most 10485760 bytes. */
    data?: string;
    file?: string;
  };
}
export interface ChangeChannelResponse {
  /** Session ID. */
  id: string;
}

export interface AddGroupMembersRequest {
  /** Group ID or public group username. */
  groupId: string;
  users: string[];
}
export interface AddGroupMembersResponse {
  /** User IDs of those whom their own settings keep out. */
  missing: string[];
}

export interface RemoveGroupMembersRequest {
  /** Separated by commas, or the parameter is repeated. */
  users: string[];
  /** Group ID or public group username. */
  groupId: string;
}
export interface RemoveGroupMembersResponse {
  /** Session ID. */
  id: string;
}

export interface SetGroupRoleRequest {
  /** Group ID or public group username. */
  groupId: string;
  /** User ID, or @username. */
  userId: string;
  role: "admin" | "member";
}
export interface SetGroupRoleResponse {
  /** Session ID. */
  id: string;
}

export interface ListGroupInvitesRequest {
  /** Group ID or public group username. */
  groupId: string;
}
export interface ListGroupInvitesResponse {
  docs: Invite[];
}

export interface CreateGroupInviteRequest {
  /** Group ID or public group username. */
  groupId: string;
  name?: string;
  expires?: string;
  limit?: number;
  approval?: boolean;
}

export interface JoinGroupRequest {
  /** Must not be blank. */
  link: string;
}
export interface JoinGroupResponse {
  /** Empty until an administrator lets the account in. */
  groupId: string;
}

export interface LeaveGroupRequest {
  /** Group ID or public group username. */
  groupId: string;
}
export interface LeaveGroupResponse {
  /** Session ID. */
  id: string;
}

export interface AddChannelMembersRequest {
  /** Channel ID or public channel username. */
  channelId: string;
  users: string[];
}
export interface AddChannelMembersResponse {
  /** User IDs of those whom their own settings keep out. */
  missing: string[];
}

export interface RemoveChannelMembersRequest {
  /** Separated by commas, or the parameter is repeated. */
  users: string[];
  /** Channel ID or public channel username. */
  channelId: string;
}
export interface RemoveChannelMembersResponse {
  /** Session ID. */
  id: string;
}

export interface SetChannelRoleRequest {
  /** Channel ID or public channel username. */
  channelId: string;
  /** User ID, or @username. */
  userId: string;
  role: "admin" | "member";
}
export interface SetChannelRoleResponse {
  /** Session ID. */
  id: string;
}

export interface ListChannelInvitesRequest {
  /** Channel ID or public channel username. */
  channelId: string;
}
export interface ListChannelInvitesResponse {
  docs: Invite[];
}

export interface CreateChannelInviteRequest {
  /** Channel ID or public channel username. */
  channelId: string;
  name?: string;
  expires?: string;
  limit?: number;
  approval?: boolean;
}

export interface JoinChannelRequest {
  /** Must not be blank. */
  link: string;
}
export interface JoinChannelResponse {
  /** Empty until an administrator lets the account in. */
  channelId: string;
}

export interface LeaveChannelRequest {
  /** Channel ID or public channel username. */
  channelId: string;
}
export interface LeaveChannelResponse {
  /** Session ID. */
  id: string;
}

export interface ListContactsResponse {
  docs: User[];
}

export interface AddContactRequest {
  /** Must not be blank. */
  phone: string;
  /** Must not be blank. */
  name: string;
}

export interface CheckPhoneRequest {
  /** With the country code. */
  phone: string;
}
export interface CheckPhoneResponse {
  /** Somebody has this number on Telegram, and lets it be seen. */
  exists: boolean;
  user?: User;
}

export interface DeleteContactRequest {
  /** User ID, or @username. */
  userId: string;
}
export interface DeleteContactResponse {
  /** Session ID. */
  id: string;
}

export interface GetUserRequest {
  /** User ID, or @username. */
  userId: string;
}

export interface BlockUserRequest {
  /** User ID, or @username. */
  userId: string;
}
export interface BlockUserResponse {
  /** Session ID. */
  id: string;
}

export interface UnblockUserRequest {
  /** User ID, or @username. */
  userId: string;
}
export interface UnblockUserResponse {
  /** Session ID. */
  id: string;
}

export interface ChangeAccountRequest {
  name?: string;
  about?: string;
  username?: string;
  /** Exactly one of url, data, file. */
  picture?: {
    /** An http or https URL. */
    url?: string;
    /** Base64 of at most 10485760 bytes. */
    data?: string;
    file?: string;
  };
}

export interface ListDevicesResponse {
  docs: Device[];
}

export interface RemoveDeviceRequest {
  /** Of the list. */
  id: string;
}
export interface RemoveDeviceResponse {
  /** Session ID. */
  id: string;
}

/** What is asked of one session. */
export interface SessionOperations {
  /**
   * Get a session.
   *
   * Works in every state. A 404 while polling for the QR means that it was not scanned in time.
   *
   * `GET /session`
   */
  getSession(options?: CallOptions): Promise<Session>;

  /**
   * Delete a session.
   *
   * Logs out at Telegram and erases personal data. Later requests get 404.
   *
   * `DELETE /session`
   */
  deleteSession(options?: CallOptions): Promise<DeleteSessionResponse>;

  /**
   * Change the session’s own names, and its account’s pace.
   *
   * `externalId` (unique among live sessions) and `label` are yours: they stand in lists, the audit, log lines and webhooks, in the clear, so they are not for personal data. What is left out stays; an empty text takes the name away. `pace` is how fast the account may write: messages of all endpoints in any minute (`perMinute`), and chats without messages that it writes to in any 24 hours (`newChatsPerDay`). A send waits for its turn; a turn more than 240 s away is 429 with Retry-After. `null` turns the pace off.
   *
   * `PATCH /session`
   */
  changeSession(request?: ChangeSessionRequest, options?: CallOptions): Promise<ChangeSessionResponse>;

  /**
   * Call any method of Telegram's API as the session's account.
   *
   * Methods and parameters of layer 198 with their published names (https://core.telegram.org/methods), `_` for the constructor of an object. Bytes are base64, 64-bit integers are strings. A chat ID stands for an input peer, user or channel. A `random_id` that is left out is chosen at random. The answer has the same form; messages of Telegram's own accounts, which send login codes, are empty in it. Each call is recorded in the session's audit, without its parameters.
   *
   * Refused: `auth.*`, `updates.*`, `phone.*`, `invoke*`, `initConnection`, what takes a password, `payments.*` but `payments.get*`, `*UrlAuth`, and of `account.*` what concerns the deletion of the account, phone, e-mail, password, secure values, authorizations, devices and business bots.
   *
   * Scope of the key: `raw`.
   *
   * `POST /telegram/{method}`
   */
  callMethod(request: CallMethodRequest, options?: CallOptions): Promise<unknown>;

  /**
   * Give the login away as a session string.
   *
   * For Telethon, Pyrogram 2, GramJS or mtcute 3. The login is that program’s from then on: its key is dropped here without a log-out, and the session shows a QR code again. If the response is lost, so is the login.
   *
   * Besides `session-id`: a key with the scope `strings`, if the service has an API key.
   *
   * `POST /session/string`
   */
  exportLogin(request: ExportLoginRequest, options?: CallOptions): Promise<ExportLoginResponse>;

  /**
   * Set the proxy to Telegram, or turn it off.
   *
   * From then on every connection of the session goes through it, the log-out included. It is tried first: if Telegram does not answer through it, nothing changes. It survives restarts and resets. An empty `url` turns it off.
   *
   * `PUT /session/proxy`
   */
  setProxy(request: SetProxyRequest, options?: CallOptions): Promise<SetProxyResponse>;

  /**
   * Log in by a code instead of the QR.
   *
   * Telegram sends a code to the phone: `codeSentTo` says how. The same phone again has it sent in the next way. Each code has 5 minutes; there are three at most.
   *
   * `POST /session/login`
   */
  requestLoginCode(request: RequestLoginCodeRequest, options?: CallOptions): Promise<RequestLoginCodeResponse>;

  /**
   * Submit the login code.
   *
   * After a code that has expired another one is sent, up to three.
   *
   * `POST /session/code`
   */
  submitLoginCode(request: SubmitLoginCodeRequest, options?: CallOptions): Promise<SubmitLoginCodeResponse>;

  /**
   * Submit the two-step password.
   *
   * While `isPasswordRequired` is true. `passwordHint` is what the account's owner noted for it.
   *
   * `POST /session/password`
   */
  submitPassword(request: SubmitPasswordRequest, options?: CallOptions): Promise<SubmitPasswordResponse>;

  /**
   * Log out and show a fresh QR.
   *
   * Keeps id, sessionId, webhook and metadata; fields of the body replace theirs.
   *
   * `POST /session/reset`
   */
  resetSession(request?: ResetSessionRequest, options?: CallOptions): Promise<CreatedSession>;

  /**
   * The account’s pace, and what waits for its turn.
   *
   * The account’s pace, and what waits for its turn.
   *
   * `GET /session/pace`
   */
  getPace(options?: CallOptions): Promise<GetPaceResponse>;

  /**
   * The webhooks of the session, with the state of their deliveries.
   *
   * Up to five. The one of `/session/webhook` is the first.
   *
   * `GET /session/webhooks`
   */
  listWebhooks(options?: CallOptions): Promise<ListWebhooksResponse>;

  /**
   * Add a webhook.
   *
   * It gets what happens from now on, in its own order and with its own retries: one that does not respond delays no other. If `/session/webhook` is off, it becomes that one.
   *
   * `POST /session/webhooks`
   */
  addWebhook(request: AddWebhookRequest, options?: CallOptions): Promise<AddWebhookResponse>;

  /**
   * Get a webhook and the state of its deliveries.
   *
   * Get a webhook and the state of its deliveries.
   *
   * `GET /session/webhooks/{webhookId}`
   */
  getOneWebhook(request: GetOneWebhookRequest, options?: CallOptions): Promise<GetOneWebhookResponse>;

  /**
   * Change a webhook.
   *
   * What waits goes to the new URL at once. Without `events` and `chats` it gets what a webhook gets by default.
   *
   * `PUT /session/webhooks/{webhookId}`
   */
  changeWebhook(request: ChangeWebhookRequest, options?: CallOptions): Promise<ChangeWebhookResponse>;

  /**
   * Turn a webhook off.
   *
   * What waits for it is not delivered.
   *
   * `DELETE /session/webhooks/{webhookId}`
   */
  removeWebhook(request: RemoveWebhookRequest, options?: CallOptions): Promise<RemoveWebhookResponse>;

  /**
   * Events that were given up after 24 hours.
   *
   * Kept, like all events, for 7 days. Replay sends them again.
   *
   * `GET /session/webhooks/{webhookId}/parked`
   */
  listParkedOf(request: ListParkedOfRequest, options?: CallOptions): Pages<ListParkedOfResponse>;

  /**
   * The deliveries: what waits, what was given up, what was delivered.
   *
   * Each with its attempts, why the last one failed, when the next one is due, and the event itself. What is pending or parked comes in its order, all else newest first. Kept for 7 days; none while the webhook is off.
   *
   * `GET /session/webhooks/{webhookId}/deliveries`
   */
  listDeliveriesOf(request: ListDeliveriesOfRequest, options?: CallOptions): Pages<ListDeliveriesOfResponse>;

  /**
   * Send events again.
   *
   * With the same IDs. `from` sends all events from a number on, in the order of their chats; `from` with `to`, `seqs` or `parked` some of them, in their order, beside what is new. Numbers that are pending already, or that the webhook does not want, are left out.
   *
   * `POST /session/webhooks/{webhookId}/replay`
   */
  replayWebhookOf(request: ReplayWebhookOfRequest, options?: CallOptions): Promise<ReplayWebhookOfResponse>;

  /**
   * Send a signed test event now.
   *
   * One attempt, outside of the queue. The response has its result.
   *
   * `POST /session/webhooks/{webhookId}/test`
   */
  testWebhookOf(request: TestWebhookOfRequest, options?: CallOptions): Promise<TestWebhookOfResponse>;

  /**
   * Set the webhook, or turn it off.
   *
   * Both empty turn it off. POST does the same. `events` and `chats` say what it gets: without them, the four events of private chats. `docs/webhooks` describes each event.
   *
   * `PUT /session/webhook`
   */
  setWebhook(request?: SetWebhookRequest, options?: CallOptions): Promise<SetWebhookResponse>;

  /**
   * Get the webhook and the state of its deliveries.
   *
   * How many events wait, when one was delivered last, and why the last failed attempt failed.
   *
   * `GET /session/webhook`
   */
  getWebhook(options?: CallOptions): Promise<GetWebhookResponse>;

  /**
   * Events that were given up after 24 hours.
   *
   * Kept, like all events, for 7 days. Replay sends them again.
   *
   * `GET /session/webhook/parked`
   */
  listParked(request?: ListParkedRequest, options?: CallOptions): Pages<ListParkedResponse>;

  /**
   * The deliveries: what waits, what was given up, what was delivered.
   *
   * Each with its attempts, why the last one failed, when the next one is due, and the event itself. What is pending or parked comes in its order, all else newest first. Kept for 7 days; none while the webhook is off.
   *
   * `GET /session/webhook/deliveries`
   */
  listDeliveries(request?: ListDeliveriesRequest, options?: CallOptions): Pages<ListDeliveriesResponse>;

  /**
   * Send events again.
   *
   * With the same IDs. `from` sends all events from a number on, in the order of their chats; `from` with `to`, `seqs` or `parked` some of them, in their order, beside what is new. Numbers that are pending already, or that the webhook does not want, are left out.
   *
   * `POST /session/webhook/replay`
   */
  replayWebhook(request?: ReplayWebhookRequest, options?: CallOptions): Promise<ReplayWebhookResponse>;

  /**
   * Send a signed test event now.
   *
   * One attempt, outside of the queue. The response has its result.
   *
   * `POST /session/webhook/test`
   */
  testWebhook(options?: CallOptions): Promise<TestWebhookResponse>;

  /**
   * The events of a session, with their reasons.
   *
   * Page by page, from the first one on. Every transition is an event before a response shows it.
   *
   * `GET /session/events`
   */
  listEvents(request?: ListEventsRequest, options?: CallOptions): Pages<ListEventsResponse>;

  /**
   * Who has sent with an Idempotency-Key.
   *
   * Page by page, the oldest first: the sends of the last 24 hours, each with who sent. A send that began and has no response has failed, or its outcome is not known: repeating it with its key is safe.
   *
   * `GET /session/sends`
   */
  listSends(request?: ListSendsRequest, options?: CallOptions): Pages<ListSendsResponse>;

  /**
   * A session as it was at any moment.
   *
   * With neither seq nor at: as it is now.
   *
   * `GET /session/replay`
   */
  replaySession(request?: ReplaySessionRequest, options?: CallOptions): Promise<PastSession>;

  /**
   * The events of a session, live.
   *
   * First those after `after` or `last-event-id`, then each new one.
   *
   * `GET /session/stream`
   */
  streamEvents(request?: StreamEventsRequest, options?: CallOptions): AsyncIterable<AuditEntry>;

  /**
   * The same as a WebSocket.
   *
   * Each message is an envelope as JSON. `{ "ack": 17 }` says that all up to 17 have arrived: the place of the reader, kept within a second. A reader that comes back without `after` goes on there.
   *
   * A key with `chats` has it for these chats alone.
   *
   * `GET /session/messages`
   */
  readMessages(request: ReadMessagesRequest, options?: SocketOptions): AsyncIterable<GatewayEvent>;

  /**
   * What happens in the account, as server-sent events.
   *
   * The envelopes that a webhook gets, for those who cannot be called. A session has up to five readers, each with its filter and its place; what one wishes is kept, and recorded for, until 24 hours after it left. It gets what was recorded since it first came, from its place on: the event of `Last-Event-ID`, else `after`, else the one that it named last. A reader that connects again ends its earlier connection. The stream ends with the session.
   *
   * A key with `chats` has it for these chats alone.
   *
   * `GET /session/messages/stream`
   */
  streamMessages(request: StreamMessagesRequest, options?: CallOptions): AsyncIterable<GatewayEvent>;

  /**
   * Upload a file to send it by its ID.
   *
   * The body is the file, up to 2,097,152,000 bytes, of any content type, or a `multipart/form-data` form with one file, whatever the name of its field. The ID is what `file` of a media object takes, in this session, for an hour, any number of times. No file is kept across a restart of the gateway.
   *
   * A key with `chats` has it for these chats alone.
   *
   * `POST /file`
   */
  uploadFile(file: FileContent, request?: UploadFileRequest, options?: CallOptions): Promise<UploadFileResponse>;

  /**
   * Send a message.
   *
   * To one of group, channel, user, username and phone; of several the first in this order counts. The object named by `type` is required with it. Media come from one of `url` (fetched, must be public), `data` (base64, up to 10 MB) and `file` (an ID of `POST /file`). Images become JPEGs of at most 2560 pixels; audio is sent as music; a location with a name or an address is a venue. A text is trimmed; of more than 100 formats in it (bold, links, …) the first 100 are kept, as Telegram does. `voice` and `videoNote` are made of any audio or video; an animation of any video or GIF; a sticker is a WebP, TGS or WebM. An album is sent whole or not at all: photos with videos, music with music, documents with documents. With `sendAt`, Telegram keeps the message in the queue of the chat and sends it later, even if the gateway is down: the response has a `scheduledId`, and the message that is sent has another ID. What is due within about 10 seconds is sent at once.
   *
   * A key with `chats` has it for these chats alone.
   *
   * `POST /message`
   */
  sendMessage(request: OutgoingMessage, options?: KeyedCallOptions): Promise<SendMessageResponse>;

  /**
   * Edit a text or a caption.
   *
   * The media of the message stay. An empty text removes a caption. An edit that would change nothing is refused by Telegram, unless an earlier request with the same key has made it.
   *
   * A key with `chats` has it for these chats alone.
   *
   * `PATCH /message`
   */
  editMessage(request: EditMessageRequest, options?: KeyedCallOptions): Promise<EditMessageResponse>;

  /**
   * Delete messages.
   *
   * Messages that the chat does not have are passed over. In supergroups and channels a message is always deleted for everyone.
   *
   * A key with `chats` has it for these chats alone.
   *
   * `DELETE /message`
   */
  deleteMessages(request: DeleteMessagesRequest, options?: CallOptions): Promise<DeleteMessagesResponse>;

  /**
   * Forward messages of one chat to another.
   *
   * All of them or none, in the given order. The messages of an album stay together.
   *
   * A key with `chats` has it for these chats alone.
   *
   * `POST /message/forward`
   */
  forwardMessages(request: ForwardMessagesRequest, options?: KeyedCallOptions): Promise<ForwardMessagesResponse>;

  /**
   * Press an inline button.
   *
   * Answers what its bot says. All is empty if the bot did not answer in time: the button was pressed. A button with a URL answers it, and nothing is asked. With a key the button is pressed once at most.
   *
   * A key with `chats` has it for these chats alone.
   *
   * `POST /message/button`
   */
  pressButton(request: PressButtonRequest, options?: KeyedCallOptions): Promise<PressButtonResponse>;

  /**
   * Vote in a poll or quiz, or take the vote back.
   *
   * The places of the answers, counted from 0; none takes the vote back. A vote in a quiz is final.
   *
   * A key with `chats` has it for these chats alone.
   *
   * `POST /message/vote`
   */
  voteInPoll(request: VoteInPollRequest, options?: KeyedCallOptions): Promise<VoteInPollResponse>;

  /**
   * React to a message, or take the reaction back.
   *
   * The emoji replaces an earlier reaction of the account; an empty one takes it back.
   *
   * A key with `chats` has it for these chats alone.
   *
   * `POST /message/reaction`
   */
  reactToMessage(request: ReactToMessageRequest, options?: CallOptions): Promise<ReactToMessageResponse>;

  /**
   * Pin a message for all.
   *
   * In addition to those that are pinned already.
   *
   * A key with `chats` has it for these chats alone.
   *
   * `POST /message/pin`
   */
  pinMessage(request: PinMessageRequest, options?: CallOptions): Promise<PinMessageResponse>;

  /**
   * Unpin a message for all.
   *
   * Other pinned messages stay.
   *
   * A key with `chats` has it for these chats alone.
   *
   * `DELETE /message/pin`
   */
  unpinMessage(request: UnpinMessageRequest, options?: CallOptions): Promise<UnpinMessageResponse>;

  /**
   * The messages of a chat's queue, the first to leave first.
   *
   * Those that Telegram will send for the account, from here or from its other devices; 100 at most. `id` is the `scheduledId`. Their media have no links: those of a message exist once it was sent, under another ID.
   *
   * A key with `chats` has it for these chats alone.
   *
   * `GET /message/scheduled`
   */
  listScheduledMessages(request: ListScheduledMessagesRequest, options?: CallOptions): Promise<ListScheduledMessagesResponse>;

  /**
   * Take a message out of the queue.
   *
   * By its `scheduledId`, before Telegram sends it.
   *
   * A key with `chats` has it for these chats alone.
   *
   * `DELETE /message/scheduled`
   */
  deleteScheduledMessage(request: DeleteScheduledMessageRequest, options?: CallOptions): Promise<DeleteScheduledMessageResponse>;

  /**
   * Show that the account is typing or recording audio.
   *
   * For 5 seconds.
   *
   * A key with `chats` has it for these chats alone.
   *
   * `POST /typing`
   */
  showTyping(request: ShowTypingRequest, options?: CallOptions): Promise<ShowTypingResponse>;

  /**
   * Post a story.
   *
   * An image or a video, shown for `period` hours to those whom `privacy` names.
   *
   * `POST /status`
   */
  postStatus(request: Story, options?: KeyedCallOptions): Promise<PostStatusResponse>;

  /**
   * All chats of the account, newest first.
   *
   * Private chats, bots, groups and channels. The pinned ones come first, in addition to the `limit` of the first page. Chats of Telegram's own accounts, which send login codes, are left out. A page of a key with `chats` is `limit` of these in the order of the key, newest first, without those that the account does not have.
   *
   * A key with `chats` has it for these chats alone.
   *
   * `GET /chat`
   */
  listChats(request?: ListChatsRequest, options?: CallOptions): Pages<ListChatsResponse>;

  /**
   * The messages of any chat, newest first.
   *
   * What only says that something happened in the chat (service messages) is left out.
   *
   * A key with `chats` has it for these chats alone.
   *
   * `GET /chat/message`
   */
  listMessages(request: ListMessagesRequest, options?: CallOptions): Pages<ListMessagesResponse>;

  /**
   * One message.
   *
   * The same object as in the list of messages.
   *
   * A key with `chats` has it for these chats alone.
   *
   * `GET /chat/message/{messageId}`
   */
  getMessage(request: GetMessageRequest, options?: CallOptions): Promise<Message>;

  /**
   * The messages that have some words, newest first.
   *
   * In one chat, or in all of them.
   *
   * A key with `chats` has it for these chats alone.
   *
   * `GET /chat/search`
   */
  searchMessages(request: SearchMessagesRequest, options?: CallOptions): Pages<SearchMessagesResponse>;

  /**
   * The topics of a forum.
   *
   * Pinned ones first, then those with the newest messages.
   *
   * A key with `chats` has it for these chats alone.
   *
   * `GET /group/{groupId}/topic`
   */
  listTopics(request: ListTopicsRequest, options?: CallOptions): Pages<ListTopicsResponse>;

  /**
   * One chat.
   *
   * The same object as in the list of all chats.
   *
   * A key with `chats` has it for these chats alone.
   *
   * `GET /chat/{chatId}`
   */
  getChat(request: GetChatRequest, options?: CallOptions): Promise<Chat>;

  /**
   * Mark a chat as read, up to a message or whole.
   *
   * Without `messageId`: up to the newest message.
   *
   * A key with `chats` has it for these chats alone.
   *
   * `POST /chat/read`
   */
  readChat(request: ReadChatRequest, options?: CallOptions): Promise<ReadChatResponse>;

  /**
   * Move a chat into the archive, or out of it.
   *
   * `on` moves it into the archive.
   *
   * A key with `chats` has it for these chats alone.
   *
   * `POST /chat/archive`
   */
  archiveChat(request: ArchiveChatRequest, options?: CallOptions): Promise<ArchiveChatResponse>;

  /**
   * Mute a chat, or no longer.
   *
   * `on` mutes it until it is turned off. With `topic`: that topic alone.
   *
   * A key with `chats` has it for these chats alone.
   *
   * `POST /chat/mute`
   */
  muteChat(request: MuteChatRequest, options?: CallOptions): Promise<MuteChatResponse>;

  /**
   * Put a chat at the top of the list, or back to its place.
   *
   * `on` pins it. With `topic`: that topic above the others, for all members.
   *
   * A key with `chats` has it for these chats alone.
   *
   * `POST /chat/pin`
   */
  pinChat(request: PinChatRequest, options?: CallOptions): Promise<PinChatResponse>;

  /**
   * The joined groups.
   *
   * The first call can take several seconds with many groups.
   *
   * A key with `chats` has it for these chats alone.
   *
   * `GET /group`
   */
  listGroups(options?: CallOptions): Promise<ListGroupsResponse>;

  /**
   * Make a group.
   *
   * With users, by ID or @username. Telegram has no number for this request: after a crash, a repeated one takes a group of that name that the account has made since the first one for its own.
   *
   * `POST /group`
   */
  createGroup(request: CreateGroupRequest, options?: KeyedCallOptions): Promise<CreateGroupResponse>;

  /**
   * The members of a group, at most 10,000.
   *
   * Phones are filled as far as their privacy settings allow.
   *
   * A key with `chats` has it for these chats alone.
   *
   * `GET /group/member`
   */
  listMembers(request: ListMembersRequest, options?: CallOptions): Promise<ListMembersResponse>;

  /**
   * One joined group.
   *
   * By its ID or its public username.
   *
   * A key with `chats` has it for these chats alone.
   *
   * `GET /group/{groupId}`
   */
  getGroup(request: GetGroupRequest, options?: CallOptions): Promise<Group>;

  /**
   * Change a group.
   *
   * What is left out stays. An empty `description` removes it. The picture is prepared as images are. `permissions` are those of ordinary members. `slowmode` is for supergroups: 0, 5, 10, 30, 60, 300, 900 or 3600 seconds.
   *
   * `PATCH /group/{groupId}`
   */
  changeGroup(request: ChangeGroupRequest, options?: CallOptions): Promise<ChangeGroupResponse>;

  /**
   * The joined channels.
   *
   * `isOwner` is true if the account has made or administers the channel.
   *
   * A key with `chats` has it for these chats alone.
   *
   * `GET /channel`
   */
  listChannels(options?: CallOptions): Promise<ListChannelsResponse>;

  /**
   * Make a channel.
   *
   * With users, by ID or @username. Telegram has no number for this request: after a crash, a repeated one takes a channel of that name that the account has made since the first one for its own.
   *
   * `POST /channel`
   */
  createChannel(request: CreateChannelRequest, options?: KeyedCallOptions): Promise<CreateChannelResponse>;

  /**
   * The messages of a channel, newest first.
   *
   * Up to 100; service messages are left out.
   *
   * A key with `chats` has it for these chats alone.
   *
   * `GET /channel/message`
   */
  listChannelMessages(request: ListChannelMessagesRequest, options?: CallOptions): Pages<ListChannelMessagesResponse>;

  /**
   * One joined channel.
   *
   * By its ID or its public username.
   *
   * A key with `chats` has it for these chats alone.
   *
   * `GET /channel/{channelId}`
   */
  getChannel(request: GetChannelRequest, options?: CallOptions): Promise<Channel>;

  /**
   * Change a channel.
   *
   * What is left out stays. An empty `description` removes it. The picture is prepared as images are.
   *
   * `PATCH /channel/{channelId}`
   */
  changeChannel(request: ChangeChannelRequest, options?: CallOptions): Promise<ChangeChannelResponse>;

  /**
   * Add users to a group.
   *
   * By ID or @username. Users who are in it already stay.
   *
   * `POST /group/{groupId}/member`
   */
  addGroupMembers(request: AddGroupMembersRequest, options?: CallOptions): Promise<AddGroupMembersResponse>;

  /**
   * Remove users from a group.
   *
   * They come back only if an administrator adds them.
   *
   * `DELETE /group/{groupId}/member`
   */
  removeGroupMembers(request: RemoveGroupMembersRequest, options?: CallOptions): Promise<RemoveGroupMembersResponse>;

  /**
   * Make a member an administrator, or an ordinary member.
   *
   * An administrator gets the usual rights, as far as the account has them.
   *
   * `PUT /group/{groupId}/member/{userId}`
   */
  setGroupRole(request: SetGroupRoleRequest, options?: CallOptions): Promise<SetGroupRoleResponse>;

  /**
   * The valid invite links of the account.
   *
   * Only those that the account itself has made.
   *
   * `GET /group/{groupId}/invite`
   */
  listGroupInvites(request: ListGroupInvitesRequest, options?: CallOptions): Promise<ListGroupInvitesResponse>;

  /**
   * Make an invite link.
   *
   * A repeated request makes another one.
   *
   * `POST /group/{groupId}/invite`
   */
  createGroupInvite(request: CreateGroupInviteRequest, options?: CallOptions): Promise<Invite>;

  /**
   * Join a group.
   *
   * By an invite link, a public link or a username. The account may be in it already.
   *
   * `POST /group/join`
   */
  joinGroup(request: JoinGroupRequest, options?: CallOptions): Promise<JoinGroupResponse>;

  /**
   * Leave a group.
   *
   * The group stays for its other members.
   *
   * `DELETE /group/{groupId}/membership`
   */
  leaveGroup(request: LeaveGroupRequest, options?: CallOptions): Promise<LeaveGroupResponse>;

  /**
   * Add users to a channel.
   *
   * By ID or @username. Users who are in it already stay.
   *
   * `POST /channel/{channelId}/member`
   */
  addChannelMembers(request: AddChannelMembersRequest, options?: CallOptions): Promise<AddChannelMembersResponse>;

  /**
   * Remove users from a channel.
   *
   * They come back only if an administrator adds them.
   *
   * `DELETE /channel/{channelId}/member`
   */
  removeChannelMembers(request: RemoveChannelMembersRequest, options?: CallOptions): Promise<RemoveChannelMembersResponse>;

  /**
   * Make a member an administrator, or an ordinary member.
   *
   * An administrator gets the usual rights, as far as the account has them.
   *
   * `PUT /channel/{channelId}/member/{userId}`
   */
  setChannelRole(request: SetChannelRoleRequest, options?: CallOptions): Promise<SetChannelRoleResponse>;

  /**
   * The valid invite links of the account.
   *
   * Only those that the account itself has made.
   *
   * `GET /channel/{channelId}/invite`
   */
  listChannelInvites(request: ListChannelInvitesRequest, options?: CallOptions): Promise<ListChannelInvitesResponse>;

  /**
   * Make an invite link.
   *
   * A repeated request makes another one.
   *
   * `POST /channel/{channelId}/invite`
   */
  createChannelInvite(request: CreateChannelInviteRequest, options?: CallOptions): Promise<Invite>;

  /**
   * Join a channel.
   *
   * By an invite link, a public link or a username. The account may be in it already.
   *
   * `POST /channel/join`
   */
  joinChannel(request: JoinChannelRequest, options?: CallOptions): Promise<JoinChannelResponse>;

  /**
   * Leave a channel.
   *
   * The channel stays for its other members.
   *
   * `DELETE /channel/{channelId}/membership`
   */
  leaveChannel(request: LeaveChannelRequest, options?: CallOptions): Promise<LeaveChannelResponse>;

  /**
   * The contacts of the account.
   *
   * All of them, in one list.
   *
   * `GET /contact`
   */
  listContacts(options?: CallOptions): Promise<ListContactsResponse>;

  /**
   * Save a contact.
   *
   * The first word of `name` is the first name. A contact that is there gets the new name.
   *
   * `POST /contact`
   */
  addContact(request: AddContactRequest, options?: CallOptions): Promise<User>;

  /**
   * Whether a number is on Telegram.
   *
   * Telegram allows about 200 such look-ups a day. A number that is found is remembered for an hour.
   *
   * `GET /contact/check`
   */
  checkPhone(request: CheckPhoneRequest, options?: CallOptions): Promise<CheckPhoneResponse>;

  /**
   * Delete a contact.
   *
   * The chat with the user stays.
   *
   * `DELETE /contact/{userId}`
   */
  deleteContact(request: DeleteContactRequest, options?: CallOptions): Promise<DeleteContactResponse>;

  /**
   * One person or bot.
   *
   * By ID or username. The account has to have met the user of an ID.
   *
   * A key with `chats` has it for these chats alone.
   *
   * `GET /user/{userId}`
   */
  getUser(request: GetUserRequest, options?: CallOptions): Promise<Person>;

  /**
   * Block a user.
   *
   * They cannot write to the account any more, and do not see when it is online.
   *
   * `POST /user/{userId}/block`
   */
  blockUser(request: BlockUserRequest, options?: CallOptions): Promise<BlockUserResponse>;

  /**
   * End the blocking of a user.
   *
   * A user who is not blocked stays so.
   *
   * `DELETE /user/{userId}/block`
   */
  unblockUser(request: UnblockUserRequest, options?: CallOptions): Promise<UnblockUserResponse>;

  /**
   * The account as it shows itself.
   *
   * The account that is logged in: its name, username, text and picture as others see them.
   *
   * `GET /account`
   */
  getAccount(options?: CallOptions): Promise<Account>;

  /**
   * Change name, text, username or picture.
   *
   * What is left out stays. The first word of `name` is the first name. An empty `about` or `username` removes it. The picture is prepared as images are, and comes in front of those before it: a repeated request adds it again. `GET /session` shows the change a moment later.
   *
   * `PATCH /account`
   */
  changeAccount(request?: ChangeAccountRequest, options?: CallOptions): Promise<Account>;

  /**
   * The logins of the account.
   *
   * Each device or program that is logged in, this session (`isCurrent`) among them.
   *
   * `GET /account/devices`
   */
  listDevices(options?: CallOptions): Promise<ListDevicesResponse>;

  /**
   * Log a device out.
   *
   * This session is deleted with `DELETE /session`.
   *
   * `DELETE /account/devices/{id}`
   */
  removeDevice(request: RemoveDeviceRequest, options?: CallOptions): Promise<RemoveDeviceResponse>;
}

/** What is asked of the gateway, with its API key if it has one. */
export interface GatewayOperations {
  /**
   * Whether the process is alive.
   *
   * Asks neither the event store nor Telegram: it says only that the process answers.
   *
   * `GET /health/live`
   */
  live(options?: CallOptions): Promise<LiveResponse>;

  /**
   * Whether requests can be served; if not, why not.
   *
   * `warnings`, if there are any, say what an operator has to mend although requests are served.
   *
   * `GET /health/ready`
   */
  ready(options?: CallOptions): Promise<ReadyResponse>;

  /**
   * Create a session.
   *
   * Responds at once. The QR follows within a second or two: poll GET /session every 2 to 3 seconds. With `login` it responds when Telegram has sent a login code to the phone (`isCodeRequired`), has logged in the bot, or has said whose session string it is. If that fails there is no session. A string’s login is this session’s from then on: end the program that had it first. With `proxy` it responds when Telegram was reached through it; the login goes through it.
   *
   * Scope of the key: `sessions:create`.
   *
   * `POST /session`
   */
  createSession(request?: CreateSessionRequest, options?: CallOptions): Promise<CreatedSession>;

  /**
   * Issue a key.
   *
   * The key is in this response alone: the gateway keeps its hash. A key with a `tenant` creates sessions of that tenant and sees no others. A key with `chats` uses accounts in these chats alone, and does nothing that is of the account as a whole. It sends no contacts, and mentions only people of these chats. What is left out is as the key of the request has it. To rotate a key, issue another one, use it everywhere, and revoke the first: both are valid meanwhile.
   *
   * Scope of the key: `keys`.
   *
   * `POST /keys`
   */
  issueKey(request: IssueKeyRequest, options?: CallOptions): Promise<IssueKeyResponse>;

  /**
   * The keys, without their texts.
   *
   * The keys, without their texts.
   *
   * Scope of the key: `keys`.
   *
   * `GET /keys`
   */
  listKeys(request?: ListKeysRequest, options?: CallOptions): Pages<ListKeysResponse>;

  /**
   * Revoke a key.
   *
   * From then on it opens nothing, on every node within a second. Streams that it has opened are closed.
   *
   * Scope of the key: `keys`.
   *
   * `DELETE /keys/{id}`
   */
  revokeKey(request: RevokeKeyRequest, options?: CallOptions): Promise<RevokeKeyResponse>;

  /**
   * Make a link for a customer.
   *
   * Send `url` to the person whose account is to be connected. Opening it changes nothing; its button creates the session, or shows the one with this `externalId` that lives. `session` is as in POST /session, without `login`; its `proxy` is tried when the button is pressed. Once the account is connected, the link is used up.
   *
   * Scope of the key: `sessions:create`.
   *
   * `POST /links`
   */
  createLink(request?: CreateLinkRequest, options?: CallOptions): Promise<CreateLinkResponse>;

  /**
   * The links, without their tokens.
   *
   * A link is listed until a week after its end.
   *
   * Scope of the key: `sessions:create`.
   *
   * `GET /links`
   */
  listLinks(request?: ListLinksRequest, options?: CallOptions): Pages<ListLinksResponse>;

  /**
   * Withdraw a link.
   *
   * It opens nothing from then on. A session that it has created stays.
   *
   * Scope of the key: `sessions:create`.
   *
   * `DELETE /links/{id}`
   */
  withdrawLink(request: WithdrawLinkRequest, options?: CallOptions): Promise<WithdrawLinkResponse>;

  /**
   * Add a webhook that is told of all sessions.
   *
   * Of all sessions that the key may see, it is told how they themselves are: `session.*`, from now on; nothing of their accounts. Requests, retries and signature are those of a session’s webhook; events of one session come in order. Without a `token` one is made; it is in this response alone. Without `events` it is told of all. There are up to five for a tenant, and five without one. While its key is revoked or has expired, it waits: `PUT` with another key goes on.
   *
   * Scope of the key: `sessions:read`.
   *
   * `POST /webhooks`
   */
  addOperatorWebhook(request: AddOperatorWebhookRequest, options?: CallOptions): Promise<AddOperatorWebhookResponse>;

  /**
   * Operators’ webhooks, with the state of their deliveries.
   *
   * Operators’ webhooks, with the state of their deliveries.
   *
   * Scope of the key: `sessions:read`.
   *
   * `GET /webhooks`
   */
  listOperatorWebhooks(options?: CallOptions): Promise<ListOperatorWebhooksResponse>;

  /**
   * An operators’ webhook and the state of its deliveries.
   *
   * An operators’ webhook and the state of its deliveries.
   *
   * Scope of the key: `sessions:read`.
   *
   * `GET /webhooks/{webhookId}`
   */
  getOperatorWebhook(request: GetOperatorWebhookRequest, options?: CallOptions): Promise<GetOperatorWebhookResponse>;

  /**
   * Change an operators’ webhook.
   *
   * What waits is tried at once. A token that is left out stays. It is the webhook of this request’s key from now on.
   *
   * Scope of the key: `sessions:read`.
   *
   * `PUT /webhooks/{webhookId}`
   */
  changeOperatorWebhook(request: ChangeOperatorWebhookRequest, options?: CallOptions): Promise<ChangeOperatorWebhookResponse>;

  /**
   * Remove an operators’ webhook.
   *
   * What waits for it is not delivered.
   *
   * Scope of the key: `sessions:read`.
   *
   * `DELETE /webhooks/{webhookId}`
   */
  removeOperatorWebhook(request: RemoveOperatorWebhookRequest, options?: CallOptions): Promise<RemoveOperatorWebhookResponse>;

  /**
   * The events that were given up after 24 hours.
   *
   * The newest 1,000. What they say stands in the log of their session: `GET /sessions/{id}/events`.
   *
   * Scope of the key: `sessions:read`.
   *
   * `GET /webhooks/{webhookId}/parked`
   */
  listParkedOfOperatorWebhook(request: ListParkedOfOperatorWebhookRequest, options?: CallOptions): Promise<ListParkedOfOperatorWebhookResponse>;

  /**
   * Send events to an operators’ webhook once more.
   *
   * One of `parked`, `seqs` and `from` (with or without `to`); the latter two of one `session`, whose log their numbers count in. They are sent once each under their IDs, in the order of their sessions, beside what is new, with retries of their own and over crashes. What is pending already, or not wanted, is left out, and so is what happened before the webhook was added.
   *
   * Scope of the key: `sessions:read`.
   *
   * `POST /webhooks/{webhookId}/replay`
   */
  replayOperatorWebhook(request: ReplayOperatorWebhookRequest, options?: CallOptions): Promise<ReplayOperatorWebhookResponse>;

  /**
   * Send a test to an operators’ webhook.
   *
   * Send a test to an operators’ webhook.
   *
   * Scope of the key: `sessions:read`.
   *
   * `POST /webhooks/{webhookId}/test`
   */
  testOperatorWebhook(request: TestOperatorWebhookRequest, options?: CallOptions): Promise<TestOperatorWebhookResponse>;

  /**
   * All sessions, without personal data.
   *
   * By default in the order in which they were created.
   *
   * Scope of the key: `sessions:read`.
   *
   * `GET /sessions`
   */
  listSessions(request?: ListSessionsRequest, options?: CallOptions): Pages<ListSessionsResponse>;

  /**
   * One session, without personal data.
   *
   * A deleted one too, until its log is removed.
   *
   * Scope of the key: `sessions:read`.
   *
   * `GET /sessions/{id}`
   */
  getSessionSummary(request: GetSessionSummaryRequest, options?: CallOptions): Promise<SessionSummary>;

  /**
   * Change a session’s own names, and its account’s pace.
   *
   * As PATCH /session, with the API key.
   *
   * Scope of the key: `sessions:control`.
   *
   * `PATCH /sessions/{id}`
   */
  changeNamedSession(request: ChangeNamedSessionRequest, options?: CallOptions): Promise<ChangeNamedSessionResponse>;

  /**
   * Delete a session, as its owner can.
   *
   * Logs out at Telegram and erases personal data.
   *
   * Scope of the key: `sessions:control`.
   *
   * `DELETE /sessions/{id}`
   */
  deleteSessionById(request: DeleteSessionByIdRequest, options?: CallOptions): Promise<DeleteSessionByIdResponse>;

  /**
   * Whether all is well: counts of an hour, a day or a week.
   *
   * From the log, so a restart loses nothing. Sends, deliveries and waits are there about a second after they happened. A key with a tenant gets the counts of its sessions.
   *
   * Scope of the key: `sessions:read`.
   *
   * `GET /sessions/stats`
   */
  getSessionStats(request?: GetSessionStatsRequest, options?: CallOptions): Promise<GetSessionStatsResponse>;

  /**
   * The attempts of a disconnected session to reconnect.
   *
   * Other states have none.
   *
   * Scope of the key: `sessions:read`.
   *
   * `GET /sessions/{id}/connection`
   */
  getSessionConnection(request: GetSessionConnectionRequest, options?: CallOptions): Promise<GetSessionConnectionResponse>;

  /**
   * Have a disconnected session connect now.
   *
   * Instead of at its next attempt, and no sooner than a second after the last one. In other states, or while an attempt is under way, nothing happens.
   *
   * Scope of the key: `sessions:control`.
   *
   * `POST /sessions/{id}/connection`
   */
  reconnectSession(request: ReconnectSessionRequest, options?: CallOptions): Promise<ReconnectSessionResponse>;

  /**
   * What changes in any session, as it happens.
   *
   * Server-sent events, compact, for thousands of sessions: another state, other names, the webhook, the secret. It begins with what happens from now on, or after the event that `Last-Event-ID` or `after` names.
   *
   * Scope of the key: `sessions:read`.
   *
   * `GET /sessions/stream`
   */
  streamSessions(request?: StreamSessionsRequest, options?: CallOptions): AsyncIterable<SessionChange>;

  /**
   * The events of any session, deleted ones too.
   *
   * Page by page, from the first one on. Every transition is an event before a response shows it.
   *
   * Scope of the key: `sessions:read`.
   *
   * `GET /sessions/{id}/events`
   */
  listEventsOf(request: ListEventsOfRequest, options?: CallOptions): Pages<ListEventsOfResponse>;

  /**
   * Who has sent with an Idempotency-Key, for any session.
   *
   * Page by page, the oldest first: the sends of the last 24 hours, each with who sent. A send that began and has no response has failed, or its outcome is not known: repeating it with its key is safe.
   *
   * Scope of the key: `sessions:read`.
   *
   * `GET /sessions/{id}/sends`
   */
  listSendsOf(request: ListSendsOfRequest, options?: CallOptions): Pages<ListSendsOfResponse>;

  /**
   * Any session as it was at any moment, without personal data.
   *
   * With neither seq nor at: as it is now.
   *
   * Scope of the key: `sessions:read`.
   *
   * `GET /sessions/{id}/replay`
   */
  replaySessionOf(request: ReplaySessionOfRequest, options?: CallOptions): Promise<PastSession>;

  /**
   * The events of any session, live.
   *
   * First those after `after` or `last-event-id`, then each new one.
   *
   * Scope of the key: `sessions:read`.
   *
   * `GET /sessions/{id}/stream`
   */
  streamEventsOf(request: StreamEventsOfRequest, options?: CallOptions): AsyncIterable<AuditEntry>;

  /**
   * What sessions have used, by day, session and key.
   *
   * A row for each day, session and key, from the log; days are in UTC. What is done with the secret of a session, and what webhooks and viewers get, counts for the key that created the session. The last second is missing. A key with a tenant gets the rows of its sessions.
   *
   * Scope of the key: `sessions:read`.
   *
   * `GET /usage`
   */
  listUsage(request?: ListUsageRequest, options?: CallOptions): Pages<ListUsageResponse>;

  /**
   * The gateways on this store, and what each owns.
   *
   * As the node that answers sees them. A partition that changes hands is in no list for a moment. A gateway that is alone lists itself, with all partitions.
   *
   * Scope of the key: `sessions:read`.
   *
   * `GET /nodes`
   */
  listNodes(options?: CallOptions): Promise<ListNodesResponse>;

  /**
   * Log out and show a fresh QR, as its owner can.
   *
   * Keeps id, sessionId, webhook and metadata. The QR is not in the response.
   *
   * Scope of the key: `sessions:control`.
   *
   * `POST /sessions/{id}/reset`
   */
  resetSessionById(request: ResetSessionByIdRequest, options?: CallOptions): Promise<ResetSessionByIdResponse>;

  /**
   * Turn the webhook of a session off, or set it.
   *
   * To set it, the key needs the scope `accounts` as well.
   *
   * Scope of the key: `sessions:control`.
   *
   * `PUT /sessions/{id}/webhook`
   */
  switchWebhook(request: SwitchWebhookRequest, options?: CallOptions): Promise<SwitchWebhookResponse>;

  /**
   * Give a session a new secret.
   *
   * The `sessionId` from before opens nothing any more, and its streams are closed. The key needs the scope `accounts` as well.
   *
   * Scope of the key: `sessions:control`.
   *
   * `POST /sessions/{id}/secret`
   */
  rotateSecret(request: RotateSecretRequest, options?: CallOptions): Promise<RotateSecretResponse>;
}
