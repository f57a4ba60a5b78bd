import { type Static, Type } from 'typebox';
import type { Webhook } from '../../../actors/session/session-settings.ts';
import { maxTextLength, url } from '../shared/fields.ts';
import { keywords } from '../shared/keywords.ts';

/** `PUT /session/webhook` (WH1). */
export const WebhookBody = Type.Object(
  {
    url: Type.Optional(url),
    token: Type.Optional(
      Type.String({
        maxLength: maxTextLength,
        ...keywords({ pattern: String.raw`^[\x20-\x7e]*$`, is: 'printable ASCII' }),
      }),
    ),
  },
  keywords({ bothOrNeither: 'to turn the webhook off' }),
);
export type WebhookBody = Static<typeof WebhookBody>;

export const SessionWebhook = Type.Object(
  { url: Type.String(), token: Type.String() },
  { description: 'Both empty while the webhook is off.' },
);
export type SessionWebhook = Static<typeof SessionWebhook>;

/** Both are filled or both are empty: the schema ensures it. */
export const webhookFrom = ({ url: to = '', token = '' }: WebhookBody): Webhook | null =>
  to === '' ? null : { url: to, token };
