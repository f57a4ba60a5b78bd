import { defaultFilter } from '../../webhook/filter/event-filter.ts';
import { exampleId, exampleTime } from '../shared/openapi/example-values.ts';
import type { Operation } from '../shared/openapi/operation.ts';
import { storeIsAway } from '../shared/openapi/store-errors.ts';
import { deliveryOperations } from './delivery-operations.ts';
import { settingErrors } from './described-settings.ts';
import { WebhookResponse, WebhookStatus } from './schemas.ts';

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
  lastFailed: exampleTime,
  nextAttempt: exampleTime,
  parked: 0,
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
    response: {
      description: 'The webhook as it is now.',
      schema: WebhookResponse,
      example: { id: exampleId, webhook },
    },
    errors: [[400, 'url and token must be both filled, or both empty to turn the webhook off', ''], ...settingErrors],
  },
  'GET /session/webhook': {
    id: 'getWebhook',
    tag: 'Webhook',
    summary: 'Get the webhook and the state of its deliveries',
    description: 'How many events wait, when one was delivered last, and why the last failed attempt failed.',
    access: 'session',
    response: { description: 'The webhook, and what waits for it.', schema: WebhookStatus, example: status },
    errors: [storeIsAway],
  },
  ...deliveryOperations('/session/webhook', ''),
};
