import { type Static, Type } from 'typebox';
import type { Json } from '../../actors/ports/event-store.ts';
import { sessionStates } from '../../actors/session/events.ts';

const text = (description: string) => Type.String({ description });

export const ArmedDeadline = Type.Object({ type: Type.String(), due: text('When it fires. ISO 8601.') });
export type ArmedDeadline = Static<typeof ArmedDeadline>;

const state = Type.Enum([...sessionStates]);

/** One event of a session's life, as it is shown (AD1). */
export const AuditEntry = Type.Object(
  {
    seq: Type.Integer({ description: "Place in the session's log, from 1." }),
    type: text('The fact: `LoggedIn`, `ConnectionLost`, …'),
    created: text('When it was recorded. ISO 8601.'),
    state,
    reason: text('Why the session was in that state.'),
    data: Type.Object(
      {
        from: Type.Union([state, Type.Null()]),
        since: text('Since when the session was in that state. ISO 8601.'),
        deadlines: Type.Array(ArmedDeadline),
        by: Type.Optional(
          text('Who caused it: `owner`, the name of a key, `session`, `telegram` or `gateway`. Older events lack it.'),
        ),
        node: Type.Optional(text('Which node of the gateway caused it. Only with `by: gateway`.')),
      },
      { additionalProperties: true, description: 'With further details, which depend on the type of the event.' },
    ),
  },
  { additionalProperties: false },
);

type Entry = Static<typeof AuditEntry>;
/** `data` has further details, which depend on the type of the event. */
export type AuditEntry = Omit<Entry, 'data'> & { data: Entry['data'] & Record<string, Json | undefined> };
