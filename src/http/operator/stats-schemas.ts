import { type Static, Type } from 'typebox';
import { sessionStates } from '../../../actors/session/events.ts';
import { maybeTime, text, time } from '../shared/openapi/describe.ts';
import { countOfThings, deliveryCounts, sendCounts } from '../shared/openapi/usage-counts.ts';

const statsWindows = ['1h', '24h', '7d'] as const;

/** `GET /sessions/stats` (OS3). */
export const StatsQuery = Type.Object({
  window: Type.Optional(Type.Enum([...statsWindows])),
  history: Type.Optional(Type.Enum(['true', 'false'])),
});

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

const Moment = Type.Object(
  {
    at: time('Begin of a part of the window: a minute, 10 minutes or an hour.'),
    connected: countOfThings('Sessions that were connected at its end; of the last part, now.'),
    logins: countOfThings('Logins in it.'),
    lost: countOfThings('Logins that ended in it without their callers’ wish.'),
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
    logins: countOfThings('Logins, and logins that were imported.'),
    losses: Type.Array(
      Type.Object({ reason: Type.String(), count: Type.Integer({ minimum: 1 }) }, { additionalProperties: false }),
      { description: 'Logins that ended without their callers’ wish, by reason, the most frequent first.' },
    ),
    lastLosses: Type.Array(Loss, { description: 'The last of them, the newest first; up to 20.' }),
    sends: sendCounts,
    deliveries: deliveryCounts,
    backlog: Type.Object(
      {
        pending: countOfThings('Deliveries that are not made yet.'),
        oldest: maybeTime('When the oldest of them was recorded.'),
      },
      { additionalProperties: false },
    ),
    waits: countOfThings('How often Telegram asked to wait.'),
    history: Type.Optional(
      Type.Array(Moment, { description: 'With `history=true`: the parts of the window, the oldest first.' }),
    ),
  },
  { additionalProperties: false },
);
export type SessionStats = Static<typeof SessionStats>;
