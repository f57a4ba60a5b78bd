import { type Static, Type } from 'typebox';
import type { Webhook } from '../../../actors/session/session-settings.ts';
import { webhookEventTypes } from '../../webhook/filter/event-filter.ts';
import { maxTextLength, url } from '../shared/fields.ts';
import { keywords } from '../shared/keywords.ts';
import { chatsField, eventsField } from '../webhook/event-filter-fields.ts';

/** A token: it is a header. */
export const printable = Type.String({
  maxLength: maxTextLength,
  ...keywords({ pattern: String.raw`^[\x20-\x7e]*$`, is: 'printable ASCII' }),
});
const filter = { events: Type.Optional(eventsField(webhookEventTypes)), chats: Type.Optional(chatsField) };

/** `POST /session/webhooks`, `PUT /session/webhooks/{webhookId}` (EV2). */
export const FilledWebhookBody = Type.Object({ url, token: printable, ...filter });

/** `PUT /session/webhook` (WH1, EV1). */
export const WebhookBody = Type.Object(
  { url: Type.Optional(url), token: Type.Optional(printable), ...filter },
  keywords({ bothOrNeither: 'to turn the webhook off' }),
);
export type WebhookBody = Static<typeof WebhookBody>;

export const SessionWebhook = Type.Object(
  { url: Type.String(), token: Type.String() },
  { description: 'Both empty while the webhook is off.' },
);
export type SessionWebhook = Static<typeof SessionWebhook>;

/** Both are filled or both are empty: the schema ensures it. */
export const webhookFrom = ({ url: to = '', token = '', events, chats }: WebhookBody): Webhook | null =>
  to === '' ? null : { url: to, token, ...(events && { events }), ...(chats && { chats }) };
