import type { SessionState } from '../../actors/session/events.ts';

/** The answers of the public API, as docs/openapi.json has them; times are ISO 8601. */

export interface ConsoleConfig {
  /** Empty where the real Telegram is on the other side. */
  sandboxUrl: string;
  needsApiKey: boolean;
}

/** What an operator sees of a session: nothing personal. */
export interface SessionSummary {
  id: string;
  state: SessionState;
  since: string;
  reason: string;
  /** Empty where the state doesn't end by itself. */
  deadline: string;
  created: string;
  hasWebhook: boolean;
}

/** What its owner sees. */
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
  /** What is recorded when it fires. */
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

/** A session as it was. */
export interface Replay {
  seq: number;
  created: string;
  state: SessionState;
  since: string;
  reason: string;
  deadlines: ArmedDeadline[];
  session: Omit<Session, 'sessionId'>;
}

export interface Receiver {
  kind: 'username' | 'user' | 'phone' | 'group' | 'channel';
  value: string;
}
