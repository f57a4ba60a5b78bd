import { ChangedSession } from '../session/schemas.ts';
import { component } from '../shared/openapi/describe.ts';
import { exampleId, exampleTime } from '../shared/openapi/example-values.ts';
import type { Operation } from '../shared/openapi/operation.ts';
import { Health, ReadyHealth, SessionSummaries, type SessionSummary } from './schemas.ts';

const summary: SessionSummary = {
  id: exampleId,
  state: 'disconnected',
  since: exampleTime,
  reason: 'unreachable',
  deadline: '2026-01-05T08:45:00.000Z',
  created: exampleTime,
  externalId: 'customer-4711',
  label: 'Support desk',
  hasWebhook: true,
  tenant: 'acme',
  held: false,
};

export const operatorOperations: Readonly<Record<string, Operation>> = {
  'GET /sessions': {
    id: 'listSessions',
    tag: 'Operation',
    summary: 'All sessions, without personal data',
    description: 'By default in the order in which they were created.',
    access: 'operator',
    parameters: {
      after: 'The `after` of the previous page.',
      limit: 'Up to this many, 1 to 1000; default 100.',
      sort: 'By creation (`created`, the default) or by the start of the state (`since`); with `-` the newest first.',
      state: 'Only sessions in this state; `any`: deleted ones too. Default: all that are not deleted.',
      externalId: 'Only the sessions with exactly this `externalId`.',
      label: 'Only the sessions with exactly this `label`.',
      tenant: 'Only the sessions of this tenant.',
      q: 'Only sessions that have these characters in their `id`, `externalId` or `label`, large or small.',
    },
    response: {
      description: 'A page of sessions. `after` is empty on the last page.',
      schema: SessionSummaries,
      example: { docs: [summary], after: '' },
    },
    revalidated: true,
    errors: [
      [400, 'limit must be between 1 and 1000', ''],
      [400, 'after must be that of a page in the same order', ''],
    ],
  },
  'GET /sessions/stream': {
    id: 'streamSessions',
    tag: 'Operation',
    summary: 'What changes in any session, as it happens',
    description:
      'Server-sent events, compact, for thousands of sessions: another state, other names, the webhook, the secret. It begins ' +
      'with what happens from now on, or after the event that `Last-Event-ID` or `after` names.',
    access: 'operator',
    parameters: {
      after: 'The `id` of the last event that was seen.',
      'last-event-id': 'The same.',
      events: '`all`: every event, also those that change nothing of this. Default `changes`.',
      usage:
        '`true`: also `UsageRecorded`, at most once a second, for the sessions that have sent or delivered something, or failed ' +
        'to: `{ sessions, count, created }`, with up to 100 of their IDs.',
    },
    response: {
      mediaType: 'text/event-stream',
      description:
        '`id` is the place in the log, `event` the fact; `data` has the session as GET /sessions shows it, in short.',
      example:
        'id: 4711\nevent: LoggedIn\ndata: {"id":"0197f3a2-7c1e-7d20-8b6f-10d35e4472aa","seq":3,"state":"connected","reason":"logged-in","externalId":"customer-1","label":"","created":"2026-01-05T08:15:00.000Z"}\n\n',
    },
    errors: [
      [400, 'after must be the id of an event of this stream', ''],
      [400, 'events must be one of the following values: changes, all', ''],
      [400, 'usage must be one of the following values: true, false', ''],
      [429, 'too many streams of this session are open', 'For this key: 16.'],
    ],
  },
  'GET /sessions/:id': {
    id: 'getSessionSummary',
    tag: 'Operation',
    summary: 'One session, without personal data',
    description: 'A deleted one too, until its log is removed.',
    access: 'operator',
    parameters: { id: 'ID of the session.' },
    response: { description: 'The session.', schema: component('SessionSummary'), example: summary },
    errors: [[404, 'session not found', '']],
  },
  'PATCH /sessions/:id': {
    id: 'changeNamedSession',
    tag: 'Operation',
    summary: 'Change a session’s own names, and its account’s pace',
    description: 'As PATCH /session, with the API key.',
    access: 'operator',
    parameters: { id: 'ID of the session.' },
    requests: { plain: { externalId: 'customer-4711', label: 'Support desk' } },
    response: {
      description: 'The names as they are now.',
      schema: ChangedSession,
      example: { id: exampleId, externalId: 'customer-4711', label: 'Support desk', pace: null },
    },
    errors: [
      [400, `externalId is used by session ${exampleId}`, ''],
      [404, 'session not found', ''],
    ],
  },
  'GET /metrics': {
    id: 'metrics',
    tag: 'Operation',
    summary: 'Metrics for Prometheus',
    description: 'Served during the start too. docs/operating.md describes each metric.',
    access: 'operator',
    response: {
      mediaType: 'text/plain',
      description: 'Text exposition format, version 0.0.4.',
      example:
        '# HELP gateway_ready 1 while requests are served\n# TYPE gateway_ready gauge\ngateway_ready 1\n\n# HELP gateway_sessions Sessions by state; deleted ones until their log is removed\n# TYPE gateway_sessions gauge\ngateway_sessions{state="connected"} 12\n',
    },
  },
  'GET /health/live': {
    id: 'live',
    tag: 'Operation',
    summary: 'Whether the process is alive',
    description: 'Asks neither the event store nor Telegram: it says only that the process answers.',
    access: 'anyone',
    response: { description: 'The process is alive.', schema: Health, example: { status: 'ok' } },
  },
  'GET /health/ready': {
    id: 'ready',
    tag: 'Operation',
    summary: 'Whether requests can be served; if not, why not',
    description: '`warnings`, if there are any, say what an operator has to mend although requests are served.',
    access: 'anyone',
    response: { description: 'Requests are served.', schema: ReadyHealth, example: { status: 'ok' } },
    errors: [
      [503, 'event store does not answer', 'One line a reason; with Retry-After.'],
      [503, 'event store cannot write: database or disk is full', 'The embedded store.'],
    ],
  },
};
