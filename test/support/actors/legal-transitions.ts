import type { SessionFactType, SessionState } from '../../../actors/session/events.ts';

/**
 * The chart once more, written down by itself as a table, so that the two check each other: where a fact leads from a
 * state; `=` is recorded and stays; what is not here changes nothing.
 */
export const legalTransitions: Record<SessionState, Partial<Record<SessionFactType, SessionState | '='>>> = {
  qrPending: {
    QrIssued: '=',
    LoginRefused: '=',
    CodeSent: 'codeRequired',
    PasswordRequested: 'passwordRequired',
    LoggedIn: 'connected',
    LoginImported: 'connected',
    WebhookSet: '=',
    SecretRotated: '=',
    SessionRenamed: '=',
    PaceSet: '=',
    ProxySet: '=',
    SessionReset: 'qrPending',
    SessionDeleted: 'deleted',
    QrTimedOut: 'deleted',
  },
  codeRequired: {
    CodeSent: 'codeRequired',
    CodeRejected: '=',
    CodesUsedUp: 'deleted',
    PasswordRequested: 'passwordRequired',
    LoggedIn: 'connected',
    LoginLost: 'qrPending',
    WebhookSet: '=',
    SecretRotated: '=',
    SessionRenamed: '=',
    PaceSet: '=',
    ProxySet: '=',
    SessionReset: 'qrPending',
    SessionDeleted: 'deleted',
    CodeTimedOut: 'deleted',
  },
  passwordRequired: {
    PasswordRejected: '=',
    LoggedIn: 'connected',
    LoginLost: 'qrPending',
    WebhookSet: '=',
    SecretRotated: '=',
    SessionRenamed: '=',
    PaceSet: '=',
    ProxySet: '=',
    SessionReset: 'qrPending',
    SessionDeleted: 'deleted',
    PasswordTimedOut: 'deleted',
  },
  connected: {
    AccountChanged: '=',
    UpdatesLost: '=',
    AccountFrozen: '=',
    MethodCalled: '=',
    ConnectionLost: 'disconnected',
    ProxyFailed: 'disconnected',
    BotLoginLost: 'disconnected',
    LoginLost: 'qrPending',
    LoginExported: 'qrPending',
    GatewayRestarted: 'disconnected',
    WebhookSet: '=',
    SecretRotated: '=',
    SessionRenamed: '=',
    PaceSet: '=',
    ProxySet: '=',
    SessionReset: 'qrPending',
    SessionDeleted: 'deleted',
  },
  disconnected: {
    AccountChanged: '=',
    UpdatesLost: '=',
    AccountFrozen: '=',
    BotLoginLost: '=',
    ProxyFailed: '=',
    ConnectionRestored: 'connected',
    LoginLost: 'qrPending',
    GatewayRestarted: 'disconnected',
    WebhookSet: '=',
    SecretRotated: '=',
    SessionRenamed: '=',
    PaceSet: '=',
    ProxySet: '=',
    SessionReset: 'qrPending',
    SessionDeleted: 'deleted',
    DisconnectedTimedOut: 'deleted',
  },
  deleted: { LoggedOut: '=', LogOutGivenUp: '=' },
};

/** How long a state lasts, and what ends it. */
export const timeLimits: Partial<Record<SessionState, { fact: SessionFactType; ms: number }>> = {
  qrPending: { fact: 'QrTimedOut', ms: 180_000 },
  codeRequired: { fact: 'CodeTimedOut', ms: 300_000 },
  passwordRequired: { fact: 'PasswordTimedOut', ms: 1_800_000 },
  disconnected: { fact: 'DisconnectedTimedOut', ms: 1_800_000 },
};

/** `connected ConnectionLost`, …: everything that can be recorded. */
export const legalEdges: string[] = [
  'none SessionCreated',
  ...Object.entries(legalTransitions).flatMap(([from, facts]) => Object.keys(facts).map((fact) => `${from} ${fact}`)),
];
