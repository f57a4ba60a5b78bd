import { Type } from 'typebox';
import { createEventCodec, type EventCodec, type Placed, type Upcaster } from '../ports/event-codec.ts';
import type { Sealed } from '../ports/sealer.ts';
import { codeChannels, stringFormats } from '../ports/telegram-session.ts';
import type { Effect, SessionFact, SessionFactType, SessionState, TimedFact, TransitionMetadata } from './events.ts';
import { type Lifecycle, sessionLifecycle } from './lifecycle.ts';

/** The content of an event of a session's stream: a fact and its transition. */
export type SessionEventContent = {
  [T in SessionFactType]: {
    type: T;
    data: Omit<Extract<SessionFact, { type: T }>, 'type'>;
    metadata: TransitionMetadata;
  };
}[SessionFactType];

/** A decoded event of a session's stream. */
export type RecordedSessionEvent = Placed<SessionEventContent>;

const sealed = Type.Unsafe<Sealed>(Type.String());
const login = Type.Integer({ minimum: 0 });
const milliseconds = Type.Number();
const webhook = Type.Object({
  url: sealed,
  token: sealed,
  events: Type.Optional(Type.Array(Type.String())),
  chats: Type.Optional(Type.String()),
  chatIds: Type.Optional(sealed),
});
const limit = Type.Integer({ minimum: 1 });
const pace = Type.Object({ perMinute: Type.Optional(limit), newChatsPerDay: Type.Optional(limit) });
const epoch = Type.Integer({ minimum: 0 });
const nothing = Type.Object({});
const names = { externalId: Type.Optional(Type.String()), label: Type.Optional(Type.String()) };
const ofLogin = Type.Object({ login });
const reasonOfLogin = Type.Object({ login, reason: Type.String() });
const accountOfLogin = Type.Object({ login, account: sealed, picture: sealed });

const data = {
  SessionCreated: Type.Object({
    secretHash: Type.String(),
    name: Type.Optional(sealed),
    metadata: Type.Optional(sealed),
    webhook: Type.Optional(webhook),
    ...names,
    tenant: Type.Optional(Type.String()),
    key: Type.Optional(Type.String()),
  }),
  SessionRenamed: Type.Object(names),
  PaceSet: Type.Object({ pace: Type.Union([pace, Type.Null()]) }),
  QrIssued: Type.Object({ login, link: sealed, expires: milliseconds }),
  CodeSent: Type.Object({
    login,
    to: Type.Enum([...codeChannels]),
    number: Type.Integer({ minimum: 1 }),
    phone: sealed,
  }),
  CodeRejected: ofLogin,
  CodesUsedUp: ofLogin,
  PasswordRequested: Type.Object({ login, hint: sealed }),
  PasswordRejected: ofLogin,
  LoggedIn: accountOfLogin,
  LoginImported: Type.Object({ login, format: Type.Enum([...stringFormats]), account: sealed, picture: sealed }),
  AccountChanged: accountOfLogin,
  ConnectionLost: reasonOfLogin,
  ConnectionRestored: ofLogin,
  LoginLost: reasonOfLogin,
  BotLoginLost: reasonOfLogin,
  LoginExported: Type.Object({ login, format: Type.Enum([...stringFormats]) }),
  LoginRefused: reasonOfLogin,
  UpdatesLost: reasonOfLogin,
  AccountFrozen: reasonOfLogin,
  MethodCalled: Type.Object({ method: Type.String(), by: Type.String() }),
  GatewayRestarted: nothing,
  OwnerChanged: Type.Object({ epoch }),
  WebhookSet: Type.Object({
    webhook: Type.Union([webhook, Type.Null()]),
    slot: Type.Optional(Type.Integer()),
    reason: Type.Optional(Type.String()),
  }),
  ProxySet: Type.Object({ url: Type.Union([sealed, Type.Null()]) }),
  ProxyFailed: reasonOfLogin,
  SessionReset: Type.Object({
    name: Type.Optional(sealed),
    metadata: Type.Optional(sealed),
    webhook: Type.Optional(Type.Union([webhook, Type.Null()])),
  }),
  SecretRotated: Type.Object({ secretHash: Type.String() }),
  SessionDeleted: nothing,
  LoggedOut: nothing,
  LogOutGivenUp: nothing,
};

/**
 * Version 2 added `LoginRefused`, `AccountFrozen`, `LoggedOut` and `LogOutGivenUp`, version 3 `MethodCalled`, version 4
 * `CodeSent`, `CodeRejected`, `CodesUsedUp`, `CodeTimedOut`, `BotLoginLost`, `LoginExported` and `LoginImported`, version 5
 * `SessionRenamed` and `PaceSet`, version 6 `SecretRotated`, `ProxySet`, `ProxyFailed` and the metadata's `proxy`, version 7 `OwnerChanged` and the metadata's
 * `epoch`; the other events stayed as they were.
 */
const asItWas: Upcaster = (event) => event;

/** The names of states, deadlines and effects are those of the chart. */
function metadataOf({ states, timedFacts, effectTypes }: Lifecycle) {
  const state = Type.Unsafe<SessionState>(Type.Enum([...states]));
  const fact = Type.Unsafe<TimedFact>(Type.Enum([...timedFacts]));
  const effect = Type.Unsafe<Effect['type']>(Type.Enum([...effectTypes]));
  return Type.Object({
    at: milliseconds,
    by: Type.String(),
    author: Type.Optional(Type.String()),
    from: Type.Union([state, Type.Null()]),
    to: state,
    since: milliseconds,
    reason: Type.String(),
    context: Type.Object({ login }),
    proxy: Type.Optional(sealed),
    epoch: Type.Optional(epoch),
    deadlines: Type.Array(Type.Object({ fact, dueAt: milliseconds })),
    effects: Type.Array(Type.Object({ type: effect, login })),
    lateMs: Type.Optional(milliseconds),
  });
}

export type SessionCodec = EventCodec<SessionEventContent>;

/** A codec for the events of `session-{id}`, as a chart records them. */
export function createSessionCodec(lifecycle: Lifecycle): SessionCodec {
  const timed = Object.fromEntries(lifecycle.timedFacts.map((fact) => [fact, nothing])) as Record<
    TimedFact,
    typeof nothing
  >;
  const all = { ...data, ...timed };
  return createEventCodec<SessionEventContent, typeof all, ReturnType<typeof metadataOf>>({
    kind: 'session',
    upcasters: [asItWas, asItWas, asItWas, asItWas, asItWas, asItWas],
    data: all,
    metadata: metadataOf(lifecycle),
  });
}

/** Reads the events of `session-{id}`. */
export const sessionCodec = createSessionCodec(sessionLifecycle);
