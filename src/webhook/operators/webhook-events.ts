import type { SealedApart } from '../../../actors/ports/sealer.ts';

/** The prefix of the streams of operators' webhooks. */
export const operatorWebhookPrefix = 'webhook-';
export const operatorWebhookStream = (id: string): string => `${operatorWebhookPrefix}${id}`;

/** Settings of an operators' webhook. */
export interface WebhookSettings {
  /** JSON of its URL and token; both may contain secrets. */
  endpoint: SealedApart;
  /** Types of the events that it wants. */
  events: string[];
  /** The key that it was set with: it gets nothing while that key may not be used. Absent: the owner's. */
  keyId?: string;
}

/** An operator added a webhook. */
export interface WebhookAdded extends WebhookSettings {
  /** The tenant whose sessions it is told of (KY2); absent: all sessions. */
  tenant?: string;
}

/** It has other settings. */
export type WebhookChanged = WebhookSettings;

/** It gets nothing any more. `reason` if no caller asked for it: `receiver-gone`. */
export interface WebhookRemoved {
  reason?: string;
}

/** The metadata of every event of an operators' webhook. */
export interface WebhookMetadata {
  /** When, milliseconds since 1970. */
  at: number;
  /** Who did it: `owner`, the name of a key, or `gateway`. */
  author: string;
}
