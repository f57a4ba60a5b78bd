import { Type } from 'typebox';
import { sessionStates } from '../../../actors/session/events.ts';
import type { Keywords } from '../shared/validation.ts';

/** Numbers in a log, and how many of its events: nine digits hold them all. */
const number = Type.String({ pattern: String.raw`^\d{1,9}$`, is: 'a number' } satisfies Keywords & { pattern: string });
const limit = Type.Optional(
  Type.String({ pattern: '^[1-9][0-9]{0,3}$', is: 'between 1 and 1000', greatest: 1000 } satisfies Keywords & {
    pattern: string;
  }),
);

/** `GET /session/events` (AD1). */
export const AuditQuery = Type.Object({ after: Type.Optional(number), limit });

/** `GET /session/replay` (AD2): one of the two; both left out mean now. */
export const MomentQuery = Type.Object({ seq: Type.Optional(number), at: Type.Optional(Type.String()) });

/** `GET /session/stream` (AD3). */
export const StreamQuery = Type.Object({ after: Type.Optional(number) });

/** `GET /sessions` (AD5). */
export const SessionsQuery = Type.Object({
  after: Type.Optional(Type.String()),
  limit,
  state: Type.Optional(Type.Enum([...sessionStates, 'any'])),
});
