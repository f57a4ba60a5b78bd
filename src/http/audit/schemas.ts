import { type Static, Type } from 'typebox';
import { sessionStates } from '../../../actors/session/events.ts';
import { ArmedDeadline, type AuditEntry } from '../../audit/audit-entry-schema.ts';
import type { SendEntry } from '../../audit/send-entry-schema.ts';
import { SessionWithoutSecret } from '../session/schemas.ts';
import { component, time } from '../shared/openapi/describe.ts';
import { logPosition, pageLimit } from '../shared/paging.ts';

/** `GET /session/events` (AD1), `GET /session/sends` (AD7). */
export const AuditQuery = Type.Object({ after: Type.Optional(logPosition), limit: pageLimit });

/** `GET /session/replay` (AD2): one of the two; without both, now. */
export const MomentQuery = Type.Object({ seq: Type.Optional(logPosition), at: Type.Optional(Type.String()) });

/** `GET /session/stream` (AD3). */
export const StreamQuery = Type.Object({ after: Type.Optional(logPosition) });

export const AuditPage = Type.Object({
  docs: Type.Array(component<AuditEntry>('AuditEntry')),
  after: Type.Integer({ description: 'The `after` of the next page.' }),
});

export const SendPage = Type.Object({
  docs: Type.Array(component<SendEntry>('SendEntry')),
  after: Type.Integer({ description: 'The `after` of the next page.' }),
});

/** A session as it was after the event `seq` (AD2). */
export const PastSession = Type.Object(
  {
    seq: Type.Integer(),
    created: time('When the last event before that moment was recorded.'),
    state: Type.Enum([...sessionStates]),
    since: time('Start of the state.'),
    reason: Type.String(),
    deadlines: Type.Array(ArmedDeadline),
    session: SessionWithoutSecret,
  },
  { additionalProperties: false },
);
export type PastSession = Static<typeof PastSession>;
