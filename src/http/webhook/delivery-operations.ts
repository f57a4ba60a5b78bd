import type { ErrorLine } from '../shared/openapi/errors.ts';
import { exampleEnvelope, exampleId, exampleTime } from '../shared/openapi/example-values.ts';
import type { Operation } from '../shared/openapi/operation.ts';
import { storeIsAway } from '../shared/openapi/store-errors.ts';
import { DeliveryList } from './delivery-schemas.ts';
import { notFound, webhookId } from './described-settings.ts';
import { ParkedEvents, ReplayResponse, WebhookTest } from './schemas.ts';

const parked: ParkedEvents['docs'][number] = {
  seq: 17,
  id: '0197f3a2-9b4f-7c02-9d7e-2f4b8a6c1e35',
  type: 'message',
  created: exampleTime,
  error: 'it answered with status 503',
};

const delivery: DeliveryList['docs'][number] = {
  seq: 17,
  id: parked.id,
  type: 'message.read',
  created: exampleTime,
  status: 'pending',
  attempts: 3,
  lastStatus: 503,
  lastError: parked.error,
  nextAttempt: exampleTime,
  event: { ...exampleEnvelope, id: parked.id },
};

/**
 * What became of the deliveries of a webhook.
 * @param path of the webhook
 * @param suffix of the names of the calls
 */
export function deliveryOperations(path: string, suffix: string): Record<string, Operation> {
  const named: Record<string, string> = suffix === '' ? {} : { webhookId };
  const unknown: ErrorLine[] = suffix === '' ? [] : [notFound];
  return {
    [`GET ${path}/deliveries`]: {
      id: `listDeliveries${suffix}`,
      tag: 'Webhook',
      summary: 'The deliveries: what waits, what was given up, what was delivered',
      description:
        'Each with its attempts, why the last one failed, when the next one is due, and the event itself. What is pending or ' +
        'parked comes in its order, all else newest first. Kept for 7 days; none while the webhook is off.',
      access: 'session',
      parameters: {
        ...named,
        status: 'Only these; left out: all.',
        chatId: 'Only of this chat.',
        after: 'Of the page before.',
        limit: 'Up to this many, 1 to 100; default 50.',
      },
      response: { schema: DeliveryList, example: { docs: [delivery], after: '' } },
      errors: [
        [400, 'status must be one of the following values: pending, parked, delivered', ''],
        [400, 'after must be that of a page', ''],
        [400, 'limit must be between 1 and 100', ''],
        ...unknown,
        storeIsAway,
      ],
    },
    [`GET ${path}/parked`]: {
      id: `listParked${suffix}`,
      tag: 'Webhook',
      summary: 'Events that were given up after 24 hours',
      description: 'Kept, like all events, for 7 days. Replay sends them again.',
      access: 'session',
      parameters: {
        ...named,
        after: 'Only events after this number: the `after` of the previous page.',
        limit: 'Up to this many, 1 to 1000; default 100.',
      },
      response: { schema: ParkedEvents, example: { docs: [parked], after: 17 } },
      errors: [
        [400, 'after must be a number', ''],
        [400, 'limit must be between 1 and 1000', ''],
        ...unknown,
        storeIsAway,
      ],
    },
    [`POST ${path}/replay`]: {
      id: `replayWebhook${suffix}`,
      tag: 'Webhook',
      summary: 'Send events again',
      description:
        'With the same IDs. `from` sends all events from a number on, in the order of their chats; `from` with `to`, `seqs` or ' +
        '`parked` some of them, in their order, beside what is new. Numbers that are pending already, or that the webhook does not ' +
        'want, are left out.',
      access: 'session',
      parameters: named,
      requests: {
        plain: { from: 17 },
        'from a number to another': { from: 17, to: 40 },
        'some events': { seqs: [17, 23] },
        'all that are parked': { parked: true },
      },
      response: { schema: ReplayResponse, example: { id: exampleId, pending: 12 } },
      errors: [
        [400, 'from should not be empty', ''],
        [400, 'from must be a positive number', ''],
        [400, 'from must be an integer', ''],
        [400, 'body must have only one of from, seqs, parked', ''],
        [400, 'seqs must have between 1 and 100 entries', ''],
        [400, 'to needs from', ''],
        [400, 'to must not be less than from', ''],
        [400, 'parked must be true', ''],
        [400, 'webhook is off', ''],
        ...unknown,
      ],
    },
    [`POST ${path}/test`]: {
      id: `testWebhook${suffix}`,
      tag: 'Webhook',
      summary: 'Send a signed test event now',
      description: 'One attempt, outside of the queue. The response has its result.',
      access: 'session',
      response: {
        schema: WebhookTest,
        example: { id: '0197f3a2-9b50-7a41-8c1d-5b1f6a2f9e07', delivered: true, status: 204, error: '' },
      },
      parameters: named,
      errors: [[400, 'webhook is off', ''], ...unknown],
    },
  };
}
