import { operatorEventTypes } from '../../webhook/filter/event-filter.ts';
import type { ErrorLine } from '../shared/openapi/errors.ts';
import { exampleId, exampleTime } from '../shared/openapi/example-values.ts';
import type { Operation } from '../shared/openapi/operation.ts';
import { DeletedWebhook, ReplayResponse, WebhookTest } from '../webhook/schemas.ts';
import { NewOperatorWebhook, OperatorParkedEvents, OperatorWebhookList, OperatorWebhookSchema } from './schemas.ts';

const example: OperatorWebhookSchema = {
  id: '0197f3a2-9c11-7d34-8a02-5b7c1d9e0f46',
  url: 'https://ops.example/sessions',
  events: ['session.login-lost', 'session.deleted'],
  tenant: 'acme',
  created: exampleTime,
  by: 'support desk',
  paused: false,
  pending: 0,
  lastDelivered: exampleTime,
  lastError: '',
  lastFailed: '',
  nextAttempt: '',
  parked: 0,
};
const token = 'whsec_c2VjcmV0IG9mIHRoZSBvcGVyYXRvcnM=';
const settings = { url: example.url, events: example.events };
const webhookId = "The webhook's `id`.";
const notFound: ErrorLine = [404, 'webhook not found', 'It was removed, or is of another tenant.'];
const unavailable: ErrorLine = [503, 'the event store is not available', 'With Retry-After.'];
const settingErrors: readonly ErrorLine[] = [
  [400, 'url should not be empty', 'It is missing.'],
  [400, 'url must be an http or https url', ''],
  [400, 'token must be printable ASCII', ''],
  [400, 'events must be an array', ''],
  [400, `events.0 must be one of the following values: ${operatorEventTypes.join(', ')}`, ''],
];
const common = { tag: 'Operation', access: 'operator' } as const;
const path = '/webhooks/:webhookId';

export const operatorWebhookOperations: Readonly<Record<string, Operation>> = {
  'POST /webhooks': {
    ...common,
    id: 'addOperatorWebhook',
    summary: 'Add a webhook that is told of all sessions',
    description:
      'Of all sessions that the key may see, it is told how they themselves are: `session.*`, from now on; nothing of their accounts. ' +
      'Requests, retries and signature are those of a session’s webhook; events of one session come in order. ' +
      'Without a `token` one is made; it is in this response alone. Without `events` it is told of all. There are up to five for a ' +
      'tenant, and five without one. While its key is revoked or has expired, it waits: `PUT` with another key goes on.',
    requests: { plain: settings, 'of all events': { url: example.url, token } },
    response: { schema: NewOperatorWebhook, example: { ...example, token } },
    errors: [[400, 'there are up to 5 webhooks', 'For the tenant of the key.'], ...settingErrors, unavailable],
  },
  'GET /webhooks': {
    ...common,
    id: 'listOperatorWebhooks',
    summary: 'Operators’ webhooks, with the state of their deliveries',
    response: { schema: OperatorWebhookList, example: { docs: [example] } },
  },
  [`GET ${path}`]: {
    ...common,
    id: 'getOperatorWebhook',
    summary: 'An operators’ webhook and the state of its deliveries',
    parameters: { webhookId },
    response: { schema: OperatorWebhookSchema, example },
    errors: [notFound],
  },
  [`PUT ${path}`]: {
    ...common,
    id: 'changeOperatorWebhook',
    summary: 'Change an operators’ webhook',
    description:
      'What waits is tried at once. A token that is left out stays. It is the webhook of this request’s key from now on.',
    parameters: { webhookId },
    requests: { plain: settings },
    response: { schema: OperatorWebhookSchema, example },
    errors: [notFound, ...settingErrors, unavailable],
  },
  [`DELETE ${path}`]: {
    ...common,
    id: 'removeOperatorWebhook',
    summary: 'Remove an operators’ webhook',
    description: 'What waits for it is not delivered.',
    parameters: { webhookId },
    response: { schema: DeletedWebhook, example: { id: example.id } },
    errors: [notFound, unavailable],
  },
  [`GET ${path}/parked`]: {
    ...common,
    id: 'listParkedOfOperatorWebhook',
    summary: 'The events that were given up after 24 hours',
    description: 'The newest 1,000. What they say stands in the log of their session: `GET /sessions/{id}/events`.',
    parameters: { webhookId },
    response: {
      schema: OperatorParkedEvents,
      example: {
        docs: [{ session: exampleId, seq: 7, parked: exampleTime, error: 'it answered with status 500' }],
      },
    },
    errors: [notFound],
  },
  [`POST ${path}/replay`]: {
    ...common,
    id: 'replayOperatorWebhook',
    summary: 'Send events to an operators’ webhook once more',
    description:
      'One of `parked`, `seqs` and `from` (with or without `to`); the latter two of one `session`, whose log their numbers count in. ' +
      'They are sent once each under their IDs, in the order of their sessions, beside what is new, with retries of their own and ' +
      'over crashes. What is pending already, or not wanted, is left out, and so is what happened before the webhook was added.',
    parameters: { webhookId },
    requests: {
      'all that are parked': { parked: true },
      'some of a session': { session: exampleId, seqs: [3, 7] },
      'from a number on': { session: exampleId, from: 3 },
    },
    response: { schema: ReplayResponse, example: { id: example.id, pending: 2 } },
    errors: [
      notFound,
      [404, 'session not found', 'There is no such session, or the webhook is not told of it.'],
      [400, 'from should not be empty', 'None is given.'],
      [400, 'body must have only one of from, seqs, parked', ''],
      [400, 'session should not be empty', 'It is missing beside `seqs` or `from`.'],
      [400, 'to needs from', ''],
      [400, 'to must not be less than from', ''],
      [400, 'parked must be true', ''],
      [400, 'webhook is paused', 'Its key is revoked or has expired.'],
      [400, 'events of up to 1000 sessions are sent again at a time', ''],
      unavailable,
    ],
  },
  [`POST ${path}/test`]: {
    ...common,
    id: 'testOperatorWebhook',
    summary: 'Send a test to an operators’ webhook',
    parameters: { webhookId },
    response: {
      schema: WebhookTest,
      example: { id: '0197f3a2-9b4f-7c02-9d7e-2f4b8a6c1e35', delivered: true, status: 204, error: '' },
    },
    errors: [notFound],
  },
};
