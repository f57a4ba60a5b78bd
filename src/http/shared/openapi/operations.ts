import { auditOperations } from '../../audit/operations.ts';
import { directoryOperations } from '../../group/operations.ts';
import { messageOperations } from '../../message/operations.ts';
import { sessionOperations } from '../../session/operations.ts';
import { webhookOperations } from '../../webhook/operations.ts';
import { examples } from './examples.ts';
import type { Operation } from './operation.ts';
import { named, responses } from './response-schemas.ts';

/** The API document's part that no schema says, by method and route. A test holds it to the routes that there are. */
export const operations: Readonly<Record<string, Operation>> = {
  ...sessionOperations,
  ...webhookOperations,
  ...messageOperations,
  ...directoryOperations,
  ...auditOperations,
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
    answer: { schema: responses.sessions, example: { docs: [examples.summary], after: '' } },
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
  'GET /console/config': {
    id: 'consoleConfig',
    tag: 'Operation',
    summary: 'What the console at /console must know of this gateway',
    description: '`sandboxUrl` is empty where the real Telegram is on the other side.',
    access: 'anyone',
    answer: {
      schema: responses.consoleConfig,
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
    answer: { schema: responses.health, example: { status: 'ok' } },
  },
  'GET /health/ready': {
    id: 'ready',
    tag: 'Operation',
    summary: 'Whether requests can be served; if not, why not',
    access: 'anyone',
    answer: { schema: responses.health, example: { status: 'ok' } },
    errors: [[503, 'event store does not answer', 'One line a reason; with Retry-After.']],
  },
};
