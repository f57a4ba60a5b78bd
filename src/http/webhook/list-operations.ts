import type { ErrorLine } from '../shared/openapi/errors.ts';
import { exampleTime } from '../shared/openapi/example-values.ts';
import type { Operation } from '../shared/openapi/operation.ts';
import { storeIsAway } from '../shared/openapi/store-errors.ts';
import { deliveryOperations } from './delivery-operations.ts';
import { notFound, settingErrors, webhookId } from './described-settings.ts';
import { DeletedWebhook, OneWebhook, WebhookList } from './schemas.ts';

const settings = { url: 'https://shop.example/telegram', token: 'whsec-of-mine' };
const example: OneWebhook = {
  id: 'mhx2k3a1',
  ...settings,
  events: ['message', 'chat.member'],
  chats: 'groups',
  pending: 0,
  lastDelivered: exampleTime,
  lastError: '',
  lastFailed: '',
  nextAttempt: '',
  parked: 0,
};
const filled: readonly ErrorLine[] = [
  [400, 'url must be a string\nurl should not be empty', 'It is missing.'],
  ...settingErrors,
  storeIsAway,
];
const common = { tag: 'Webhook', access: 'session' } as const;
const path = '/session/webhooks/:webhookId';

export const webhookListOperations: Readonly<Record<string, Operation>> = {
  'GET /session/webhooks': {
    ...common,
    id: 'listWebhooks',
    summary: 'The webhooks of the session, with the state of their deliveries',
    description: 'Up to five. The one of `/session/webhook` is the first.',
    response: { schema: WebhookList, example: { docs: [example] } },
    errors: [storeIsAway],
  },
  'POST /session/webhooks': {
    ...common,
    id: 'addWebhook',
    summary: 'Add a webhook',
    description:
      'It gets what happens from now on, in its own order and with its own retries: one that does not respond delays no ' +
      'other. If `/session/webhook` is off, it becomes that one.',
    requests: { plain: settings, 'of groups': { ...settings, events: ['message', 'chat.member'], chats: 'groups' } },
    response: { schema: OneWebhook, example },
    errors: [[400, 'a session has up to 5 webhooks', ''], ...filled],
  },
  [`GET ${path}`]: {
    ...common,
    id: 'getOneWebhook',
    summary: 'Get a webhook and the state of its deliveries',
    parameters: { webhookId },
    response: { schema: OneWebhook, example },
    errors: [notFound, storeIsAway],
  },
  [`PUT ${path}`]: {
    ...common,
    id: 'changeWebhook',
    summary: 'Change a webhook',
    description:
      'What waits goes to the new URL at once. Without `events` and `chats` it gets what a webhook gets by default.',
    parameters: { webhookId },
    requests: { plain: settings },
    response: { schema: OneWebhook, example },
    errors: [notFound, ...filled],
  },
  [`DELETE ${path}`]: {
    ...common,
    id: 'removeWebhook',
    summary: 'Turn a webhook off',
    description: 'What waits for it is not delivered.',
    parameters: { webhookId },
    response: { schema: DeletedWebhook, example: { id: example.id } },
    errors: [notFound],
  },
  ...deliveryOperations(path, 'Of'),
};
