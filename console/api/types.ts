import type { SessionState } from '../../actors/session/events.ts';

/** The responses of the public API, as `docs/openapi.json` describes them. Times are ISO 8601. */

export interface ConsoleConfig {
  /** Empty if the gateway is connected to the real Telegram. */
  sandboxUrl: string;
  needsApiKey: boolean;
}

/** What the API key gives access to: nothing personal. */
export interface SessionSummary {
  id: string;
  state: SessionState;
  since: string;
  reason: string;
  /** Empty if the state has no time limit. */
  deadline: string;
  created: string;
  hasWebhook: boolean;
  /** An event of it cannot be read: it is inactive. */
  held: boolean;
}

/** What the session's own credentials give access to. */
export interface Session {
  id: string;
  sessionId: string;
  generatedId: string;
  name: string;
  username: string;
  phone: string;
  isConnected: boolean;
  /** PNG in base64. */
  qrcode: string;
  isPasswordRequired: boolean;
  passwordHint: string;
  /** A data URI. */
  picture: string;
  webhook: { url: string; token: string };
}

export interface ArmedDeadline {
  /** The type of the event that is recorded at the deadline. */
  type: string;
  due: string;
}

export interface AuditEntry {
  seq: number;
  type: string;
  created: string;
  state: SessionState;
  reason: string;
  data: { from: SessionState | null; since: string; deadlines: ArmedDeadline[] } & Record<string, unknown>;
}

/** A session as it was after the event `seq`. */
export interface Replay {
  seq: number;
  created: string;
  state: SessionState;
  since: string;
  reason: string;
  deadlines: ArmedDeadline[];
  session: Omit<Session, 'sessionId'>;
}

/** The recipient of a message, by one of the fields that `POST /message` takes. */
export interface Recipient {
  kind: 'username' | 'user' | 'phone' | 'group' | 'channel';
  value: string;
}
