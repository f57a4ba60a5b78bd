/** What `streamSessions` says of a session that has changed. */
export interface SessionChange {
  /** Main ID of the session. */
  id: string;
  /** Number of the event in the log of the session. */
  seq: number;
  /** The state that it is in now. */
  state: string;
  reason: string;
  externalId: string;
  label: string;
  /** When it was recorded. ISO 8601. */
  created: string;
}
