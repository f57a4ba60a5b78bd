import { exampleId } from '../shared/openapi/example-values.ts';
import type { Operation } from '../shared/openapi/operation.ts';
import { ofSession } from './control-operations.ts';
import { SessionConnection } from './schemas.ts';

const connection: SessionConnection = {
  id: exampleId,
  state: 'disconnected',
  attempts: 4,
  cause: 'unreachable',
  nextAttempt: '2026-01-05T08:15:12.000Z',
};
const common = { tag: 'Operation', access: 'operator', parameters: { id: 'ID of the session.' } } as const;

/** How a disconnected session reconnects (OS2.4). */
export const connectionOperations: Readonly<Record<string, Operation>> = {
  'GET /sessions/:id/connection': {
    ...common,
    id: 'getSessionConnection',
    summary: 'The attempts of a disconnected session to reconnect',
    description: 'Other states have none.',
    response: { schema: SessionConnection, example: connection },
    errors: [[404, 'session not found', '']],
  },
  'POST /sessions/:id/connection': {
    ...common,
    id: 'reconnectSession',
    summary: 'Have a disconnected session connect now',
    description:
      'Instead of at its next attempt, and no sooner than a second after the last one. In other states, or while an attempt is under ' +
      'way, nothing happens.',
    response: { schema: SessionConnection, example: { ...connection, nextAttempt: '2026-01-05T08:15:01.000Z' } },
    errors: ofSession,
  },
};
