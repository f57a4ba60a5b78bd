/** The webhook of a session, in the clear. */
export interface Webhook {
  url: string;
  token: string;
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
export interface CreationSettings extends SessionSettings, SessionNames {}
