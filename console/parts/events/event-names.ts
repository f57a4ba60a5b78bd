import type { SessionFactType } from '../../../actors/session/events.ts';

/** What people call the facts of a session. A fact of the chart without a name does not compile. */
const names: Record<SessionFactType, string> = {
  SessionCreated: 'Session created',
  SessionRenamed: 'Session renamed',
  PaceSet: 'Sending pace changed',
  QrIssued: 'QR renewed',
  LoginRefused: 'Telegram refuses logins with this API ID',
  CodeSent: 'Login code sent',
  CodeRejected: 'Wrong login code entered',
  CodesUsedUp: 'All login codes expired',
  PasswordRequested: 'Two-step password asked for',
  PasswordRejected: 'Wrong password entered',
  LoggedIn: 'Logged in',
  LoginImported: 'Logged in by a session string',
  AccountChanged: 'Account changed its profile',
  LoginExported: 'Login given away as a session string',
  ConnectionLost: 'Connection to Telegram lost',
  ConnectionRestored: 'Connected again',
  LoginLost: 'Login lost at Telegram',
  BotLoginLost: 'Bot’s login lost at Telegram',
  AccountFrozen: 'Account frozen by Telegram',
  UpdatesLost: 'Incoming updates lost',
  MethodCalled: 'Method of Telegram called',
  GatewayRestarted: 'Gateway restarted',
  OwnerChanged: 'Taken over by another node',
  WebhookSet: 'Webhook changed',
  ProxySet: 'Proxy changed',
  ProxyFailed: 'Proxy does not connect',
  SessionReset: 'Session reset',
  SecretRotated: 'New secret issued',
  SessionDeleted: 'Session deleted',
  LoggedOut: 'Logged out at Telegram',
  LogOutGivenUp: 'Log-out not confirmed by Telegram',
  QrTimedOut: 'QR code not scanned in time',
  CodeTimedOut: 'Login code not entered in time',
  PasswordTimedOut: 'Password not entered in time',
  DisconnectedTimedOut: 'Disconnected for too long',
};

/** Names of facts that say more with Telegram's own reason (https://core.telegram.org/api/errors#401-unauthorized). */
const namesByReason: Readonly<Record<string, string>> = {
  'LoginLost SESSION_REVOKED': 'Device removed on the phone',
  'LoginLost AUTH_KEY_UNREGISTERED': 'Device removed on the phone',
  'LoginLost AUTH_KEY_DUPLICATED': 'Login used from two places',
  'LoginLost USER_DEACTIVATED': 'Account deleted at Telegram',
  'LoginLost USER_DEACTIVATED_BAN': 'Account banned by Telegram',
  'BotLoginLost ACCESS_TOKEN_EXPIRED': 'Bot’s token revoked',
};

/** The fact's own reason is the one in its data: `reason` is that of the state. */
interface NamedEvent {
  type: string;
  data: Readonly<Record<string, unknown>>;
}

/** An event in words for people: `Device removed on the phone`. A fact that this page does not know keeps its type. */
export function eventName({ type, data }: NamedEvent): string {
  if (type === 'WebhookSet' && data['hasWebhook'] !== undefined) {
    return data['hasWebhook'] === false ? 'Webhook turned off' : 'Webhook set';
  }
  return namesByReason[`${type} ${String(data['reason'])}`] ?? factName(type);
}

/** A fact's name without the particulars of one event. */
export const factName = (type: string): string => names[type as SessionFactType] ?? type;

/** The types of all facts, in the order of their names. */
export const factTypes = (Object.keys(names) as SessionFactType[]).toSorted((a, b) => names[a].localeCompare(names[b]));
