import { request } from './request.ts';
import type { ParkedEvents, WebhookStatus } from './types.ts';

export const getWebhook = (id: string, signal: AbortSignal): Promise<WebhookStatus> =>
  request('GET', '/session/webhook', { session: id, signal });

/** An empty URL with an empty token turns the webhook off. */
export const setWebhook = (id: string, webhook: WebhookStatus['webhook']): Promise<unknown> =>
  request('PUT', '/session/webhook', { session: id, body: webhook });

/** The oldest parked deliveries, up to `limit`. */
export async function getParked(id: string, limit: number, signal: AbortSignal): Promise<ParkedEvents['docs']> {
  const path = `/session/webhook/parked?limit=${limit}`;
  return (await request<ParkedEvents>('GET', path, { session: id, signal })).docs;
}

/** Resends the event `seq` and all later ones. @returns how many events are pending then */
export async function replayDeliveries(id: string, seq: number): Promise<number> {
  const body = { from: seq };
  return (await request<{ pending: number }>('POST', '/session/webhook/replay', { session: id, body })).pending;
}

/** Sends one test event to the webhook, without retries. */
export const testWebhook = (id: string): Promise<{ delivered: boolean; status: number; error: string }> =>
  request('POST', '/session/webhook/test', { session: id, body: {} });
