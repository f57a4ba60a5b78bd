import type { SessionFactType, SessionState } from '../../../actors/session/events.ts';
import type { RecordedSessionEvent } from '../../../actors/session/session-codec.ts';
import type { SessionCondition } from '../stream/delivery-events.ts';
import type { EventType } from './event-filter.ts';

/** The types of events that say how a session itself is (EV1). */
export type SessionEventType = Extract<EventType, `session.${string}`>;

/** An event of a session's log, as its receivers are told of it. */
export interface ToldEvent {
  type: SessionEventType;
  condition: SessionCondition;
}

/** Facts that are told whatever state they lead to. */
const byFact: Partial<Record<SessionFactType, SessionEventType>> = {
  QrIssued: 'session.qr',
  LoginLost: 'session.login-lost',
  BotLoginLost: 'session.login-lost',
  LoginExported: 'session.login-lost',
  SessionReset: 'session.reset',
  // In `disconnected` it changes the reason.
  ProxyFailed: 'session.disconnected',
};

/** States that are told when they are entered. A QR code is told when it is there. */
const byState: Readonly<Record<Exclude<SessionState, 'qrPending'>, SessionEventType>> = {
  codeRequired: 'session.code',
  passwordRequired: 'session.password',
  connected: 'session.connected',
  disconnected: 'session.disconnected',
  deleted: 'session.deleted',
};

/** Undefined for what no receiver is told. */
export function sessionEventOf({ type, metadata }: RecordedSessionEvent): ToldEvent | undefined {
  const { from, to, at, since, reason, deadlines } = metadata;
  const isEntered = from !== to || since === at;
  const told = byFact[type] ?? (isEntered && to !== 'qrPending' ? byState[to] : undefined);
  if (told === undefined) return undefined;
  const [deadline] = deadlines.map(({ dueAt }) => dueAt).toSorted((one, other) => one - other);
  return { type: told, condition: { state: to, reason, ...(deadline !== undefined && { deadline }) } };
}
