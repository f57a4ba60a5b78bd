import { webhookEventTypes } from '../../webhook/filter/event-filter.ts';
import type { ErrorLine } from '../shared/openapi/errors.ts';

export const webhookId = "The webhook's `id`.";
export const notFound: ErrorLine = [404, 'webhook not found', 'It is off, or never was.'];
/** Of the settings of a webhook. */
export const settingErrors: readonly ErrorLine[] = [
  [400, 'url must be an http or https url', ''],
  [400, 'token must be printable ASCII', ''],
  [400, 'events must be an array', ''],
  [400, `events.0 must be one of the following values: ${webhookEventTypes.join(', ')}`, ''],
  [400, 'chats must be one of the following values: private, groups, channels, all', ''],
  [400, 'chats must have between 1 and 100 entries', ''],
  [400, 'chats.0 must be a chat ID', ''],
];
