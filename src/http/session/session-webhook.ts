import { type Static, Type } from 'typebox';
import type { Webhook } from '../../../actors/session/session-settings.ts';
import { keywords } from '../shared/keywords.ts';

/** `PUT /session/webhook` (WH1). */
export const WebhookBody = Type.Object(
  {
    url: Type.Optional(Type.String(keywords({ httpUrl: true }))),
    token: Type.Optional(Type.String(keywords({ pattern: String.raw`^[\x20-\x7e]*$`, is: 'printable ASCII' }))),
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
export const webhookFrom = ({ url = '', token = '' }: WebhookBody): Webhook | null =>
  url === '' ? null : { url, token };
