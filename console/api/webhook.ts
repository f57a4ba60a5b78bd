import { request } from './request.ts';

/** The response of `GET /session/webhook`. */
export interface WebhookStatus {
  id: string;
  webhook: { url: string; token: string };
  /** How many events are not delivered yet. */
  pending: number;
  /** ISO 8601; empty if nothing has been delivered. */
  lastDelivered: string;
  /** Empty if no delivery has failed. */
  lastError: string;
  /** How many events are parked: they could not be delivered, and are no longer retried. */
  parked: number;
}

/** An event that is parked. It can be resent. */
export interface ParkedDelivery {
  seq: number;
  id: string;
  type: string;
  created: string;
  error: string;
}

export const readWebhook = (id: string, signal: AbortSignal): Promise<WebhookStatus> =>
  request('GET', '/session/webhook', { session: id, signal });

/** An empty URL with an empty token turns the webhook off. */
export const setWebhook = (id: string, webhook: WebhookStatus['webhook']): Promise<unknown> =>
  request('PUT', '/session/webhook', { session: id, body: webhook });

/** The oldest parked deliveries, up to `limit`. */
export async function listParked(id: string, limit: number, signal: AbortSignal): Promise<ParkedDelivery[]> {
  const path = `/session/webhook/parked?limit=${limit}`;
  return (await request<{ docs: ParkedDelivery[] }>('GET', path, { session: id, signal })).docs;
}

/** Resends the event `seq` and all later ones. @returns how many events are pending then */
export async function replayDeliveries(id: string, seq: number): Promise<number> {
  const body = { from: seq };
  return (await request<{ pending: number }>('POST', '/session/webhook/replay', { session: id, body })).pending;
}

/** Sends one test event to the webhook, without retries. */
export const testWebhook = (id: string): Promise<{ delivered: boolean; status: number; error: string }> =>
  request('POST', '/session/webhook/test', { session: id, body: {} });
