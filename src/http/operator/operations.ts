import { component } from '../shared/openapi/describe.ts';
import { exampleId, exampleTime } from '../shared/openapi/example-values.ts';
import type { Operation } from '../shared/openapi/operation.ts';
import { Health, SessionSummaries, type SessionSummary } from './schemas.ts';

const summary: SessionSummary = {
  id: exampleId,
  state: 'disconnected',
  since: exampleTime,
  reason: 'unreachable',
  deadline: '2026-01-05T08:45:00.000Z',
  created: exampleTime,
  hasWebhook: true,
  held: false,
};

export const operatorOperations: Readonly<Record<string, Operation>> = {
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
    response: { schema: SessionSummaries, example: { docs: [summary], after: '' } },
    errors: [[400, 'limit must be between 1 and 1000', '']],
  },
  'GET /sessions/:id': {
    id: 'getSessionSummary',
    tag: 'Operation',
    summary: 'One session, without what is personal',
    access: 'operator',
    parameters: { id: 'ID of the session.' },
    response: { schema: component('SessionSummary'), example: summary },
    errors: [[404, 'session not found', '']],
  },
  'GET /metrics': {
    id: 'metrics',
    tag: 'Operation',
    summary: 'Metrics for Prometheus',
    description: 'Answers while the service is starting, too. docs/operating.md says what each is for.',
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
    summary: 'Whether the process lives',
    access: 'anyone',
    response: { schema: Health, example: { status: 'ok' } },
  },
  'GET /health/ready': {
    id: 'ready',
    tag: 'Operation',
    summary: 'Whether requests can be served; if not, why not',
    access: 'anyone',
    response: { schema: Health, example: { status: 'ok' } },
    errors: [[503, 'event store does not answer', 'One line a reason; with Retry-After.']],
  },
};
