import { examples } from '../shared/openapi/examples.ts';
import type { Operation } from '../shared/openapi/operation.ts';
import { named, responses } from '../shared/openapi/response-schemas.ts';

const auditParameters = {
  after: 'Only events after this number; of a page, the `after` of the one before it.',
  limit: 'At most so many, 1 to 1000; 100 if left out.',
  seq: 'The moment after this event.',
  at: 'The moment at this time (ISO 8601).',
  'last-event-id': 'Only events after this number.',
};
const eventStream = {
  mediaType: 'text/event-stream',
  description:
    'Server-sent events: `id` is `seq`, `event` the type, `data` an AuditEntry as JSON. Ends with the session.',
  example: `retry: 2000\n\nid: ${examples.entry.seq}\nevent: ${examples.entry.type}\ndata: ${JSON.stringify(examples.entry)}\n\n`,
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
  ],
} as const;

const listEvents: Operation = {
  id: 'listEvents',
  tag: 'Audit',
  summary: 'What happened to a session, and why',
  access: 'session',
  parameters: auditParameters,
  answer: { schema: responses.audit, example: { docs: [examples.entry], after: 4 } },
  errors: auditErrors.page,
};
const replaySession: Operation = {
  id: 'replaySession',
  tag: 'Audit',
  summary: 'A session as it was at any moment',
  access: 'session',
  parameters: auditParameters,
  answer: { schema: named('PastSession'), example: examples.past },
  errors: auditErrors.moment,
};
const streamEvents: Operation = {
  id: 'streamEvents',
  tag: 'Audit',
  summary: 'What happens to a session, as it happens',
  access: 'session',
  parameters: auditParameters,
  answer: eventStream,
  errors: auditErrors.stream,
};

/** What an operator may ask of any session as its owner may of theirs. */
const ofAny = (operation: Operation, { id, summary }: Pick<Operation, 'id' | 'summary'>): Operation => ({
  ...operation,
  id,
  summary,
  tag: 'Operation',
  access: 'operator',
  parameters: { ...operation.parameters, id: 'ID of the session.' },
  errors: [[404, 'session not found', ''], ...(operation.errors ?? [])],
});

export const auditOperations: Readonly<Record<string, Operation>> = {
  'GET /session/events': listEvents,
  'GET /session/replay': { ...replaySession, description: 'With neither seq nor at: as it is now.' },
  'GET /session/stream': streamEvents,
  'GET /sessions/:id/events': ofAny(listEvents, {
    id: 'listEventsOf',
    summary: 'What happened to any session, deleted ones too',
  }),
  'GET /sessions/:id/replay': {
    ...ofAny(replaySession, {
      id: 'replaySessionOf',
      summary: 'Any session as it was, without what is personal',
    }),
    answer: {
      schema: named('PastSession'),
      example: {
        ...examples.past,
        session: { ...examples.past.session, name: '', username: '', phone: '', picture: '' },
      },
    },
  },
  'GET /sessions/:id/stream': ofAny(streamEvents, {
    id: 'streamEventsOf',
    summary: 'What happens to any session, as it happens',
  }),
};
