import { Type } from 'typebox';
import { createEventCodec, type Placed } from '../../../actors/ports/event-codec.ts';
import type { WebhookAdded, WebhookChanged, WebhookMetadata, WebhookRemoved } from './webhook-events.ts';

export type WebhookEventContent =
  | { type: 'WebhookAdded'; data: WebhookAdded; metadata: WebhookMetadata }
  | { type: 'WebhookChanged'; data: WebhookChanged; metadata: WebhookMetadata }
  | { type: 'WebhookRemoved'; data: WebhookRemoved; metadata: WebhookMetadata };

/** A decoded event of an operators' webhook. */
export type RecordedWebhookEvent = Placed<WebhookEventContent>;

const settings = {
  endpoint: Type.Object({ key: Type.String(), text: Type.String() }),
  events: Type.Array(Type.String()),
  keyId: Type.Optional(Type.String()),
};
const data = {
  WebhookAdded: Type.Object({ ...settings, tenant: Type.Optional(Type.String()) }),
  WebhookChanged: Type.Object(settings),
  WebhookRemoved: Type.Object({ reason: Type.Optional(Type.String()) }),
};
const metadata = Type.Object({ at: Type.Number(), author: Type.String() });

/** Reads the events of `webhook-{id}`. */
export const webhookCodec = createEventCodec<WebhookEventContent, typeof data, typeof metadata>({
  kind: 'webhook',
  upcasters: [],
  data,
  metadata,
});
