import { request } from './request.ts';

/** `GET /session/webhook`. What is beside the two settings is there once deliveries are. */
export interface WebhookState {
  id: string;
  webhook: { url: string; token: string };
  /** Events that wait for their delivery. */
  pending?: number;
  /** Events that were given up, and can be sent again. */
  parked?: number | unknown[];
  lastDelivered?: unknown;
  lastError?: unknown;
}

export const readWebhook = (id: string, signal: AbortSignal): Promise<WebhookState> =>
  request('GET', '/session/webhook', { session: id, signal });

/** Both empty turn it off. */
export const setWebhook = (id: string, webhook: { url: string; token: string }): Promise<unknown> =>
  request('PUT', '/session/webhook', { session: id, body: webhook });
