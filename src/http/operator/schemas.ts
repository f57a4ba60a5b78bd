import { type Static, Type } from 'typebox';
import { sessionStates } from '../../../actors/session/events.ts';
import { listOrders } from '../../../projections/session-view.ts';
import { shortText } from '../shared/fields.ts';
import { keywords } from '../shared/keywords.ts';
import { component, maybeTime, text, time } from '../shared/openapi/describe.ts';
import { pageLimit } from '../shared/paging.ts';

/** `GET /sessions` (AD5). */
export const SessionsQuery = Type.Object({
  after: Type.Optional(Type.String()),
  limit: pageLimit,
  state: Type.Optional(Type.Enum([...sessionStates, 'any'])),
  sort: Type.Optional(Type.Enum([...listOrders])),
  externalId: Type.Optional(Type.String()),
  label: Type.Optional(Type.String()),
  tenant: Type.Optional(Type.String()),
  q: Type.Optional(shortText),
});

/** `GET /sessions/stream` (OS3). */
export const ChangesQuery = Type.Object({
  after: Type.Optional(
    Type.String(keywords({ pattern: String.raw`^\d{1,19}$`, is: 'the id of an event of this stream' })),
  ),
  events: Type.Optional(Type.Enum(['changes', 'all'])),
  usage: Type.Optional(Type.Enum(['true', 'false'])),
});

/** A session as an operator sees it, without personal data (AD5). */
export const SessionSummary = Type.Object(
  {
    id: Type.String(),
    state: Type.Enum([...sessionStates]),
    since: time('Start of the state.'),
    reason: text('Reason of the state: `logged-in`, `qr-timeout`, `SESSION_REVOKED`, …'),
    deadline: maybeTime('When the state ends by itself.'),
    created: time('When the session was created.'),
    externalId: text('The caller’s own ID of the session. Empty if it has none.'),
    label: text('The caller’s own name for the session. Empty if it has none.'),
    hasWebhook: Type.Boolean(),
    tenant: text('The tenant of the key that created it; empty without one.'),
    held: Type.Boolean({
      description:
        'An event of the session cannot be read: requests of its owner get `session not found` (500), and no deadline ends it. It is active again after a start that can read the event.',
    }),
  },
  { additionalProperties: false },
);
export type SessionSummary = Static<typeof SessionSummary>;

export const SessionSummaries = Type.Object({
  docs: Type.Array(component<SessionSummary>('SessionSummary')),
  after: text('The `after` of the next page; empty when there is none.'),
});

/** `GET` and `POST /sessions/{id}/connection` (OS2.4). */
export const SessionConnection = Type.Object(
  {
    id: text('Session ID.'),
    state: Type.Enum([...sessionStates]),
    attempts: Type.Integer({ description: 'Failed attempts to connect since it was connected last.' }),
    cause: text('Why the last one failed: `unreachable`, `proxy-refused`. Empty if none has failed.'),
    nextAttempt: maybeTime('When the next one begins. Empty while one is under way, or none is made.'),
  },
  { additionalProperties: false },
);
export type SessionConnection = Static<typeof SessionConnection>;

/** `POST /sessions/{id}/reset` (OS2). */
export const SessionResetResponse = Type.Object(
  {
    id: text('Session ID.'),
    state: Type.Enum([...sessionStates]),
    deadline: maybeTime('When the state ends by itself.'),
  },
  { additionalProperties: false },
);
export type SessionResetResponse = Static<typeof SessionResetResponse>;

/** `PUT /sessions/{id}/webhook` (OS2). */
export const WebhookSwitch = Type.Object(
  { id: text('Session ID.'), hasWebhook: Type.Boolean() },
  { additionalProperties: false },
);
export type WebhookSwitch = Static<typeof WebhookSwitch>;

/** `POST /sessions/{id}/secret` (OS2). */
export const RotatedSecret = Type.Object(
  { id: text('Session ID.'), sessionId: text('The new secret of the session.') },
  { additionalProperties: false },
);
export type RotatedSecret = Static<typeof RotatedSecret>;

export const Health = Type.Object({ status: Type.String() });

export const ReadyHealth = Type.Object({
  status: Type.String(),
  warnings: Type.Optional(
    Type.Array(Type.String(), { description: 'What an operator has to mend although requests are served.' }),
  ),
});
