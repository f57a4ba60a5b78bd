import { answers, named } from './answers.ts';
import { directoryOperations } from './directory-operations.ts';
import { examples } from './examples.ts';
import { messageOperations } from './message-operations.ts';
import type { Operation } from './operation.ts';

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

/** The API document's part that no schema says, by method and route. A test holds it to the routes that there are. */
export const operations: Readonly<Record<string, Operation>> = {
  'POST /session': {
    id: 'createSession',
    tag: 'Sessions',
    summary: 'Create a session',
    description: 'Answers at once; the QR follows within a second or two: poll GET /session every 2 to 3 seconds.',
    access: 'operator',
    requests: {
      plain: {},
      'with a webhook': {
        name: 'Support desk',
        metadata: { desk: 'berlin' },
        webhook: { url: 'https://crm.example/telegram', token: 'whsec-of-mine' },
      },
    },
    answer: { schema: named('CreatedSession'), example: examples.created },
    errors: [
      [400, 'webhook.url and webhook.token must be both filled, or both empty to turn the webhook off', ''],
      [400, 'webhook.url must be an http or https url', ''],
      [400, 'webhook.token must be printable ASCII', ''],
    ],
  },
  'GET /session': {
    id: 'getSession',
    tag: 'Sessions',
    summary: 'Look at a session',
    description: 'Works in every state. A 404 while polling for the QR means that it was not scanned in time.',
    access: 'session',
    answer: { schema: named('Session'), example: examples.session },
  },
  'POST /session/password': {
    id: 'submitPassword',
    tag: 'Sessions',
    summary: 'Give the two-step password',
    access: 'session',
    requests: { plain: { password: 'hunter2' } },
    answer: { schema: answers.id, example: examples.id },
    errors: [
      [400, 'invalid password', ''],
      [400, 'password is not required', 'isPasswordRequired is false.'],
      [400, 'password should not be empty', ''],
      [
        500,
        'A wait of 120 seconds is required (caused by auth.CheckPassword)',
        'Too many wrong ones; with Retry-After.',
      ],
    ],
  },
  'POST /session/reset': {
    id: 'resetSession',
    tag: 'Sessions',
    summary: 'Log out and show a fresh QR',
    description: 'Keeps id, sessionId, webhook and metadata; what the body fills is replaced.',
    access: 'session',
    requests: { plain: {} },
    answer: { schema: named('CreatedSession'), example: examples.created },
  },
  'DELETE /session': {
    id: 'deleteSession',
    tag: 'Sessions',
    summary: 'Delete a session',
    description: 'Logs out at Telegram and erases what is personal. Later requests get 404.',
    access: 'session',
    answer: { schema: answers.id, example: examples.id },
  },
  'PUT /session/webhook': {
    id: 'setWebhook',
    tag: 'Webhook',
    summary: 'Set the webhook, or turn it off',
    description: 'Both empty turn it off. POST does the same.',
    access: 'session',
    requests: {
      on: { url: 'https://crm.example/telegram', token: 'whsec-of-mine' },
      off: { url: '', token: '' },
    },
    answer: { schema: answers.webhook, example: examples.webhook },
    errors: [
      [400, 'url and token must be both filled, or both empty to turn the webhook off', ''],
      [400, 'url must be an http or https url', ''],
      [400, 'token must be printable ASCII', ''],
    ],
  },
  'GET /session/webhook': {
    id: 'getWebhook',
    tag: 'Webhook',
    summary: 'Look at the webhook, and how it is doing',
    access: 'session',
    answer: { schema: answers.webhookStatus, example: examples.webhookStatus },
    errors: [[503, 'the event store is not available', 'With Retry-After.']],
  },
  'GET /session/webhook/parked': {
    id: 'listParked',
    tag: 'Webhook',
    summary: 'Events that were given up after 24 hours',
    description: 'Kept, like all events, for 7 days. Replay sends them again.',
    access: 'session',
    parameters: {
      after: 'Only events after this number; of a page, the `after` of the one before it.',
      limit: 'At most so many, 1 to 1000; 100 if left out.',
    },
    answer: { schema: answers.parked, example: { docs: [examples.parked], after: 17 } },
    errors: [
      [400, 'after must be a number', ''],
      [400, 'limit must be between 1 and 1000', ''],
      [503, 'the event store is not available', 'With Retry-After.'],
    ],
  },
  'POST /session/webhook/replay': {
    id: 'replayWebhook',
    tag: 'Webhook',
    summary: 'Send events again',
    description:
      'Everything from the number `from` on, parked events included, under the same IDs and in the same order.',
    access: 'session',
    requests: { plain: { from: 17 } },
    answer: { schema: answers.replayed, example: { id: examples.id.id, pending: 12 } },
    errors: [
      [400, 'from should not be empty', ''],
      [400, 'from must be a number', ''],
      [400, 'from must be a positive number', ''],
      [400, 'webhook is off', ''],
    ],
  },
  'POST /session/webhook/test': {
    id: 'testWebhook',
    tag: 'Webhook',
    summary: 'Send a signed test event now',
    description: 'Beside the queue, once; answers how it went.',
    access: 'session',
    answer: {
      schema: answers.webhookTest,
      example: { id: '0197f3a2-9b50-7a41-8c1d-5b1f6a2f9e07', delivered: true, status: 204, error: '' },
    },
    errors: [[400, 'webhook is off', '']],
  },
  ...messageOperations,
  ...directoryOperations,
  'GET /session/events': {
    id: 'listEvents',
    tag: 'Audit',
    summary: 'What happened to a session, and why',
    access: 'session',
    parameters: auditParameters,
    answer: { schema: answers.audit, example: { docs: [examples.entry], after: 4 } },
    errors: auditErrors.page,
  },
  'GET /session/replay': {
    id: 'replaySession',
    tag: 'Audit',
    summary: 'A session as it was at any moment',
    description: 'With neither seq nor at: as it is now.',
    access: 'session',
    parameters: auditParameters,
    answer: { schema: named('PastSession'), example: examples.past },
    errors: auditErrors.moment,
  },
  'GET /session/stream': {
    id: 'streamEvents',
    tag: 'Audit',
    summary: 'What happens to a session, as it happens',
    access: 'session',
    parameters: auditParameters,
    answer: eventStream,
    errors: auditErrors.stream,
  },
  'GET /sessions': {
    id: 'listSessions',
    tag: 'Operation',
    summary: 'All sessions, without what is personal',
    access: 'operator',
    parameters: {
      after: 'The `after` of the page before.',
      limit: 'At most so many, 1 to 1000; 100 if left out.',
      state: 'Only sessions in this state; `any` has the deleted ones too, left out means all that are not deleted.',
    },
    answer: { schema: answers.sessions, example: { docs: [examples.summary], after: '' } },
    errors: [[400, 'limit must be between 1 and 1000', '']],
  },
  'GET /sessions/:id': {
    id: 'getSessionSummary',
    tag: 'Operation',
    summary: 'One session, without what is personal',
    access: 'operator',
    parameters: { id: 'ID of the session.' },
    answer: { schema: named('SessionSummary'), example: examples.summary },
    errors: [[404, 'session not found', '']],
  },
  'GET /sessions/:id/events': {
    id: 'listEventsOf',
    tag: 'Operation',
    summary: 'What happened to any session, deleted ones too',
    access: 'operator',
    parameters: { ...auditParameters, id: 'ID of the session.' },
    answer: { schema: answers.audit, example: { docs: [examples.entry], after: 4 } },
    errors: [[404, 'session not found', ''], ...auditErrors.page],
  },
  'GET /sessions/:id/replay': {
    id: 'replaySessionOf',
    tag: 'Operation',
    summary: 'Any session as it was, without what is personal',
    access: 'operator',
    parameters: { ...auditParameters, id: 'ID of the session.' },
    answer: {
      schema: named('PastSession'),
      example: {
        ...examples.past,
        session: { ...examples.past.session, name: '', username: '', phone: '', picture: '' },
      },
    },
    errors: [[404, 'session not found', ''], ...auditErrors.moment],
  },
  'GET /sessions/:id/stream': {
    id: 'streamEventsOf',
    tag: 'Operation',
    summary: 'What happens to any session, as it happens',
    access: 'operator',
    parameters: { ...auditParameters, id: 'ID of the session.' },
    answer: eventStream,
    errors: [[404, 'session not found', ''], ...auditErrors.stream],
  },
  'GET /console/config': {
    id: 'consoleConfig',
    tag: 'Operation',
    summary: 'What the console at /console must know of this gateway',
    description: '`sandboxUrl` is empty where the real Telegram is on the other side.',
    access: 'anyone',
    answer: {
      schema: answers.consoleConfig,
      example: { sandboxUrl: 'http://127.0.0.1:4400', needsApiKey: false },
    },
  },
  'GET /metrics': {
    id: 'metrics',
    tag: 'Operation',
    summary: 'Metrics for Prometheus',
    description: 'Answers while the service is starting, too. docs/operating.md says what each is for.',
    access: 'operator',
    answer: {
      mediaType: 'text/plain',
      description: 'Text exposition format, version 0.0.4.',
      example:
        '# HELP gateway_ready 1 while requests are served\n# TYPE gateway_ready gauge\ngateway_ready 1\n\n# HELP gateway_sessions Sessions by state; deleted ones until their log is removed\n# TYPE gateway_sessions gauge\ngateway_sessions{state="connected"} 12\n',
    },
  },
  'GET /health/live': {
    id: 'live',
    tag: 'Operation',
    summary: 'Whether the process lives',
    access: 'anyone',
    answer: { schema: answers.health, example: { status: 'ok' } },
  },
  'GET /health/ready': {
    id: 'ready',
    tag: 'Operation',
    summary: 'Whether requests can be served; if not, why not',
    access: 'anyone',
    answer: { schema: answers.health, example: { status: 'ok' } },
    errors: [[503, 'event store does not answer', 'One line a reason; with Retry-After.']],
  },
};
