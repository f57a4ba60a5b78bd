import type { AuditEntry } from '../../audit/audit-entry-schema.ts';
import type { SendEntry } from '../../audit/send-entry-schema.ts';
import { connectedSession } from '../session/operations.ts';
import { component } from '../shared/openapi/describe.ts';
import { exampleTime } from '../shared/openapi/example-values.ts';
import type { Operation } from '../shared/openapi/operation.ts';
import { AuditPage, type PastSession, SendPage } from './schemas.ts';

const deadlines = [{ type: 'DisconnectedTimedOut', due: '2026-01-05T08:45:00.000Z' }];
const entry: AuditEntry = {
  seq: 4,
  type: 'ConnectionLost',
  created: exampleTime,
  state: 'disconnected',
  reason: 'unreachable',
  data: { from: 'connected', since: exampleTime, deadlines, login: 1, reason: 'unreachable' },
};
const sends: SendEntry[] = [
  {
    seq: 7,
    type: 'SendBegun',
    created: exampleTime,
    send: 'uJ4tWn8xXSmzX2ZbMw1pVA',
    by: 'support agent',
    operation: 'POST /message',
  },
  { seq: 8, type: 'SendAnswered', created: exampleTime, send: 'uJ4tWn8xXSmzX2ZbMw1pVA' },
];
const { sessionId: _secret, ...session } = connectedSession;
const past: PastSession = {
  seq: 4,
  created: exampleTime,
  state: 'disconnected',
  since: exampleTime,
  reason: 'unreachable',
  deadlines,
  session: { ...session, isConnected: false },
};

const auditParameters = {
  after: 'Only events after this number: the `after` of the previous page.',
  limit: 'Up to this many, 1 to 1000; default 100.',
  seq: 'The moment after this event.',
  at: 'The moment at this time (ISO 8601).',
  'last-event-id': 'Only events after this number.',
};
const eventStream = {
  mediaType: 'text/event-stream',
  description:
    'Server-sent events: `id` is `seq`, `event` the type, `data` an AuditEntry as JSON. It ends with the session.',
  example: `retry: 2000\n\nid: ${entry.seq}\nevent: ${entry.type}\ndata: ${JSON.stringify(entry)}\n\n`,
};
const auditErrors = {
  page: [
    [400, 'after must be a number', ''],
    [400, 'limit must be between 1 and 1000', ''],
  ],
  moment: [
    [400, 'seq must be a number', ''],
    [400, 'at must be an ISO 8601 time', ''],
    [404, 'nothing was recorded then', ''],
  ],
  stream: [
    [400, 'after must be a number', ''],
    [400, 'last-event-id must be a number', ''],
    [429, 'too many streams of this session are open', 'More than 16; with Retry-After.'],
  ],
} as const;

const listEvents: Operation = {
  id: 'listEvents',
  tag: 'Audit',
  summary: 'The events of a session, with their reasons',
  description: 'Page by page, from the first one on. Every transition is an event before a response shows it.',
  access: 'session',
  parameters: auditParameters,
  response: {
    description: 'A page of events. `after` goes on behind it.',
    schema: AuditPage,
    example: { docs: [entry], after: 4 },
  },
  errors: auditErrors.page,
};
const replaySession: Operation = {
  id: 'replaySession',
  tag: 'Audit',
  summary: 'A session as it was at any moment',
  description: 'With neither seq nor at: as it is now.',
  access: 'session',
  parameters: auditParameters,
  response: { description: 'The session at that moment.', schema: component('PastSession'), example: past },
  errors: auditErrors.moment,
};
const listSends: Operation = {
  id: 'listSends',
  tag: 'Audit',
  summary: 'Who has sent with an Idempotency-Key',
  description:
    'Page by page, the oldest first: the sends of the last 24 hours, each with who sent. A send that began and has no ' +
    'response has failed, or its outcome is not known: repeating it with its key is safe.',
  access: 'session',
  parameters: auditParameters,
  response: {
    description: 'A page of what was recorded. `after` goes on behind it.',
    schema: SendPage,
    example: { docs: sends, after: 8 },
  },
  errors: auditErrors.page,
};
const streamEvents: Operation = {
  id: 'streamEvents',
  tag: 'Audit',
  summary: 'The events of a session, live',
  description: 'First those after `after` or `last-event-id`, then each new one.',
  access: 'session',
  parameters: auditParameters,
  response: eventStream,
  errors: auditErrors.stream,
};

/** The operations on a session's audit that both its owner and an operator have. */
const ofAny = (operation: Operation, { id, summary }: Pick<Operation, 'id' | 'summary'>): Operation => ({
  ...operation,
  id,
  summary,
  tag: 'Operation',
  access: 'operator',
  ...('schema' in operation.response && { revalidated: true }),
  parameters: { ...operation.parameters, id: 'ID of the session.' },
  errors: [[404, 'session not found', ''], ...(operation.errors ?? [])],
});

export const auditOperations: Readonly<Record<string, Operation>> = {
  'GET /session/events': listEvents,
  'GET /session/replay': replaySession,
  'GET /session/stream': streamEvents,
  'GET /session/sends': listSends,
  'GET /sessions/:id/events': ofAny(listEvents, {
    id: 'listEventsOf',
    summary: 'The events of any session, deleted ones too',
  }),
  'GET /sessions/:id/sends': ofAny(listSends, {
    id: 'listSendsOf',
    summary: 'Who has sent with an Idempotency-Key, for any session',
  }),
  'GET /sessions/:id/replay': {
    ...ofAny(replaySession, {
      id: 'replaySessionOf',
      summary: 'Any session as it was at any moment, without personal data',
    }),
    response: {
      description: 'The session at that moment.',
      schema: component('PastSession'),
      example: {
        ...past,
        session: { ...past.session, name: '', username: '', phone: '', picture: '' },
      },
    },
  },
  'GET /sessions/:id/stream': ofAny(streamEvents, {
    id: 'streamEventsOf',
    summary: 'The events of any session, live',
  }),
};
