import { defaultFilter, webhookEventTypes } from '../../webhook/filter/event-filter.ts';
import { exampleId, exampleTime } from '../shared/openapi/example-values.ts';
import type { Operation } from '../shared/openapi/operation.ts';
import { ParkedEvents, ReplayResponse, WebhookResponse, WebhookStatus, WebhookTest } from './schemas.ts';

const webhook = { url: 'https://crm.example/telegram', token: 'whsec-of-mine' };
const { events, chats } = defaultFilter;
const status: WebhookStatus = {
  id: exampleId,
  webhook,
  events: [...events],
  chats: chats as 'private',
  pending: 3,
  lastDelivered: exampleTime,
  lastError: 'it answered with status 503',
  nextAttempt: exampleTime,
  parked: 0,
};
const parked: ParkedEvents['docs'][number] = {
  seq: 17,
  id: '0197f3a2-9b4f-7c02-9d7e-2f4b8a6c1e35',
  type: 'message',
  created: exampleTime,
  error: 'it answered with status 503',
};

export const webhookOperations: Readonly<Record<string, Operation>> = {
  'PUT /session/webhook': {
    id: 'setWebhook',
    tag: 'Webhook',
    summary: 'Set the webhook, or turn it off',
    description:
      'Both empty turn it off. POST does the same. `events` and `chats` say what it gets: without them, the four events of ' +
      'private chats. `docs/webhooks` describes each event.',
    access: 'session',
    requests: {
      on: webhook,
      'of groups': { ...webhook, events: ['message', 'message.reaction', 'chat.member'], chats: 'groups' },
      'of two chats': { ...webhook, events: ['message'], chats: ['-1003001', '1002'] },
      off: { url: '', token: '' },
    },
    response: { schema: WebhookResponse, example: { id: exampleId, webhook } },
    errors: [
      [400, 'url and token must be both filled, or both empty to turn the webhook off', ''],
      [400, 'url must be an http or https url', ''],
      [400, 'token must be printable ASCII', ''],
      [400, 'events must be an array', ''],
      [400, `events.0 must be one of the following values: ${webhookEventTypes.join(', ')}`, ''],
      [400, 'chats must be one of the following values: private, groups, channels, all', ''],
      [400, 'chats must have between 1 and 100 entries', ''],
      [400, 'chats.0 must be a chat ID', ''],
    ],
  },
  'GET /session/webhook': {
    id: 'getWebhook',
    tag: 'Webhook',
    summary: 'Get the webhook and the state of its deliveries',
    access: 'session',
    response: { schema: WebhookStatus, example: status },
    errors: [[503, 'the event store is not available', 'With Retry-After.']],
  },
  'GET /session/webhook/parked': {
    id: 'listParked',
    tag: 'Webhook',
    summary: 'Events that were given up after 24 hours',
    description: 'Kept, like all events, for 7 days. Replay sends them again.',
    access: 'session',
    parameters: {
      after: 'Only events after this number: the `after` of the previous page.',
      limit: 'Up to this many, 1 to 1000; default 100.',
    },
    response: { schema: ParkedEvents, example: { docs: [parked], after: 17 } },
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
    description: 'All events from the number `from` on, parked ones included, with the same IDs and in the same order.',
    access: 'session',
    requests: { plain: { from: 17 } },
    response: { schema: ReplayResponse, example: { id: exampleId, pending: 12 } },
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
    description: 'One attempt, outside of the queue. The response has its result.',
    access: 'session',
    response: {
      schema: WebhookTest,
      example: { id: '0197f3a2-9b50-7a41-8c1d-5b1f6a2f9e07', delivered: true, status: 204, error: '' },
    },
    errors: [[400, 'webhook is off', '']],
  },
};
