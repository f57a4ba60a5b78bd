/** The webhook of a session, in the clear. */
export interface Webhook {
  url: string;
  token: string;
}

/** Settings that a caller may give a session, in the clear. A reset keeps those that are left out. */
export interface SessionSettings {
  name?: string;
  metadata?: Record<string, string>;
  /** null turns it off. */
  webhook?: Webhook | null;
}
