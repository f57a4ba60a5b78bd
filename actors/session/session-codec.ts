import { Type } from 'typebox';
import { createEventCodec, type Placed } from '../ports/event-codec.ts';
import type { Sealed } from '../ports/sealer.ts';
import { timedFacts } from './deadlines.ts';
import {
  type Effect,
  type SessionFact,
  type SessionFactType,
  sessionStates,
  type TransitionMetadata,
} from './events.ts';

/** What an event of a session's stream holds: a fact, and beside it the transition that it was. */
export type SessionEventContent = {
  [T in SessionFactType]: {
    type: T;
    data: Omit<Extract<SessionFact, { type: T }>, 'type'>;
    metadata: TransitionMetadata;
  };
}[SessionFactType];

/** An event of a session's stream, read and found whole. */
export type RecordedSessionEvent = Placed<SessionEventContent>;

const sealed = Type.Unsafe<Sealed>(Type.String());
const login = Type.Integer({ minimum: 0 });
const milliseconds = Type.Number();
const state = Type.Enum(sessionStates);
const webhook = Type.Object({ url: sealed, token: sealed });
const nothing = Type.Object({});
const ofLogin = Type.Object({ login });
const reasonOfLogin = Type.Object({ login, reason: Type.String() });
const accountOfLogin = Type.Object({ login, account: sealed, picture: sealed });

const data = {
  SessionCreated: Type.Object({
    secretHash: Type.String(),
    name: Type.Optional(sealed),
    metadata: Type.Optional(sealed),
    webhook: Type.Optional(webhook),
  }),
  QrIssued: Type.Object({ login, link: sealed, expires: milliseconds }),
  PasswordRequested: Type.Object({ login, hint: sealed }),
  PasswordRejected: ofLogin,
  LoggedIn: accountOfLogin,
  AccountChanged: accountOfLogin,
  ConnectionLost: reasonOfLogin,
  ConnectionRestored: ofLogin,
  LoginLost: reasonOfLogin,
  UpdatesLost: reasonOfLogin,
  GatewayRestarted: nothing,
  WebhookSet: Type.Object({ webhook: Type.Union([webhook, Type.Null()]), reason: Type.Optional(Type.String()) }),
  SessionReset: Type.Object({
    name: Type.Optional(sealed),
    metadata: Type.Optional(sealed),
    webhook: Type.Optional(Type.Union([webhook, Type.Null()])),
  }),
  SessionDeleted: nothing,
  QrTimedOut: nothing,
  PasswordTimedOut: nothing,
  DisconnectedTimedOut: nothing,
};

const effects: Effect['type'][] = ['startQrLogin', 'awaitPassword', 'connect', 'logOut', 'erase'];

const metadata = Type.Object({
  at: milliseconds,
  by: Type.String(),
  from: Type.Union([state, Type.Null()]),
  to: state,
  since: milliseconds,
  reason: Type.String(),
  context: Type.Object({ login }),
  deadlines: Type.Array(Type.Object({ fact: Type.Enum(timedFacts), dueAt: milliseconds })),
  effects: Type.Array(Type.Object({ type: Type.Enum(effects), login })),
  lateMs: Type.Optional(milliseconds),
});

/** Reads the events of `session-{id}`. */
export const sessionCodec = createEventCodec<SessionEventContent, typeof data, typeof metadata>({
  kind: 'session',
  upcasters: [],
  data,
  metadata,
});
