import { type Static, Type } from 'typebox';
import { sessionStates } from '../../../actors/session/events.ts';
import { maybeTime, text, time } from '../shared/openapi/describe.ts';

const statsWindows = ['1h', '24h', '7d'] as const;

/** `GET /sessions/stats` (OS3). */
export const StatsQuery = Type.Object({ window: Type.Optional(Type.Enum([...statsWindows])) });

const count = (description: string) => Type.Integer({ minimum: 0, description });

const Loss = Type.Object(
  {
    id: text('Session ID.'),
    externalId: text('The caller’s own ID of the session. Empty if it has none.'),
    label: text('The caller’s own name for the session. Empty if it has none.'),
    reason: text('Why the login ended: `SESSION_REVOKED`, `disconnected-timeout`, …'),
    at: time('When.'),
  },
  { additionalProperties: false },
);

export const SessionStats = Type.Object(
  {
    window: Type.Enum([...statsWindows]),
    since: time('From when on events are counted: whole minutes for an hour, 10 minutes for a day, hours for a week.'),
    version: text('Version of the gateway.'),
    startedAt: time('When this gateway started.'),
    store: Type.Enum(['sqlite', 'kurrentdb'], { description: 'Where the events are.' }),
    states: Type.Object(
      Object.fromEntries(sessionStates.map((state) => [state, Type.Integer({ minimum: 0 })])) as {
        [State in (typeof sessionStates)[number]]: ReturnType<typeof Type.Integer>;
      },
      {
        additionalProperties: false,
        description: 'How many sessions are in each state now; deleted ones until their log is removed.',
      },
    ),
    logins: count('Logins, and logins that were imported.'),
    losses: Type.Array(
      Type.Object({ reason: Type.String(), count: Type.Integer({ minimum: 1 }) }, { additionalProperties: false }),
      { description: 'Logins that ended without their callers’ wish, by reason, the most frequent first.' },
    ),
    lastLosses: Type.Array(Loss, { description: 'The last of them, the newest first; up to 20.' }),
    sends: Type.Object(
      { ok: count('Messages and stories that Telegram has.'), failed: count('Those that could not be sent.') },
      { additionalProperties: false },
    ),
    deliveries: Type.Object(
      {
        ok: count('Events that webhooks took.'),
        failed: count('Attempts that failed.'),
        parked: count('Deliveries that were given up.'),
      },
      { additionalProperties: false },
    ),
    backlog: Type.Object(
      {
        pending: count('Deliveries that are not made yet.'),
        oldest: maybeTime('When the oldest of them was recorded.'),
      },
      { additionalProperties: false },
    ),
    waits: count('How often Telegram asked to wait.'),
  },
  { additionalProperties: false },
);
export type SessionStats = Static<typeof SessionStats>;
