/** The webhook of a session, in the clear. */
export interface Webhook {
  url: string;
  token: string;
  /** Types of the events that it wants; without them, the default of the recorder. */
  events?: readonly string[];
  /** The chats whose events it wants: a word for some kinds of them, or their IDs. */
  chats?: string | readonly string[];
}

/** How fast the account of a session may write (OS7). What is left out has no limit. */
export interface Pace {
  /** Messages in any minute. */
  perMinute?: number;
  /** Chats without messages that it writes to, in any 24 hours. */
  newChatsPerDay?: number;
}

/** The caller's own names for a session, in the clear (OS1). */
export interface SessionNames {
  /** Unique among the live sessions of its tenant. Empty: none. */
  externalId?: string;
  /** Empty: none. */
  label?: string;
}

/** Settings that a caller may give a session, in the clear. A reset keeps those that are left out. */
export interface SessionSettings {
  name?: string;
  metadata?: Record<string, string>;
  /** null turns it off. */
  webhook?: Webhook | null;
}

/** Those of a new session. */
export interface CreationSettings extends SessionSettings, SessionNames {
  /** The tenant that it belongs to for good (KY2). */
  tenant?: string;
  /** ID of the key that creates it (KY3). */
  key?: string;
}
